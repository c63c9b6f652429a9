//! A store whose journal is in a temporary folder, on a clock that stands.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use nudge::{
    Answer, Caller, Change, Config, Error, Export, ManualClock, Nudge, Request, Sink, WithSecrets,
};
use serde::Serialize;
use serde_json::json;
use serde_json::value::to_raw_value;
use tempfile::TempDir;

use super::super::{Journal, Recovered};

/// A session as a PRIMARY has it.
pub(super) struct Session {
    pub(super) nudge: Nudge,
    pub(super) journal: Arc<Journal>,
    clock: Arc<ManualClock>,
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

/// An empty folder of our own, and a new session in it.
pub(super) fn begin() -> (TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    let session = Session::begin(folder.path());
    (folder, session)
}

/// The session that goes on after its PRIMARY died.
pub(super) fn recover(folder: &TempDir) -> Session {
    Session::recover(folder.path(), 0).unwrap()
}

pub(super) fn path(folder: &TempDir) -> PathBuf {
    folder.path().join("session.journal")
}

pub(super) fn bytes(folder: &TempDir) -> Vec<u8> {
    fs::read(path(folder)).unwrap()
}

/// Whether the file says a word.
pub(super) fn says(folder: &TempDir, word: &str) -> bool {
    String::from_utf8(bytes(folder)).unwrap().contains(word)
}

pub(super) fn start() -> DateTime<Utc> {
    DateTime::from_timestamp_millis(1_762_250_400_000).unwrap()
}

impl Session {
    /// A new session in a folder.
    pub(super) fn begin(folder: &Path) -> Session {
        let settings = json!({"linger": "P4D"});
        Session::with(Journal::begin(folder, "s-1", start(), settings))
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

    /// The session of a folder, hours after the start, if there is one.
    pub(super) fn recover(folder: &Path, hours: i64) -> Option<Session> {
        let now = start() + TimeDelta::hours(hours);
        let (journal, recovered) = Journal::recover(folder, now).unwrap()?;
        assert_eq!(recovered.session_id, "s-1");
        assert_eq!(recovered.notices, [""; 0]);
        assert_eq!(recovered.settings, Some(json!({"linger": "P4D"})));
        Some(Session::with(journal).following(recovered, hours))
    }

    /// Goes on where another session was.
    pub(super) fn following(self, recovered: Recovered, hours: i64) -> Session {
        self.turn(hours);
        let created_at = recovered.created_at;
        self.nudge.resume(created_at, recovered.last_change);
        self.nudge.replay(recovered.changes);
        self
    }

    /// The store without secrets, as JSON.
    pub(super) fn export(&self) -> String {
        let exported = self.nudge.export(Export::new()).unwrap();
        serde_json::to_string(&WithSecrets(exported.payload)).unwrap()
    }

    /// Makes a call in the name of a request id, as a surface does.
    pub(super) fn call<T: Serialize>(
        &self,
        id: &str,
        call: impl FnOnce(&Nudge, &Caller<'_>) -> Result<T, Error>,
    ) -> Result<String, Error> {
        let by = Caller::user().request(id);
        let answer = self.journal.once(id, || {
            Ok(to_raw_value(&WithSecrets(call(&self.nudge, &by)?)).unwrap())
        });
        answer.map(|answer: Box<_>| answer.get().to_owned())
    }

    /// Asks something in the name of a request id.
    pub(super) fn ask<R: Request<Nudge>>(&self, id: &str, request: R) -> Result<String, Error> {
        self.call(id, |nudge, by| nudge.ask(by, request))
    }

    /// Rewrites the journal.
    pub(super) fn compact(&self) {
        self.nudge
            .standing(|changes| self.journal.compact(&changes));
    }

    /// Turns the clock to some hours after the start.
    pub(super) fn turn(&self, hours: i64) {
        self.clock.set(start() + TimeDelta::hours(hours));
    }
}
