//! `Answers`: the last call of each client that changed something, and what it was answered.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use nudge::{Change, ChangeKind, Error, ErrorKind, Name};
use serde_json::Deserializer;
use serde_json::value::RawValue;

use super::record::Answered;

/// How many clients are remembered.
pub(super) const KEPT: usize = 1024;

/// The most bytes of one answer that are kept, and of all together.
pub(super) const MOST_OF_ONE: usize = 64 * 1024;
pub(super) const MOST_OF_ALL: usize = 4 * 1024 * 1024;

/// The clients with the last call of each.
///
/// A call that is repeated because its answer was lost gets it from here, so that
/// nothing is done twice.
#[derive(Debug, Default)]
pub(super) struct Answers {
    by_client: HashMap<Arc<str>, Kept>,
    /// The clients by when they last called.
    by_turn: BTreeMap<u64, Arc<str>>,
    turn: u64,
    /// The bytes of the answers, or more: what goes is seen when there are too many.
    bytes: usize,
}

/// The last call of a client.
#[derive(Debug)]
struct Kept {
    number: u64,
    /// Absent where it showed what is gone.
    result: Option<Box<RawValue>>,
    /// The slots that the result shows.
    shows: Vec<(Name, Name)>,
    /// Whether the result must not be written.
    is_private: bool,
    /// Whether it shows what was replaced, so that it goes with the next compaction.
    is_stale: bool,
    turn: u64,
}

/// What a change does to the value that stood in its slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is gone, and nothing may tell of it in a second.
    Gone,
    /// It was replaced, and may stay until the next compaction.
    Replaced,
}

impl Fate {
    /// What a change does, if anything.
    pub(super) fn of(change: &Change) -> Option<Fate> {
        match &change.kind {
            ChangeKind::Delete(_) | ChangeKind::Clear => Some(Fate::Gone),
            ChangeKind::Set { before, hint, .. } if hint.is_secret() && *before > 0 => {
                Some(Fate::Gone)
            }
            ChangeKind::Set {
                value_changed: true,
                ..
            }
            | ChangeKind::Expire(_)
            | ChangeKind::Dismiss { .. } => Some(Fate::Replaced),
            _ => None,
        }
    }
}

/// The client and the number of a request id: `<client>-<number>`. Another id is a
/// client of its own.
pub(super) fn split(id: &str) -> (&str, u64) {
    id.rsplit_once('-')
        .filter(|(client, digits)| !client.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
        .and_then(|(client, digits)| Some((client, digits.parse().ok()?)))
        .unwrap_or((id, 0))
}

impl Answers {
    /// What a call was answered, or why it cannot be answered again; `None` where it was
    /// not made.
    pub(super) fn get(&self, id: &str) -> Option<Result<Box<RawValue>, Error>> {
        let (client, number) = split(id);
        let kept = self.by_client.get(client)?;
        let words = match &kept.result {
            _ if kept.number < number => return None,
            Some(result) if kept.number == number => return Some(Ok(result.clone())),
            None if kept.number == number => {
                "the call was made; its answer is gone, ask again".to_owned()
            }
            _ => format!(
                "the call {} of this client was made before; number each call higher than the last",
                kept.number
            ),
        };
        Some(Err(Error::new(ErrorKind::Unavailable, words)))
    }

    /// Keeps the answer of a client's last call. Of too many clients the one that called
    /// longest ago is forgotten.
    pub(super) fn keep(
        &mut self,
        (client, number): (&str, u64),
        result: Option<Box<RawValue>>,
        is_private: bool,
    ) {
        self.turn += 1;
        let client: Arc<str> = client.into();
        let result = result.filter(|result| result.get().len() <= MOST_OF_ONE);
        self.bytes += result.as_ref().map_or(0, |result| result.get().len());
        let kept = Kept {
            number,
            shows: result.as_deref().map(shows).unwrap_or_default(),
            result,
            is_private,
            is_stale: false,
            turn: self.turn,
        };
        if let Some(before) = self.by_client.insert(Arc::clone(&client), kept) {
            self.by_turn.remove(&before.turn);
        }
        self.by_turn.insert(self.turn, client);
        if self.by_client.len() > KEPT
            && let Some((_, oldest)) = self.by_turn.pop_first()
        {
            self.by_client.remove(&oldest);
        }
        if self.bytes > MOST_OF_ALL {
            self.bytes = self.shed();
        }
    }

    /// Lets the oldest answers go, down to half of what may be kept, and counts the others.
    fn shed(&mut self) -> usize {
        let mut bytes = 0;
        for client in self.by_turn.values().rev() {
            let Some(kept) = self.by_client.get_mut(client) else {
                continue;
            };
            let length = kept.result.as_ref().map_or(0, |result| result.get().len());
            kept.forget_if(bytes + length > MOST_OF_ALL / 2);
            bytes += kept.result.as_ref().map_or(0, |_| length);
        }
        bytes
    }

    /// Forgets what changes have made of values that answers show.
    pub(super) fn follow<'c>(&mut self, changes: impl IntoIterator<Item = &'c Change>) {
        let (mut gone, mut replaced, mut is_cleared) = (Vec::new(), Vec::new(), false);
        for change in changes {
            is_cleared |= change.kind == ChangeKind::Clear;
            let slots = match Fate::of(change) {
                Some(Fate::Gone) => &mut gone,
                Some(Fate::Replaced) => &mut replaced,
                None => continue,
            };
            slots.extend(change.kind.slot());
        }
        if gone.is_empty() && replaced.is_empty() && !is_cleared {
            return;
        }
        gone.sort_unstable();
        replaced.sort_unstable();
        for kept in self.by_client.values_mut() {
            let shows = |slots: &[(&Name, &Name)]| {
                let mut shown = kept.shows.iter();
                shown.any(|(component, key)| slots.binary_search(&(component, key)).is_ok())
            };
            let is_gone = shows(&gone) || (is_cleared && !kept.shows.is_empty());
            kept.is_stale |= shows(&replaced);
            kept.forget_if(is_gone);
        }
    }

    /// Forgets what shows values that were replaced.
    pub(super) fn compact(&mut self) {
        for kept in self.by_client.values_mut() {
            kept.forget_if(kept.is_stale);
        }
    }

    /// What may be written of them, the client first that called longest ago.
    pub(super) fn writable(&self) -> impl Iterator<Item = Answered<'_>> {
        self.by_turn.values().filter_map(|client| {
            let kept = self.by_client.get(client)?;
            Some(Answered {
                client,
                number: kept.number,
                result: kept.result.as_deref().filter(|_| !kept.is_private),
            })
        })
    }
}

impl Kept {
    fn forget_if(&mut self, is_gone: bool) {
        if is_gone {
            self.result = None;
            self.shows = Vec::new();
        }
    }
}

/// The slots that an answer shows: wherever a component stands, its key comes next.
fn shows(result: &RawValue) -> Vec<(Name, Name)> {
    let name = |json: &str| {
        let mut names = Deserializer::from_str(json).into_iter::<Name>();
        let name = names.next()?.ok()?;
        Some((name, names.byte_offset()))
    };
    let slot = |json: &str| {
        let (component, end) = name(json)?;
        let json = json.get(end..)?.strip_prefix(r#","key":"#)?;
        Some((component, name(json)?.0))
    };
    let places = result.get().split(r#""component":"#).skip(1);
    places.filter_map(slot).collect()
}
