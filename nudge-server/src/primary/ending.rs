//! How a server ends, and its session; and what can be brought back.

use std::sync::atomic::Ordering;
use std::time::Instant;

use nudge::{Actor, Caller, Error, ErrorKind, Export, Imported, Nudge};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Primary;
use super::recovery::as_json;
use crate::config::{GUARD_IS_OFF, LogLevel, SessionSettings};
use crate::log::log;
use crate::store::{End, Memory};

/// Asks the server to end, and its session with it.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Stop {
    /// Delete permanently what ends, and what ended before. Default false.
    purge: Option<bool>,
}

/// The server is ending, and its session with it.
#[derive(Debug, Serialize, JsonSchema)]
#[expect(clippy::struct_field_names, reason = "they are words of the wire")]
pub(super) struct Stopped {
    stopped: bool,
    /// How many hints ended with the session.
    ended: usize,
    /// Of those, how many are secrets, which do not come back.
    secrets: usize,
    /// How many hints stay, because they are kept or have a time of their own, as far as the
    /// caller may read them.
    kept: usize,
    /// Of those, how many have a time of their own.
    until: usize,
}

/// Asks the server to make way for another.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Restart {
    /// How the session is set up from now on; as it was when absent.
    settings: Option<SessionSettings>,
}

/// The server is ending, and its session goes on.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Restarting {
    restarting: bool,
}

/// Asks for the hints of the session that ended last.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Restore {}

/// Asks for the user's last delete or overwrite to be taken back.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Undo {}

impl Primary {
    /// Ends the session; others than the user only one with which nothing ends but their own.
    pub(super) fn end(&self, by: &Caller<'_>, stop: Stop) -> Result<Stopped, Error> {
        let purges = stop.purge.unwrap_or_default();
        let ending = self.nudge.ending(by);
        if !by.is_user() && (purges || ending.of_others > 0) {
            let words = "only the user may end a session with which hints of others end; ask the \
                         user to run `nudge stop`";
            return Err(Error::new(ErrorKind::Forbidden, words));
        }
        self.ends(if purges { End::Purged } else { End::Stopped })?;
        Ok(Stopped {
            stopped: true,
            ended: ending.ended,
            secrets: ending.secrets,
            kept: ending.kept,
            until: ending.until,
        })
    }

    /// Makes way for another server of the session. The settings are written down before
    /// this one ends, so that whatever happens there are some.
    pub(super) fn restart(&self, restart: Restart) -> Result<Restarting, Error> {
        if let (Some(settings), Some(memory)) = (restart.settings, self.memory()) {
            memory.set_settings(&as_json(&settings), &self.client_key)?;
        }
        self.stop();
        Ok(Restarting { restarting: true })
    }

    /// Merges what ended with the last session into this one.
    pub(super) fn restore(&self, by: &Caller<'_>) -> Result<Imported, Error> {
        let nothing = || {
            let words = "no session has ended that could be brought back; one that was stopped can be \
                         for ten minutes, one that nobody used for a week";
            Error::new(ErrorKind::NotFound, words)
        };
        let memory = self.memory().ok_or_else(nothing)?;
        let ended = memory.ended_hints(self.nudge.now())?;
        if ended.is_empty() {
            return Err(nothing());
        }
        let old = Nudge::new(self.settings.config());
        old.replay_kinds(ended);
        let brought = self
            .nudge
            .bring_back(by, old.export(Export::default())?.payload)?;
        // What was refused can be had once there is room for it.
        if brought.problems.is_empty() {
            memory.forget_ended()?;
        }
        Ok(brought)
    }

    /// Asks the server to end the session, because nobody has used it for so long.
    pub(super) fn end_lingering(&self) {
        if let Err(error) = self.ends(End::Lingered) {
            log(LogLevel::Warn, &error.to_string());
        }
    }

    /// Ends the session in the memory at once, so that nobody goes on with it, and asks the
    /// server to end.
    fn ends(&self, end: End) -> Result<(), Error> {
        let now = self.nudge.now();
        // While nobody writes: what is acknowledged later belongs to the next session.
        self.nudge
            .standing(|_| self.memory().map_or(Ok(()), |memory| memory.end(end, now)))?;
        self.is_over.store(true, Ordering::Release);
        // Whoever looks from now on finds no session to go on with.
        let path = self.folder.as_ref().map(|folder| folder.join("server.pid"));
        let _ = path.map(std::fs::remove_file);
        self.stop();
        Ok(())
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Whether the next server would have everything that this one has.
    pub(super) fn can_be_left(&self) -> bool {
        !self.nudge.holds_secrets() && self.memory().is_some_and(|it| it.file().is_complete())
    }

    /// Waits until there is something to do with the memory.
    pub(super) async fn memory_is_due(&self) {
        loop {
            match self.memory().and_then(Memory::due) {
                Some(due) if due <= Instant::now() => return,
                Some(due) => tokio::time::sleep_until(due.into()).await,
                None => self.due.notified().await,
            }
        }
    }

    pub(super) fn tidy_memory(&self) {
        if let Some(memory) = self.memory() {
            memory.file().tidy(self.nudge.now());
        }
        self.forget_values();
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        let alone = self.is_alone.then(|| {
            "no server could be started, so these hints are this process's alone and end with it"
                .to_owned()
        });
        let guard = (!self.settings.secret_guard).then(|| GUARD_IS_OFF.to_owned());
        let memory = self.memory().and_then(|it| it.file().warning.clone());
        let memory = memory.or_else(|| self.fullness());
        let observer = self.observer.get().and_then(|it| it.warning());
        let all = alone.into_iter().chain(self.folder_warning.clone());
        all.chain(guard).chain(memory).chain(observer).collect()
    }

    /// That agents can add nothing more, where the rest of the store is the user's alone, or that
    /// nobody can.
    pub(super) fn fullness(&self) -> Option<String> {
        let full = self.nudge.reached(&Caller::user());
        let limit = full.or_else(|| self.nudge.reached(&Caller::user().actor(Actor::Agent)))?;
        let (share, who) = match full {
            Some(_) => ("", "nobody adds anything"),
            None => ("nine tenths ", "agents add nothing"),
        };
        let learned = match limit {
            "bytes" => ", and nothing is learned",
            _ => "",
        };
        Some(format!(
            "the store is {share}full: {who} more{learned}; delete what is not needed, \
             or raise the limit by `nudge restart --max-{limit} N`"
        ))
    }
}
