//! Observations: what a PRIMARY tells its observer, and asks it.

use std::collections::BTreeSet;
use std::path::Path;

use nudge::{
    Age, Caller, ChangeKind, Error, ErrorKind, Event, EventKind, PromptBlock, Reaction, is_plain,
};

use super::Primary;
use crate::config::LogLevel;
use crate::log::log;
use crate::observe::answers::{Observing, Purged};
use crate::observe::requests::{Fix, Lately, Observe, Purge, Question};
use crate::observe::{Noted, Observer};
use crate::store::{Memory, ObsType, has_history};

/// The longest line that is told of what was seen, in bytes, and the most of a prompt in it, in
/// characters.
const MOST_OF_LINE: usize = 60 * PromptBlock::BYTES_A_TOKEN;
const MOST_OF_PROMPT: usize = 80;

/// The shortest text whose rows go with it, in bytes: a shorter one stands in everything.
const LEAST_FORGOTTEN: usize = 4;

impl Primary {
    /// Records what hooks tell from now on, in a folder of ours.
    pub fn observe_in(&self, folder: &Path) {
        self.observer.get_or_init(|| Observer::new(folder));
    }

    /// Whether anything is recorded, or can be asked for.
    #[must_use]
    pub fn is_observing(&self) -> bool {
        self.observer.get().is_some()
    }

    /// Deletes what was recorded of values that the user took away and that no hint has any more.
    pub(super) fn forget_values(&self) {
        let mut texts = self.memory().map(Memory::take_taken).unwrap_or_default();
        texts.retain(|text| text.len() >= LEAST_FORGOTTEN);
        let folder = self.folder.as_ref().filter(|folder| has_history(folder));
        let Some(folder) = folder.filter(|_| !texts.is_empty()) else {
            return;
        };
        // One that moved, or that others have as well, is not gone.
        self.nudge.standing(|changes| {
            let stand = changes.iter().filter_map(|change| match &change.kind {
                ChangeKind::Set { hint, .. } if !hint.is_secret() => Some(hint.value.text()),
                _ => None,
            });
            let stand: BTreeSet<_> = stand.collect();
            texts.retain(|text| !stand.contains(&**text));
        });
        let forgotten = if let Some(observer) = self.observer.get() {
            observer.forget(texts)
        } else {
            // What was recorded while observations were on.
            let observer = Observer::new(folder);
            let forgotten = observer.forget(texts);
            observer.finish();
            forgotten
        };
        if let Err(error) = forgotten {
            log(LogLevel::Warn, &error.to_string());
        }
    }

    /// Writes what was told, before the server ends.
    pub(super) fn finish_observations(&self) {
        self.forget_values();
        if let Some(observer) = self.observer.get() {
            observer.finish();
        }
    }

    /// Has an event recorded that a hook told.
    pub(super) fn note_event(&self, params: &str) {
        let is_known = |event: Event| self.nudge.knows_root(&event.context);
        if let Some(observer) = self.observer.get()
            && serde_json::from_str(params).is_ok_and(is_known)
        {
            observer.note(Noted {
                at: self.nudge.now().timestamp(),
                params: params.to_owned(),
            });
        }
    }

    /// Adds to what an agent is told of an event, from `start` of a response on, what was seen
    /// before: lately when a session starts, and what helped when a command fails.
    pub(super) fn add_seen(&self, params: &str, response: &mut Vec<u8>, start: usize) {
        if self.observer.get().is_none() {
            return;
        }
        let event = serde_json::from_str::<Event>(params).ok();
        let reaction = response.get(start..).unwrap_or_default();
        let reaction = serde_json::from_slice::<Reaction>(reaction).ok();
        let Some((event, mut reaction)) = event.zip(reaction) else {
            return;
        };
        let told = reaction.text.as_deref().unwrap_or_default();
        let more = match event.event {
            EventKind::SessionStart => self.seen_lately(&event, told),
            EventKind::AfterCommand if event.worked() == Some(false) && told.is_empty() => {
                self.helped_before(&event)
            }
            _ => None,
        };
        if let Some(more) = more {
            reaction.text = Some(format!("{told}{more}"));
            response.truncate(start);
            // What was read a moment ago can be written.
            let _ = serde_json::to_writer(response, &reaction);
        }
    }

