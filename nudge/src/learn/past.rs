//! Learning from the past: what histories and transcripts tell, by the rules of what hooks see.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::lesson::{MOST_LEARNED, learned_of};
use super::retire::UNUSED;
use crate::api::caller::Caller;
use crate::api::event::{Event, EventKind};
use crate::api::import_export::Export;
use crate::api::payload::{Payload, Snapshot};
use crate::clock::ManualClock;
use crate::command::only_looks;
use crate::hint::Hint;
use crate::model::error::Error;
use crate::model::name::Name;
use crate::nudge::Nudge;
use crate::write::import::Checked;
use crate::write::plan::WriteContext;

/// Learning from the past.
impl Nudge {
    /// Learns from commands that ran before, each with its time, and returns the hints.
    ///
    /// They are those that hooks would have left, had they seen the commands then, with the
    /// times of then, and nothing that would have been retired since. What could not run, and
    /// what helped, is known from then on. What the user says of a slot stands, and so does what
    /// worked later. With `dry_run` nothing is changed.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Caller, Context, Event, Nudge};
    ///
    /// let nudge = Nudge::default();
    /// let here = Context::new().cwd("/work/api").repo("git:acme/api").branch("main");
    /// let ran = Event::after_command("make test").exit_code(0).host("codex").context(&here);
    /// let yesterday = nudge.now() - chrono::TimeDelta::days(1);
    /// let learned = nudge.learn_past(&Caller::user(), vec![(yesterday, ran)], false)?;
    /// let (component, key, hint) = learned.hints().next().unwrap();
    /// assert_eq!((&**component, &**key, &*hint.value.text()), ("api", "test", "make test"));
    /// assert_eq!(hint.updated_at, yesterday);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn learn_past(
        &self,
        by: &Caller<'_>,
        past: Vec<(DateTime<Utc>, Event)>,
        dry_run: bool,
    ) -> Result<Snapshot, Error> {
        let now = self.now();
        let contexts = past.iter().map(|(_, event)| &event.context);
        let repos = contexts.filter_map(|context| context.facts().repo());
        let repos: BTreeSet<String> = repos.map(str::to_owned).collect();
        let then = self.replay_past(past, now)?;
        let lessons = Payload::from(then.lessons()?);
        let mut lessons = Checked::new(lessons, &self.checker(by, now))?;
        let mut learned = Snapshot::default();
        self.write(by, |on| {
            let on = WriteContext { now, ..on };
            let mut taken = 0;
            lessons.retain(|names, hint| {
                let is_new = is_new(on, names, hint, taken);
                taken += usize::from(is_new);
                is_new
            });
            let mut changes = Vec::new();
            lessons.compare(on.store, on, &mut changes);
            let set = changes.iter().filter_map(|it| it.slot().zip(it.hint()));
            learned
                .components
                .extend(set.map(|((component, key), hint)| {
                    let slots = vec![(key.clone(), vec![Arc::clone(hint)])];
                    (component.clone(), slots)
                }));
            if dry_run {
                changes.clear();
            }
            Ok((changes, ()))
        })?;
        for repo in repos.iter().filter(|_| !dry_run) {
            let past = then.with_book(repo, std::mem::take);
            self.with_book(repo, |book| book.adopt(past));
        }
        Ok(learned)
    }

    /// A store of its own to which hooks told it all, by a clock that shows the time of each.
    fn replay_past(
        &self,
        mut past: Vec<(DateTime<Utc>, Event)>,
        now: DateTime<Utc>,
    ) -> Result<Nudge, Error> {
        use EventKind::{AfterCommand, AfterEdit, AfterWrite};
        past.retain(|(at, event)| {
            let tells = matches!(event.event, AfterCommand | AfterEdit | AfterWrite);
            // Half of what agents run only looks around, and teaches nothing.
            let looks = || event.command.as_deref().is_some_and(only_looks);
            tells && (now - UNUSED..=now).contains(at) && !looks()
        });
        past.sort_by_key(|(at, _)| *at);
        let clock = Arc::new(ManualClock::at(now - UNUSED));
        let mut then = Nudge::new(self.config.clone()).with_clock(Arc::clone(&clock));
        then.projects.clone_from(&self.projects);
        for (at, event) in past {
            clock.set(at);
            then.on_event(event)?;
        }
        Ok(then)
    }

    /// What was learned, with the times at which it worked.
    fn lessons(&self) -> Result<Snapshot, Error> {
        let mut components = self.export(Export::new())?.payload.components;
        let slots = components.iter_mut().flat_map(|(_, slots)| slots);
        for hint in slots.flat_map(|(_, hints)| hints) {
            let hint = Arc::make_mut(hint);
            // When it worked says more than when it was first seen to.
            hint.updated_at = worked_at(hint);
        }
        Ok(Snapshot {
            components,
            ..Snapshot::default()
        })
    }
}

/// When a hint last worked, or was set.
fn worked_at(hint: &Hint) -> DateTime<Utc> {
    hint.last_used_at
        .map_or(hint.updated_at, |used| used.max(hint.updated_at))
}

/// Whether a lesson of the past says something that the store does not know better. So many
/// were taken before it.
fn is_new(on: WriteContext<'_>, names: (&Name, &Name), lesson: &Hint, taken: usize) -> bool {
    let Some([repo]) = lesson.repos() else {
        return false;
    };
    let live = on.store.live(names, on.now);
    let mut here = live.filter(|known| known.repos().is_none_or(|repos| repos.contains(repo)));
    let is_outdated = |known: &Arc<Hint>| {
        let may_go = !known.is_users() && !known.is_projects();
        may_go && known.value != lesson.value && worked_at(known) < worked_at(lesson)
    };
    let mut marks = on.store.marks().of(names);
    let is_unwanted = marks.any(|mark| mark.is_about(names, lesson));
    let has_room = learned_of(on, repo).len() + taken < MOST_LEARNED;
    here.all(is_outdated) && !is_unwanted && has_room
}
