//! `nudge hook` and `nudge statusline`

use std::process::ExitCode;

use clap::Args;

use crate::hook;

#[derive(Debug, Args)]
#[command(after_help = "A host runs this; `nudge install --hooks` wires it.
It reads the host's event as JSON from stdin and prints what the agent is to know, or nothing.
It takes at most 150 ms, and 300 more where a session starts without a server.
Exit status: always 0, for some hosts take anything else for a veto.")]
pub(crate) struct Hook {
    /// claude, codex, gemini, cursor, opencode, copilot, or generic for any other harness
    #[arg(value_name = "HOST")]
    host: Option<String>,
    /// The event, where the host's JSON does not name it
    #[arg(value_name = "EVENT")]
    event: Option<String>,
    /// What is not known is passed over
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    more: Vec<String>,
}

impl Hook {
    pub(crate) fn run(&self) -> ExitCode {
        hook::run(self.host.iter().chain(&self.event).cloned().collect())
    }
}

#[derive(Debug, Args)]
#[command(after_help = "A host runs this; in the settings of Claude Code:
  \"statusLine\": {\"type\": \"command\", \"command\": \"nudge statusline\"}
It counts the hints that apply in the folder that the host names in the JSON on stdin, names the
files that its session works on and the newest proposal that waits there, with its reason and what
stands today, and counts the told lines that were heeded today. What is zero is left out.
It takes at most 150 ms and never starts a server.
Exit status: always 0.")]
pub(crate) struct StatusLine {}
