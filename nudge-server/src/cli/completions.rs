//! `nudge completions`: the script for a shell, and what that script asks.
//!
//! The script hands the words that were typed so far to `nudge completions SHELL --`,
//! and prints what comes back. What is stored may be anything, so no shell ever
//! evaluates it: each gets it as data and in its own quotes.

mod names;
mod quote;
mod typed;
mod values;

use std::borrow::Cow;
use std::ffi::OsString;

use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::engine::{CompletionCandidate, complete};

use self::typed::Typed;
use super::Cli;
use super::escape::shown;
use super::output::{Exit, written_out};

#[derive(Debug, Args)]
#[command(
    after_help = "Names of components and keys come from the server that runs; none is started.

To have it in every new shell:
  bash        echo 'source <(nudge completions bash)' >> ~/.bashrc
  zsh         echo 'source <(nudge completions zsh)' >> ~/.zshrc      (after compinit)
  fish        nudge completions fish > ~/.config/fish/completions/nudge.fish
  PowerShell  nudge completions powershell >> $PROFILE"
)]
pub(crate) struct Completions {
    /// bash, zsh, fish or powershell
    #[arg(hide_possible_values = true)]
    shell: Shell,
    /// What was typed so far, as the script has it
    #[arg(last = true, hide = true)]
    typed: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
    Powershell,
}

impl Completions {
    /// Prints the script, or what the words may go on with. A person who typed
    /// them is not told of failures: they would stand in the middle of the line.
    pub(crate) fn run(&self) -> Exit {
        if self.typed.is_empty() {
            return written_out(self.shell.script());
        }
        let given = self.typed.iter().map(|word| word.to_string_lossy());
        let given: Vec<String> = given.map(Cow::into_owned).collect();
        let typed = match self.shell {
            Shell::Bash => Typed::in_bash(&given),
            Shell::Zsh => Some(Typed::words(given)),
            Shell::Fish => Typed::in_fish(given),
            Shell::Powershell => Typed::in_powershell(given),
        };
        let Some(typed) = typed else {
            return Exit::Done;
        };
        let found = candidates(&typed);
        let lines = found
            .iter()
            .filter_map(|candidate| self.line(&typed, candidate));
        let lines: String = lines.map(|line| line + "\n").collect();
        written_out(&lines)
    }

    /// A candidate as the script reads it; `None` for one that cannot be offered.
    fn line(&self, typed: &Typed, candidate: &CompletionCandidate) -> Option<String> {
        let value = candidate.get_value().to_str()?;
        let help = candidate.get_help().map(ToString::to_string);
        let help = help.unwrap_or_default();
        let help = shown(help.lines().next().unwrap_or_default()).into_owned();
        // What a terminal would act upon is no name that anybody wants to type.
        if shown(value) != value {
            return None;
        }
        match self.shell {
            Shell::Bash => {
                let rest = value.strip_prefix(typed.kept.as_str())?;
                quote::bash(rest, typed.open)
            }
            // Fish leaves it unquoted, and then it is somebody's home.
            Shell::Fish if value.starts_with('~') => None,
            Shell::Zsh | Shell::Fish => Some(format!("{value}\t{help}")),
            Shell::Powershell => Some(format!("{}\t{value}\t{help}", quote::powershell(value))),
        }
    }
}

impl Shell {
    fn script(self) -> &'static str {
        match self {
            Shell::Bash => include_str!("completions/nudge.bash"),
            Shell::Zsh => include_str!("completions/nudge.zsh"),
            Shell::Fish => include_str!("completions/nudge.fish"),
            Shell::Powershell => include_str!("completions/nudge.ps1"),
        }
    }
}

/// What the last word may go on with.
fn candidates(typed: &Typed) -> Vec<CompletionCandidate> {
    let words: Vec<OsString> = typed.words.iter().map(OsString::from).collect();
    let Some(last) = words.len().checked_sub(1) else {
        return Vec::new();
    };
    let mut command = Cli::command();
    // All flags of all commands, which are otherwise laid out when they are needed.
    command.build();
    let mut command = values::known(command, &typed.words);
    let cwd = std::env::current_dir().ok();
    let found = complete(&mut command, words, last, cwd.as_deref()).unwrap_or_default();
    let current = typed.words.last().map_or("", String::as_str);
    let is_flag = |candidate: &CompletionCandidate| {
        candidate.get_value().as_encoded_bytes().starts_with(b"-")
    };
    // Flags are for who begins one, or has nothing else to choose from.
    let is_one_wanted = current.starts_with('-') || found.iter().all(is_flag);
    let wanted = |candidate: &CompletionCandidate| is_one_wanted || !is_flag(candidate);
    found.into_iter().filter(wanted).collect()
}
