//! Learning from the past: what histories and transcripts tell, by the rules of what hooks see.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::lesson::{MOST_LEARNED, learned_of};
use super::location::Location;
use super::retire::UNUSED;
use crate::api::caller::Caller;
use crate::api::event::{Event, EventKind};
use crate::api::import_export::Export;
use crate::api::payload::{Payload, Snapshot};
use crate::clock::ManualClock;
use crate::command::breadth::learnable;
use crate::command::line::CommandLine;
use crate::command::proven::proven;
use crate::hint::Hint;
use crate::model::error::Error;
use crate::model::name::Name;
use crate::nudge::Nudge;
use crate::scope::component::component_at;
use crate::scope::context::Context;
use crate::store::change::ChangeKind;
use crate::write::import::Checked;
use crate::write::plan::WriteContext;

/// Learning from the past.
impl Nudge {
    /// Learns from commands that ran before, each with its time, and returns the hints.
    ///
    /// They are those that hooks would have left, had they seen the commands then, with the
    /// times of then. A command that failed last is not learned, nor one that would have been
    /// retired since. What the user says of a slot stands, and so does what worked later.
    /// With `dry_run` nothing is changed.
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
        let lessons = Payload::from(self.replay_past(past, now)?);
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
            for change in &changes {
                if let ChangeKind::Set {
                    component,
                    key,
                    hint,
                    ..
                } = change
                {
                    let slots = vec![(key.clone(), vec![Arc::clone(hint)])];
                    learned.components.push((component.clone(), slots));
                }
            }
            if dry_run {
                changes.clear();
            }
            Ok((changes, ()))
        })?;
        Ok(learned)
    }

    /// What hooks would have left, in a store of its own whose clock shows the time of each.
    fn replay_past(
        &self,
        mut past: Vec<(DateTime<Utc>, Event)>,
        now: DateTime<Utc>,
    ) -> Result<Snapshot, Error> {
        past.retain(|(at, event)| {
            event.event == EventKind::AfterCommand && (now - UNUSED..=now).contains(at)
        });
        past.sort_by_key(|(at, _)| *at);
        let clock = Arc::new(ManualClock::at(now - UNUSED));
        let mut then = Nudge::new(self.config.clone()).with_clock(Arc::clone(&clock));
        then.projects.clone_from(&self.projects);
        let mut last = HashMap::new();
        for (at, event) in past {
            let command = event.command.as_deref().unwrap_or_default();
            let has_worked = event.worked();
            if let Some((component, line)) = then.component_of(command, &event.context) {
                last.extend(has_worked.map(|worked| ((component, line.text), worked)));
            }
            let may_teach = || proven(command).iter().any(|it| learnable(it).is_some());
            if has_worked == Some(true) && may_teach() {
                clock.set(at);
                then.on_event(event)?;
            }
        }
        let mut components = then.export(Export::new())?.payload.components;
        for (component, slots) in &mut components {
            let has_failed = |hint: &Hint| {
                let ran = (component.clone(), hint.value.text().into_owned());
                last.get(&ran) == Some(&false)
            };
            for (_, hints) in slots {
                hints.retain(|hint| !has_failed(hint));
            }
        }
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

    /// The component of the folder that a command runs in.
    fn component_of(&self, command: &str, context: &Context) -> Option<(Name, CommandLine)> {
        let line = CommandLine::read(command)?;
        let at = Location::of(context, &line)?.context;
        Some((component_at(&at, &self.folder_at(&at))?, line))
    }
}

/// When a hint last worked, or was set.
fn worked_at(hint: &Hint) -> DateTime<Utc> {
    hint.last_used_at
        .map_or(hint.updated_at, |used| used.max(hint.updated_at))
}

fn repos(hint: &Hint) -> Option<&[String]> {
    hint.scope()?.repo.as_deref()
}

/// Whether a lesson of the past says something that the store does not know better. So many
/// were taken before it.
fn is_new(on: WriteContext<'_>, names: (&Name, &Name), lesson: &Hint, taken: usize) -> bool {
    let Some([repo]) = repos(lesson) else {
        return false;
    };
    let slot = on.store.slot(names.0, names.1);
    let live = slot.into_iter().flat_map(|slot| slot.live(on.now));
    let mut here = live.filter(|known| repos(known).is_none_or(|repos| repos.contains(repo)));
    let is_outdated = |known: &Arc<Hint>| {
        let may_go = !known.is_users() && !known.is_projects();
        may_go && known.value != lesson.value && worked_at(known) < worked_at(lesson)
    };
    let mut marks = on.store.marks().of(names);
    let is_unwanted = marks.any(|mark| mark.is_about(names, lesson));
    let has_room = learned_of(on, repo).len() + taken < MOST_LEARNED;
    here.all(is_outdated) && !is_unwanted && has_room
}
