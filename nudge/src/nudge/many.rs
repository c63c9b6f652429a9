//! Writes that mean many slots by their names.

use parking_lot::Mutex;

use crate::api::answer::{Deleted, DeletedHints, Moved, Undone};
use crate::api::caller::Caller;
use crate::api::selector::DeleteHint;
use crate::model::error::{Error, ErrorKind};
use crate::model::name::Name;
use crate::nudge::Nudge;
use crate::scope::context::Context;
use crate::write::plan::WriteContext;
use crate::write::undo::UndoList;

/// Many at once.
impl Nudge {
    /// Deletes what is meant of one slot.
    pub(crate) fn delete(&self, by: &Caller<'_>, delete: DeleteHint) -> Result<Deleted, Error> {
        let names = (delete.component.clone(), delete.key.clone());
        let at = delete.context.clone().unwrap_or_default();
        let deleted = self.write(by, |on| delete.plan(on));
        deleted.map_err(|why| self.unset(by, (&names.0, &names.1), &at, why))
    }

    /// Deletes the same in every slot whose names fit: `*` in a name is any text, `?` any
    /// character, and a name that exists is meant as it is. A dry run only says what would go.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Caller, DeleteHint, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// for component in ["old-api", "old-web", "api"] {
    ///     nudge.set_hint(SetHint::new(component, "build", "make"))?;
    /// }
    /// let gone = nudge.delete_matching(&Caller::user(), &DeleteHint::new("old-*", "*"), false)?;
    /// assert_eq!((gone.deleted.len(), nudge.stats().hints), (2, 1));
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn delete_matching(
        &self,
        by: &Caller<'_>,
        delete: &DeleteHint,
        is_dry: bool,
    ) -> Result<DeletedHints, Error> {
        self.write(by, |on| delete.plan_all(on, is_dry))
    }

    /// Gives a component, or one of its keys, another name, under which nothing stands yet.
    /// Every variant that applies where the caller is goes along as it is; without a context
    /// every one. A dry run only says what would.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Caller, GetHint, Name, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// let (api, gateway) = (Name::from("api"), Name::from("gateway"));
    /// nudge.rename(&Caller::user(), (&api, None), &gateway, None, false)?;
    /// assert!(nudge.get_hint(GetHint::new("gateway", "build")).is_ok());
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn rename(
        &self,
        by: &Caller<'_>,
        from: (&Name, Option<&Name>),
        to: &Name,
        here: Option<&Context>,
        is_dry: bool,
    ) -> Result<Moved, Error> {
        let (component, key) = from;
        let moved = self.write(by, |on| on.plan_move(from, to, here, is_dry));
        moved.map_err(|why| match (key, here) {
            (Some(key), Some(here)) => self.unset(by, (component, key), here, why),
            _ => why,
        })
    }

    /// Moves the hints and marks of a repository to another. Where a newer hint stands there,
    /// that stays. A dry run only says what would move.
    pub fn rename_repo(
        &self,
        by: &Caller<'_>,
        names: (&str, &str),
        is_dry: bool,
    ) -> Result<Moved, Error> {
        self.write(by, |on| on.plan_move_repo(names, is_dry))
    }

    /// Takes back the last write by which the user deleted or overwrote something, all of it
    /// at once; the next time the one before. A secret does not come back.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Caller, DeleteHint, GetHint, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default().with_undo();
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// nudge.delete_hint(DeleteHint::new("api", "build"))?;
    /// assert_eq!(nudge.undo(&Caller::user())?.hints[0].key, "build");
    /// assert!(nudge.get_hint(GetHint::new("api", "build")).is_ok());
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn undo(&self, by: &Caller<'_>) -> Result<Undone, Error> {
        let empty = Mutex::new(UndoList::default());
        let list = self.undo_list.as_ref().unwrap_or(&empty);
        let plan = |on: WriteContext<'_>| {
            let plan = list.lock().last()?.plan(on);
            // What cannot be taken back any more is not in the way of what can.
            let is_lost =
                |error: &Error| matches!(error.kind(), ErrorKind::Conflict | ErrorKind::NotFound);
            if plan.as_ref().is_err_and(is_lost) {
                list.lock().pop();
            }
            plan
        };
        self.write_noting(by, plan, |_| list.lock().pop())
    }
}