    /// Up to three lines, as far as a session's start has room, about what it was not told yet.
    fn seen_lately(&self, event: &Event, told: &str) -> Option<String> {
        let facts = event.context.facts();
        let lately = Lately {
            branch: facts.branch.clone(),
            context: event.context.clone(),
        };
        let seen = self.ask(&Caller::user(), &lately).ok()?;
        let now = self.nudge.now().timestamp();
        let age = |at: i64| Age((now - at).max(0));
        let failed = seen.failed.map(|failed| {
            let ending = match failed.worked {
                Some(at) => format!("worked again {} ago", age(at)),
                None => "has not worked since".to_owned(),
            };
            let (command, age) = (&failed.command, age(failed.timestamp));
            (
                format!("`{command}`"),
                format!("Seen here: `{command}` failed {age} ago, {ending}\n"),
            )
        });
        let files = seen
            .files
            .into_iter()
            .filter(|file| !told.contains(&**file));
        let files = files.collect::<Vec<_>>().join(", ");
        let edited =
            (!files.is_empty()).then(|| (files.clone(), format!("Edited last: {files}\n")));
        let asked = seen.prompt.map(|(at, prompt)| {
            let start: String = prompt.chars().take(MOST_OF_PROMPT).collect();
            let line = format!("Asked last, {} ago: {start}\n", age(at));
            (prompt, line)
        });
        let is_emptied = matches!(event.reason.as_deref(), Some("compact" | "clear"));
        let budget = event.budget.unwrap_or(PromptBlock::DEFAULT_BUDGET) as usize;
        let budget = budget * PromptBlock::BYTES_A_TOKEN * if is_emptied { 2 } else { 1 };
        let mut room = budget.saturating_sub(told.len());
        let lines = [failed, edited, asked].into_iter().flatten();
        let lines = lines.filter(|(what, line)| {
            let is_fit = is_plain(line.trim_end()) && line.len() <= MOST_OF_LINE.min(room);
            let is_new = is_fit && !told.contains(&**what);
            room -= if is_new { line.len() } else { 0 };
            is_new
        });
        let lines: String = lines.map(|(_, line)| line).collect();
        (!lines.is_empty()).then_some(lines)
    }

    /// The command that helped here each time that this error came, in one line.
    fn helped_before(&self, event: &Event) -> Option<String> {
        let fix = Fix {
            text: event.output.clone()?,
            context: Some(event.context.clone()),
        };
        let found = self.ask(&Caller::user(), &fix).ok()?.fixes.into_iter();
        let mut found = found.filter(|fix| fix.obs_type == ObsType::Command);
        let helped = found.find(|fix| event.command.as_ref() != Some(&fix.content))?;
        let (command, times) = (&helped.content, helped.times);
        let line = format!("Nudge: [seen {times}×] after this error, `{command}` helped here");
        (line.len() <= MOST_OF_LINE && is_plain(&line)).then_some(line)
    }

    /// Asks what happened, which is nothing where the caller may not ask.
    pub(super) fn ask<Q: Question>(
        &self,
        by: &Caller<'_>,
        question: &Q,
    ) -> Result<Q::Answer, Error> {
        let observer = self.observer()?;
        let is_known = |context| self.nudge.knows_root(context);
        if !by.may_ask_from(question.context()) || !question.context().is_none_or(is_known) {
            return Ok(Q::Answer::default());
        }
        observer.ask(question, self.nudge.now().timestamp())
    }

    /// Says whether observations are recorded where the caller is, or changes that.
    pub(super) fn observe(&self, asked: &Observe) -> Result<Observing, Error> {
        match self.observer() {
            Err(_) if asked.on != Some(true) => Ok(Observing::default()),
            observer => observer?.observe(asked),
        }
    }

    /// Deletes observations.
    pub(super) fn purge(&self, asked: &Purge) -> Result<Purged, Error> {
        self.observer()?.purge(asked)
    }

    pub(super) fn observer(&self) -> Result<&Observer, Error> {
        self.observer.get().ok_or_else(|| {
            let words = "observations are off; write `observe = true` into \
                         `~/.config/nudge-hints/config.toml`, then type `nudge restart`";
            Error::new(ErrorKind::Invalid, words)
        })
    }
}
