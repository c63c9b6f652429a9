//! A store whose journal is in a temporary folder, on a clock that stands.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use nudge::{Answer, Caller, Change, Config, Error, Export, ManualClock, Nudge, Sink, WithSecrets};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use tempfile::TempDir;

use super::super::{Journal, Recovered};

/// A session as a PRIMARY has it.
pub(super) struct Session {
    pub(super) nudge: Nudge,
    pub(super) journal: Arc<Journal>,
    pub(super) clock: Arc<ManualClock>,
}

/// A journal that a store and a test share.
struct Shared(Arc<Journal>);

impl Sink for Shared {
    fn accept(
        &self,
        by: &Caller<'_>,
        changes: &[Change],
        answer: &Answer<'_>,
    ) -> Result<(), Error> {
        self.0.accept(by, changes, answer)
    }
}

/// An empty folder of our own.
pub(super) fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

pub(super) fn path(folder: &TempDir) -> PathBuf {
    folder.path().join("journal")
}

pub(super) fn bytes(folder: &TempDir) -> Vec<u8> {
    fs::read(path(folder)).unwrap()
}

pub(super) fn start() -> DateTime<Utc> {
    DateTime::from_timestamp_millis(1_762_250_400_000).unwrap()
}

impl Session {
    /// A new session in a folder.
    pub(super) fn begin(folder: &Path) -> Session {
        Session::with(Journal::begin(folder, "s-1", start()))
    }

    pub(super) fn with(journal: Journal) -> Session {
        let journal = Arc::new(journal);
        let clock = Arc::new(ManualClock::at(start()));
        let config = Config {
            session_id: Some("s-1".into()),
            ..Config::default()
        };
        let nudge = Nudge::new(config)
            .with_clock(Arc::clone(&clock))
            .with_sink(Shared(Arc::clone(&journal)));
        Session {
            nudge,
            journal,
            clock,
        }
    }

    /// The session that goes on after its PRIMARY died, if it counts.
    pub(super) fn take_over(folder: &Path) -> Option<Session> {
        Session::take_over_at(folder, 0)
    }

    /// The same, hours after the start.
    pub(super) fn take_over_at(folder: &Path, hours: i64) -> Option<Session> {
        let now = start() + TimeDelta::hours(hours);
        let (journal, recovered) = Journal::take_over(folder, now, true).unwrap()?;
        let session = Session::following(journal, recovered);
        session.turn(hours);
        Some(session)
    }

    fn following(journal: Journal, recovered: Recovered) -> Session {
        let session = Session::with(journal);
        assert_eq!(recovered.session_id, "s-1");
        session
            .nudge
            .resume(recovered.created_at, recovered.last_change);
        session.nudge.replay(recovered.changes);
        session
    }

    /// The store without secrets, as JSON.
    pub(super) fn export(&self) -> String {
        export(&self.nudge)
    }

    /// Makes a call in the name of a request id, as a door does.
    pub(super) fn call<T: Serialize>(
        &self,
        id: &str,
        call: impl FnOnce(&Nudge, &Caller<'_>) -> Result<T, Error>,
    ) -> Result<Box<RawValue>, Error> {
        let by = Caller::user().request(id);
        self.journal.once(id, || {
            Ok(to_raw_value(&WithSecrets(call(&self.nudge, &by)?)).unwrap())
        })
    }

    /// Turns the clock to some hours after the start.
    pub(super) fn turn(&self, hours: i64) {
        self.clock.set(start() + TimeDelta::hours(hours));
    }
}

pub(super) fn export(nudge: &Nudge) -> String {
    let exported = nudge.export(Export::new()).unwrap();
    serde_json::to_string(&WithSecrets(exported.payload)).unwrap()
}
