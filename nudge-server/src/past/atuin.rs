//! The history of Atuin: a row for each command, with its status.

use std::path::Path;

use nudge::{Context, Event};

use super::Reading;
use crate::primary::past::PastEvent;
use crate::store::AtuinCommand;

/// The newest commands that are read, and the longest of them.
const COMMANDS: u32 = 50_000;
const COMMAND: u32 = 8 * 1024;

const NANOS: i64 = 1_000_000_000;

pub(super) fn read(path: &Path, reading: &mut Reading) {
    let commands = reading.rows(path, |history| history.atuin_commands(COMMANDS, COMMAND));
    reading.told.extend(commands.into_iter().map(told));
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
