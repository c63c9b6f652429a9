//! `nudge statusline`

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "A host runs this; in the settings of Claude Code:
  \"statusLine\": {\"type\": \"command\", \"command\": \"nudge statusline\"}
It counts the hints that apply in the folder that the host names in the JSON on stdin, names the
files that its session works on and the newest proposal that waits there, with its reason and what
stands today, and counts the told lines that were heeded today. What is zero is left out.
It takes at most 150 ms and never starts a server.
Exit status: always 0.")]
pub(crate) struct StatusLine {}
