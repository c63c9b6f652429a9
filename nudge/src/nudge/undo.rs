//! Taking back what the user did last.

use parking_lot::Mutex;

use crate::api::caller::Caller;
use crate::api::undo::Undone;
use crate::model::error::{Error, ErrorKind};
use crate::nudge::Nudge;
use crate::write::plan::WriteContext;
use crate::write::undo::UndoList;

/// Taking back.
impl Nudge {
    /// Remembers what the user deletes and overwrites, for [`Nudge::undo`].
    #[must_use]
    pub fn with_undo(mut self) -> Nudge {
        self.undo_list = Some(Mutex::default());
        self
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
