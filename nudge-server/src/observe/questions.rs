//! `Here`: the observations of one repository, which is all that a question gets to see.

use nudge::{Error, ErrorKind, Facts};

use super::answers::{Observations, Preview, Scored, ScoredObservation, Timeline};
use super::requests::{GetObservations, GetTimeline, RecentContext};
use crate::store::{ObsType, Observation, Reader};

/// How many characters of an observation a list shows.
const PREVIEW: usize = 120;

/// The most observations that are asked for by their numbers, and around one.
const MOST_IDS: usize = 50;
const MOST_AROUND: u32 = 50;
const USUAL_AROUND: u32 = 5;

/// How many of the latest observations are scored.
const SCORED: u32 = 1000;

/// After how many seconds something matters half as much.
const HALF_LIFE: f64 = 7.0 * 24.0 * 3600.0;

/// The observations of a repository, and where they are asked for.
pub(crate) struct Here<'h> {
    pub(super) past: &'h Reader<'h>,
    pub(super) facts: &'h Facts,
    pub(super) now: i64,
}

impl Here<'_> {
    pub(super) fn observations(&self, asked: &GetObservations) -> Result<Observations, Error> {
        let ids = &asked.ids;
        if ids.is_empty() {
            return Err(invalid("ids array must not be empty; a search finds ids"));
        }
        if ids.len() > MOST_IDS {
            let words = format!("ids: at most {MOST_IDS} at a time, these are {}", ids.len());
            return Err(invalid(&words));
        }
        let mut observations = Vec::new();
        for id in ids {
            observations.extend(self.past.with_number(*id)?);
        }
        Ok(Observations { observations })
    }

    pub(super) fn timeline(&self, asked: &GetTimeline) -> Result<Timeline, Error> {
        let anchor = self.past.with_number(asked.anchor)?.ok_or_else(|| {
            let words = "anchor observation not found in this repository; a search finds ids";
            Error::new(ErrorKind::NotFound, words)
        })?;
        let most = |count: Option<u32>| count.unwrap_or(USUAL_AROUND).min(MOST_AROUND);
        let mut before = self.past.around(&anchor, false, most(asked.before))?;
        before.reverse();
        let after = self.past.around(&anchor, true, most(asked.after))?;
        Ok(Timeline {
            anchor: Some(anchor),
            before,
            after,
        })
    }

    /// Scores by age and kind. Where the question names the repository, that is a part of the
    /// score too; no other one is ever shown.
    pub(super) fn recent(&self, asked: &RecentContext) -> Result<Scored, Error> {
        let latest = self.past.latest(SCORED)?;
        let (by_age, by_kind, by_project) = match asked.project {
            Some(_) => (0.5, 0.3, 0.2),
            None => (0.6, 0.4, 0.0),
        };
        let score = |observation: Observation| {
            #[expect(clippy::cast_precision_loss, reason = "an age in seconds is exact")]
            let age = (self.now - observation.timestamp).max(0) as f64;
            let recency = (-age / HALF_LIFE).exp2();
            let score = recency * by_age + weight(observation.obs_type) * by_kind + by_project;
            ScoredObservation { observation, score }
        };
        let mut observations: Vec<ScoredObservation> = latest.into_iter().map(score).collect();
        // Of equals the later one stays first.
        observations.sort_by(|one, other| other.score.total_cmp(&one.score));
        let mut seen = std::collections::BTreeSet::new();
        observations.retain(|one| {
            let file = &one.observation.file_path;
            file.as_ref().is_none_or(|file| seen.insert(file.clone()))
        });
        observations.truncate(limit(asked.limit, 30, 100) as usize);
        Ok(Scored { observations })
    }
}

pub(super) fn preview(one: Observation) -> Preview {
    Preview {
        id: one.id,
        timestamp: one.timestamp,
        obs_type: one.obs_type,
        content_preview: start(&one.content),
        exit_code: one.exit_code,
        file_path: one.file_path,
        session_id: one.session_id,
        host: one.host,
        matched: None,
        fixed_by: None,
    }
}

/// The start of a text, as a line.
pub(super) fn start(text: &str) -> String {
    let line = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter });
    line.take(PREVIEW).collect()
}

/// How many are wanted: at least one.
pub(super) fn limit(asked: Option<u32>, usual: u32, most: u32) -> u32 {
    asked.unwrap_or(usual).clamp(1, most)
}

pub(super) fn invalid(words: &str) -> Error {
    Error::new(ErrorKind::Invalid, words)
}

/// How much an observation of a kind matters later.
fn weight(kind: ObsType) -> f64 {
    match kind {
        ObsType::FileEdit => 1.0,
        ObsType::Command => 0.67,
        ObsType::SessionCompact => 0.5,
        _ => 0.17,
    }
}
