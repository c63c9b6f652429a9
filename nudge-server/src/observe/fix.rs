//! `fix`: what was done after an error, each time before it was gone.

use std::collections::{BTreeMap, BTreeSet};

use nudge::{Error, command_words, only_looks};

use super::answers::{Fixes, FoundFix};
use super::error_words::ErrorWords;
use super::questions::{Here, invalid};
use super::requests::Fix;
use super::search::quoted;
use crate::store::{ObsType, Observation};

/// How many failures are compared with the error.
const CANDIDATES: u32 = 50;

const TOLD: usize = 5;

/// How often something must have helped.
const SEEN: usize = 2;

/// How much may be done between an error and the success after it.
const STEPS: u32 = 50;

/// The longest text that is looked at, from its end.
const LONGEST: usize = 64 * 1024;

impl Here<'_> {
    pub(super) fn fix(&self, asked: &Fix) -> Result<Fixes, Error> {
        let from = asked.text.len().saturating_sub(LONGEST);
        let text = asked.text.get(asked.text.ceil_char_boundary(from)..);
        let error = ErrorWords::of(text.unwrap_or_default());
        let words = error.telling();
        let words: Vec<String> = words.filter_map(|word| quoted(word, false)).collect();
        if words.is_empty() {
            return Err(invalid(
                "text: there is no error in it; give what the command printed",
            ));
        }
        // Only failures have an output.
        let question = format!("output : ({})", words.join(" OR "));
        let failures = self.past.matching(&question, None, (CANDIDATES, 0))?;
        let is_same = |failure: &Observation| {
            let output = failure.output.as_deref().unwrap_or_default();
            error.is_like(&ErrorWords::of(output))
        };
        let mut failures: Vec<Observation> = failures.into_iter().filter(is_same).collect();
        if failures.is_empty() {
            failures = self.failures_of(&asked.text)?;
        }
        // Of several failures before a success only the last shows what helped.
        let mut by_success: BTreeMap<i64, Observation> = BTreeMap::new();
        for failure in failures {
            let Some(success) = self.past.next_success(&failure)? else {
                continue;
            };
            let success = success.id;
            let known = by_success.get(&success).map(|known| known.id);
            if known.is_none_or(|known| known < failure.id) {
                by_success.insert(success, failure);
            }
        }
        let mut fixes: BTreeMap<String, FoundFix> = BTreeMap::new();
        for (success, failure) in &by_success {
            for fix in self.steps_between(failure, *success)? {
                let times = fixes.get(&fix.content).map_or(1, |known| known.times + 1);
                fixes.insert(fix.content.clone(), FoundFix { times, ..fix });
            }
        }
        let mut fixes: Vec<FoundFix> = fixes.into_values().collect();
        fixes.retain(|fix| fix.times >= SEEN);
        fixes.sort_by_key(|fix| std::cmp::Reverse((fix.times, fix.observation_id)));
        fixes.truncate(TOLD);
        Ok(Fixes {
            seen: by_success.len(),
            fixes,
        })
    }

    /// The failures of a command, where that is what was given: a formatter that finds something
    /// prints no word of an error.
    fn failures_of(&self, command: &str) -> Result<Vec<Observation>, Error> {
        let words = command_words(command.trim());
        let quoted = words
            .iter()
            .flatten()
            .filter_map(|word| quoted(word, false));
        let question: Vec<String> = quoted.collect();
        if question.is_empty() {
            return Ok(Vec::new());
        }
        let question = format!("content : ({})", question.join(" AND "));
        let failed = Some(ObsType::CommandError);
        let mut found = self.past.matching(&question, failed, (CANDIDATES, 0))?;
        found.retain(|failure| command_words(&failure.content) == words);
        Ok(found)
    }

    /// What was run with success or changed between a failure and a success, each once.
    pub(super) fn steps_between(
        &self,
        failure: &Observation,
        success: i64,
    ) -> Result<Vec<FoundFix>, Error> {
        let steps = self.past.steps_between(failure, success, STEPS)?;
        let steps = steps.into_iter().map(|step| FoundFix {
            observation_id: step.id,
            timestamp: step.timestamp,
            obs_type: step.obs_type,
            content: step.file_path.unwrap_or(step.content),
            times: 1,
            session_id: failure.session_id.clone(),
            command: failure.content.clone(),
        });
        let mut steps: Vec<FoundFix> = steps.collect();
        let mut seen = BTreeSet::new();
        steps.retain(|step| {
            let looks = step.obs_type == ObsType::Command && only_looks(&step.content);
            !looks && seen.insert(step.content.clone())
        });
        Ok(steps)
    }
}
