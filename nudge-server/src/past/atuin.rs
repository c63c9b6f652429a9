//! The history of Atuin: a row for each command, with its status.

use std::path::Path;

use nudge::{Context, Event};

use super::{Reading, UNKNOWN, UNREADABLE};
use crate::primary::past::PastEvent;
use crate::store::{AtuinCommand, Foreign};

/// The newest commands that are read, and the longest of them.
const COMMANDS: u32 = 50_000;
const COMMAND: u32 = 8 * 1024;

const NANOS: i64 = 1_000_000_000;

/// Reads the history in a file.
pub(super) fn read(path: &Path, reading: &mut Reading) {
    let Some(history) = Foreign::open(path) else {
        return reading.leave(UNREADABLE);
    };
    match history.atuin_commands(COMMANDS, COMMAND) {
        Some(commands) => {
            reading.told.extend(commands.into_iter().map(told));
            reading.files = 1;
        }
        None => reading.leave(UNKNOWN),
    }
}

fn told((begun, took, code, command, cwd, session): AtuinCommand) -> PastEvent {
    let event = Event::after_command(command).host("atuin").session(session);
    let mut event = event.context(Context::new().cwd(cwd));
    // Of a command that has not ended, or whose end was missed, both are less than 0.
    if took >= 0 && code >= 0 {
        event.exit_code = Some(code);
        event.duration_ms = u64::try_from(took / 1_000_000).ok();
    }
    PastEvent {
        timestamp: begun.saturating_add(took.max(0)) / NANOS,
        event,
    }
}
