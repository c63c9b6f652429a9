//! `nudge init`: what a shell evaluates when it starts.

use clap::Args;

use super::completions::Completions;
use super::output::{Exit, misused, written_out};

/// Zsh knows how to complete only after this.
const ZSH: &str = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n";

#[derive(Debug, Args)]
#[command(
    after_help = "Put one of these lines into the file that your shell reads when it starts:
  eval \"$(nudge init bash)\"        ~/.bashrc
  eval \"$(nudge init zsh)\"         ~/.zshrc
  nudge init fish | source         ~/.config/fish/config.fish"
)]
pub(crate) struct Init {
    /// bash, zsh or fish
    #[arg(value_parser = ["bash", "zsh", "fish"], hide_possible_values = true)]
    shell: Option<String>,
}

impl Init {
    /// Prints the script.
    pub(crate) fn run(&self) -> Exit {
        let Some(shell) = &self.shell else {
            return misused(
                "say for which shell: `nudge init bash`, `zsh` or `fish`; `nudge install` adds \
                 Nudge to your coding agents",
            );
        };
        let first = if shell == "zsh" { ZSH } else { "" };
        written_out(&format!("{first}{}", Completions::of(shell).script()))
    }
}
