//! What a move changes: hints that stand under another name from now on.

use std::sync::Arc;

use crate::api::rename::{Moved, MovedHint};
use crate::model::error::{Error, ErrorData, ErrorKind};
use crate::model::name::{Name, check_names};
use crate::rank::select::missing;
use crate::scope::context::Context;
use crate::store::change::{ChangeKind, Removed};
use crate::store::slot::Slot;
use crate::write::plan::WriteContext;
use crate::write::validate::check_hint;

impl WriteContext<'_> {
    /// The changes that give a component, or one of its keys, another name. Every variant goes
    /// along, as it is; nothing is remembered against the old name.
    pub(crate) fn plan_move(
        self,
        (component, key): (&Name, Option<&Name>),
        to: &Name,
        is_dry: bool,
    ) -> Result<(Vec<ChangeKind>, Moved), Error> {
        let slots = |component: &Name, key: Option<&Name>| -> Vec<&Slot> {
            let is_live = |slot: &&Slot| slot.live(self.now).next().is_some();
            let only = key.map(|key| self.store.slot(component, key));
            let owner = self.store.component(component).filter(|_| key.is_none());
            let all = owner
                .into_iter()
                .flat_map(|owner| self.store.slots_of(owner));
            only.flatten()
                .into_iter()
                .chain(all)
                .filter(is_live)
                .collect()
        };
        let moved = slots(component, key);
        if moved.is_empty() {
            let names = (component, key.unwrap_or(component));
            return Err(missing(
                self.store,
                names,
                self.query_context(Context::nowhere()),
            ));
        }
        let (there, name) = match key {
            Some(_) => (slots(component, Some(to)), format!("{component}/{to}")),
            None => (slots(to, None), to.to_string()),
        };
        if !there.is_empty() {
            let data = ErrorData {
                detail: Some("exists".into()),
                field: Some("to".into()),
                ..ErrorData::default()
            };
            let words = format!("`{name}` exists already; choose another name, or delete it first");
            return Err(Error::with(ErrorKind::Conflict, words, data));
        }
        let (mut changes, mut hints) = (Vec::new(), Vec::new());
        for slot in moved {
            let old = || (slot.component.clone(), slot.key.clone());
            let (component, key) = match key {
                Some(_) => (slot.component.clone(), to.clone()),
                None => (to.clone(), slot.key.clone()),
            };
            check_names(&component, &key)?;
            for hint in slot.live(self.now) {
                if hint.is_projects() {
                    let words = format!(
                        "`{}/{}` is in the project's file; rename it in `.nudge-hints.json`",
                        slot.component, slot.key
                    );
                    return Err(Error::invalid("component", "project", words));
                }
                check_hint(&component, &key, hint, self.config, self.by)?;
                changes.push(ChangeKind::Delete(Removed::new(old(), hint)));
                changes.extend(self.wanted((&component, &key), hint));
                let names = (component.clone(), key.clone());
                changes.push(ChangeKind::set(names, None, Arc::clone(hint)));
                hints.push(MovedHint {
                    component: component.clone(),
                    key: key.clone(),
                    hint: Arc::clone(hint),
                });
            }
        }
        changes.retain(|_| !is_dry);
        Ok((changes, Moved { hints }))
    }
}
