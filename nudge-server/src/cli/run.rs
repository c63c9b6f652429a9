//! `nudge run`: a command whose ending a person wants counted.

use std::ffi::OsString;
use std::process::{Command, ExitCode};
use std::time::Instant;

use clap::Args;
use nudge::{Did, Event, Operation, Reaction};

use super::output::misused;
use super::shell::SHELL;
use super::terminal::{Terminal, here, read};
use crate::wire::escape::shown;

const HOST: &str = "shell";

/// What a shell answers to a command that it cannot start.
const NOT_FOUND: u8 = 127;
const INTERRUPTED: u8 = 130;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge run -- pnpm test:ci
  alias t='nudge run -- make test'

It ends as the command does. Nothing of what it prints is looked at.")]
pub(crate) struct Run {
    /// The command and what it is given, behind `--`
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    words: Vec<OsString>,
}

impl Run {
    pub(crate) fn run(&self, terminal: &Terminal) -> ExitCode {
        // Who types `nudge run test` may mean the hint of that name.
        let is_behind = std::env::args_os().any(|word| word == "--");
        let Some((program, rest)) = self.words.split_first().filter(|_| is_behind) else {
            let words = "type the command behind `--`, as in `nudge run -- make test`; nothing that \
                         is stored is ever run";
            return misused(words).into();
        };
        let begun = Instant::now();
        let code = match Command::new(program).args(rest).status() {
            // One that a signal ended says nothing.
            Ok(status) => status
                .code()
                .map_or(INTERRUPTED, |code| u8::try_from(code).unwrap_or(1)),
            Err(error) => {
                let program = program.to_string_lossy();
                misused(&format!("`{}` does not start: {error}", shown(&program)));
                NOT_FOUND
            }
        };
        let took = begun.elapsed().as_millis();
        let words = self.words.iter().map(|word| word.to_str());
        // What no text can hold, nobody could be told.
        if let Some(words) = words.collect::<Option<Vec<&str>>>() {
            let words = words.into_iter().map(|word| SHELL.quoted(word));
            let line = words.collect::<Vec<_>>().join(" ");
            tell(terminal, &line, code, u64::try_from(took).ok());
        }
        ExitCode::from(code)
    }
}

/// Tells how a command ended; what cannot be told is no concern of who runs it.
fn tell(terminal: &Terminal, line: &str, code: u8, took: Option<u64>) {
    let Ok(context) = here() else { return };
    let mut event = Event::after_command(line).host(HOST).context(context);
    event.exit_code = Some(code.into());
    event.duration_ms = took;
    let told = terminal.call_here(Operation::OnEvent, &event);
    let told = told.and_then(|told| read::<Reaction>(&told));
    for did in told.map(|told| told.did).unwrap_or_default() {
        let words = match did {
            Did::Bumped(name) => format!("counted for {name}"),
            Did::Failed(name) => format!("counted against {name}"),
            Did::Learned(name) => format!("learned {name}"),
            _ => continue,
        };
        terminal.out.note(&shown(&words));
    }
}
