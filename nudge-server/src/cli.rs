//! The terminal's room: the commands, and how each of them ends.

mod bump;
mod context_flags;
mod delete;
mod escape;
mod export;
mod failure;
mod flags;
mod get;
mod import;
mod indent;
mod later;
mod ls;
mod meta_flags;
mod output;
mod pretty;
mod pretty_status;
mod pretty_why;
mod query;
mod scope_flags;
pub mod serve;
mod set;
mod short_ttl;
mod start;
mod status;
mod stop;
mod terminal;
mod token;
mod value_flags;
mod why;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use self::later::Later;
use self::output::Output;
use self::terminal::Terminal;
use crate::config::{Flags, Settings};

/// Small facts for coding agents and people, returned where they fit, with the reason why.
#[derive(Debug, Parser)]
#[command(name = "nudge", version, infer_long_args = false, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 done, 1 looked and found nothing, 2 refused or misused, 3 no server."
)]
struct Cli {
    /// Talk to the server on this port of 127.0.0.1; with `serve`, listen there
    #[arg(short, long, global = true, help_heading = "For every command")]
    port: Option<u16>,
    /// Print the JSON-RPC result or error as it is
    #[arg(long, global = true, help_heading = "For every command")]
    json: bool,
    /// Print without colour, as `NO_COLOR` does
    #[arg(long, global = true, help_heading = "For every command")]
    no_color: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve MCP on stdin and stdout, and HTTP on 127.0.0.1
    Serve(Later<Serve>),
    /// Show the running server and what it holds
    Status,
    /// End the running server and its session
    Stop,
    /// Store a hint, or correct one
    Set(Later<set::Set>),
    /// Find the hint that fits here, and why
    Get(Later<get::Get>),
    /// Explain every variant of a hint: its score, or what keeps it away
    Why(Later<why::Why>),
    /// Search the hints that apply here, the best first
    Query(Later<query::Query>),
    /// List components, or the keys of one
    #[command(visible_alias = "list-components")]
    Ls(Later<ls::Ls>),
    /// Delete a hint
    Delete(Later<delete::Delete>),
    /// Say that a hint was of use
    Bump(Later<bump::Bump>),
    /// Write the hints out, for `nudge import`
    Export(Later<export::Export>),
    /// Take over the hints of a file
    Import(Later<import::Import>),
    /// Print the token for callers who cannot show who they are
    Token,
}

#[derive(Debug, Args)]
struct Serve {
    #[command(flatten)]
    flags: Flags,
    /// Leave the terminal, and let go of stdout once the server listens
    #[arg(long, hide = true)]
    background: bool,
}

/// Runs the command that this process was started with.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(misuse) => {
            // Help goes to stdout and is no misuse; a reader who left is no failure.
            let _ = misuse.print();
            return ExitCode::from(u8::try_from(misuse.exit_code()).unwrap_or(2));
        }
    };
    let out = Output::new(cli.json, cli.no_color);
    let none = Flags::default();
    let flags = match &cli.command {
        Command::Serve(serve) => &serve.0.flags,
        _ => &none,
    };
    let settings = match Settings::read(flags) {
        Ok(settings) => Settings {
            port: cli.port,
            ..settings
        },
        Err(words) => return output::misused(&words).into(),
    };
    if let Command::Serve(serve) = &cli.command {
        return serve::run(settings, serve.0.background);
    }
    let terminal = &Terminal::new(settings, out);
    let exit = match cli.command {
        Command::Serve(_) | Command::Status => status::run(terminal),
        Command::Stop => stop::run(terminal),
        Command::Set(set) => set.0.run(terminal),
        Command::Get(get) => get.0.run(terminal),
        Command::Why(why) => why.0.run(terminal),
        Command::Query(query) => query.0.run(terminal),
        Command::Ls(ls) => ls.0.run(terminal),
        Command::Delete(delete) => delete.0.run(terminal),
        Command::Bump(bump) => bump.0.run(terminal),
        Command::Export(export) => export.0.run(terminal),
        Command::Import(import) => import.0.run(terminal),
        Command::Token => token::run(terminal),
    };
    exit.into()
}
