//! `Answers`: the last calls that changed something, and what they were answered.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use serde_json::value::RawValue;

use super::record::Answered;

/// How many are kept.
pub(super) const KEPT: usize = 256;

/// The last request ids with their results, oldest first.
///
/// A call that is repeated because its answer was lost gets it from here, so
/// that nothing is done twice.
#[derive(Debug, Default)]
pub(super) struct Answers {
    by_id: HashMap<Arc<str>, Kept>,
    oldest_first: VecDeque<Arc<str>>,
}

/// One of them.
#[derive(Debug)]
struct Kept {
    result: Box<RawValue>,
    /// Whether the result holds a secret, so that it stays in this process.
    is_secret: bool,
}

impl Answers {
    /// What a call was answered.
    pub(super) fn get(&self, id: &str) -> Option<&RawValue> {
        self.by_id.get(id).map(|kept| &*kept.result)
    }

    /// Keeps an answer, in the place of the oldest one when there are enough.
    pub(super) fn keep(&mut self, id: String, result: Box<RawValue>, is_secret: bool) {
        let id: Arc<str> = id.into();
        let kept = Kept { result, is_secret };
        if self.by_id.insert(Arc::clone(&id), kept).is_none() {
            self.oldest_first.push_back(id);
        }
        if self.oldest_first.len() > KEPT
            && let Some(oldest) = self.oldest_first.pop_front()
        {
            self.by_id.remove(&oldest);
        }
    }

    /// Those that may be written, oldest first.
    pub(super) fn writable(&self) -> impl Iterator<Item = Answered> {
        let all = self.oldest_first.iter().filter_map(|id| {
            let kept = self.by_id.get(id)?;
            Some((id, kept))
        });
        all.filter(|(_, kept)| !kept.is_secret)
            .map(|(id, kept)| Answered {
                id: id.to_string(),
                result: kept.result.clone(),
            })
    }
}
