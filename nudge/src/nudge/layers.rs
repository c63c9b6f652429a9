//! Layers: which hints are kept beside the session, and loading them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::api::answer::Imported;
use crate::api::caller::{Caller, Via};
use crate::api::layer::Layer;
use crate::api::payload::{Payload, Snapshot};
use crate::model::error::Error;
use crate::model::name::Name;
use crate::model::scope::Scope;
use crate::nudge::Nudge;
use crate::rank::listing::hints_of;
use crate::store::change::{ChangeKind, Removed};
use crate::write::import::Checked;
use crate::write::plan::WriteContext;
use crate::write::validate::holds_secret;

/// Keeping hints for the next session.
impl Nudge {
    /// What a layer is to hold: the hints that are kept in it by themselves, and what is
    /// remembered of values that the user does not want. Nothing that looks like a credential
    /// is in it, whatever the store lets in.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Caller, Layer, Nudge, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("api", "editor", "vim"))?;
    /// nudge.ask(&Caller::agent("codex"), SetHint::new("api", "shell", "zsh"))?;
    /// let json = serde_json::to_value(nudge.kept(&Layer::Everywhere)).unwrap();
    /// assert_eq!(json["components"]["api"]["hints"].as_object().unwrap().len(), 1);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    #[must_use]
    pub fn kept(&self, layer: &Layer) -> Snapshot {
        // What a sink was told of is in the store once its writer is done.
        let _writing = self.writing.lock();
        let now = self.clock.now();
        let store = self.read();
        let components = hints_of(&store, now, |slot, hint| {
            layer.keeps(hint) && !holds_secret(&slot.component, &slot.key, hint)
        });
        let marks = store
            .marks()
            .iter()
            .filter(|mark| layer.keeps_of(mark.repo.as_ref()));
        Snapshot {
            created_at: self.created_at(),
            session_id: Arc::clone(&self.session_id),
            components,
            marks: marks.cloned().collect(),
            ..Snapshot::default()
        }
    }

    /// Takes a hint out of the store that stands elsewhere from now on. Nothing is remembered
    /// against it, as it would be if it were deleted.
    pub fn release(
        &self,
        by: &Caller<'_>,
        names: (Name, Name),
        scope: Option<&Scope>,
    ) -> Result<(), Error> {
        let plan = |on: WriteContext<'_>| {
            let slot = on.store.slot(&names.0, &names.1);
            let mut live = slot.into_iter().flat_map(|slot| slot.live(on.now));
            let hint = live.find(|hint| hint.scope() == scope);
            let gone = hint.map(|hint| ChangeKind::Delete(Removed::new(names, hint)));
            Ok((gone.into_iter().collect(), ()))
        };
        // There is nothing to take back: it is not lost.
        self.write_noting(by, plan, |_| ())
    }

    /// The repositories that hints name, by their canonical names.
    #[must_use]
    pub fn repos(&self) -> Vec<String> {
        let store = self.read();
        let hints = store.slots().flat_map(|slot| &slot.variants);
        let repos = hints.filter_map(|variant| variant.hint.scope()?.repo.as_ref());
        let marked = store.marks().iter().filter_map(|mark| mark.repo.as_ref());
        let marked = marked.map(ToString::to_string);
        let all: BTreeSet<String> = repos.flatten().cloned().chain(marked).collect();
        all.into_iter().collect()
    }

    /// Loads what a layer holds, as JSON. Kept hints are merged: the newer one stays, and
    /// what the layer held `before` and the store no longer has is not loaded again. A project's
    /// hints take the place of those that its file had before.
    pub fn load_layer(
        &self,
        layer: &Layer,
        json: &str,
        before: Option<&Snapshot>,
    ) -> Result<Imported, Error> {
        let by = Caller::user().via(Via::Layer);
        let now = self.clock.now();
        let payload = Checked::new(Payload::from(json), &self.checker(&by, now))?;
        self.write(&by, |on| {
            let on = WriteContext { now, ..on };
            Ok(payload.plan_layer(on, layer, before))
        })
    }
}
