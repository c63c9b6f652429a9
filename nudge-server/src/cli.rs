//! The terminal's room: the commands, and how each of them ends.

mod bump;
mod check;
mod cloud;
mod completions;
mod config;
mod context;
mod delete;
mod doctor;
mod edit;
mod every_command;
mod export;
mod failure;
mod flags;
mod get;
mod help;
mod history;
mod hook;
mod host_flags;
mod install;
mod keep;
mod learn;
mod lifetime;
mod ls;
mod meta_flags;
mod misuse;
mod mv;
mod observations;
mod observe;
mod output;
mod place_flags;
mod prelude;
mod pretty;
mod prime;
mod progress;
mod proposals;
mod purge;
mod query;
mod question;
mod run;
mod search;
mod serve;
mod set;
mod shell;
mod slot;
mod start;
mod status;
mod stop;
mod sync;
mod terminal;
mod trust;
mod ui;
mod value_flags;
mod watch;
mod week;
mod why;

use std::mem::ManuallyDrop;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use self::every_command::{EveryCommand, Later, Nothing};
use self::output::{Exit, Output};
use self::terminal::Terminal;
use crate::config::{Flags, Settings};
use crate::proxy::Stdio;
use crate::wire::Fault;

/// Whoever asks for help wants to see it done, so the examples come first.
pub const HELP: &str = "\
{about-with-newline}
  nudge set api build \"make all\" --reason \"the Makefile knows the order\"
  nudge get api build
  nudge install                     adds Nudge to the coding agents on this machine

{usage-heading} {usage}

{all-args}{after-help}";

const EXIT_STATUS: &str =
    "Exit status: 0 done, 1 looked and found nothing, 2 refused or misused, 3 no server.";

/// Small facts for coding agents and people, returned where they fit, with the reason why.
#[derive(Debug, Parser)]
// People type `nudge`, whatever the file is called.
#[command(name = "nudge", bin_name = "nudge")]
#[command(version, infer_long_args = false, max_term_width = 100)]
#[command(help_template = HELP, after_help = EXIT_STATUS)]
struct Cli {
    #[command(flatten)]
    every: EveryCommand,
    #[command(subcommand)]
    command: Option<Command>,
}

/// The commands: for each what is typed after its name, and what runs it with a server.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident($typed:ty) => $run:expr,)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($(#[$about])* $name(Later<$typed>),)*
        }

        /// Runs a command that talks to a server.
        fn run(command: &Command, terminal: &Terminal) -> Result<Exit, Fault> {
            match command {
                $(Command::$name(typed) => $run(&typed.0, terminal),)*
            }
        }
    };
}

commands! {
    /// Serve MCP to the agent that starts it; at a terminal, run the server in the foreground
    Serve(serve::Serve) => alone,
    /// Show the running server and what it holds
    Status(Nothing) => status::run,
    /// End the session and its server; what is kept stays
    Stop(stop::Stop) => stop::Stop::run,
    /// Restart the server, as after an upgrade; the session goes on
    Restart(stop::Restart) => stop::Restart::run,
    /// Bring back the hints that ended with the last session
    Restore(Nothing) => delete::restore,
    /// Store a hint, or correct one
    #[command(visible_alias = "add", alias = "remember")]
    Set(set::Set) => set::Set::run,
    /// Edit a hint in your editor
    Edit(edit::Edit) => edit::Edit::run,
    /// Get the hint that fits here, and why
    Get(get::Get) => get::Get::run,
    /// Explain every variant of a hint: its score, or why it does not apply
    #[command(visible_alias = "show")]
    Why(why::Why) => why::Why::run,
    /// Search the hints that apply here, best first
    #[command(visible_alias = "find")]
    Query(query::Query) => query::Query::run,
    /// Print what an agent is told when its session starts here
    Prime(prime::Prime) => prime::Prime::run,
    /// List components, or the keys of one
    #[command(visible_aliases = ["list", "list-components"])]
    Ls(ls::Ls) => ls::Ls::run,
    /// Delete a hint
    #[command(visible_aliases = ["rm", "remove", "del"], aliases = ["forget", "unset"])]
    Delete(delete::Delete) => delete::Delete::run,
    /// Rename a component or a key
    #[command(aliases = ["rename", "move"])]
    Mv(mv::Mv) => mv::Mv::run,
    /// Undo your last delete or overwrite
    Undo(Nothing) => delete::undo,
    /// Say that a hint worked, or did not
    Bump(bump::Bump) => bump::Bump::run,
    /// Show or set what is being worked on: files, endpoints, ports
    Context(context::Context) => context::Context::run,
    /// List the proposals that are waiting for you
    #[command(alias = "proposal")]
    Proposals(Nothing) => proposals::run,
    /// Accept a proposal; its hint becomes yours
    Accept(proposals::Decide) => proposals::Decide::accept,
    /// Reject a proposal
    Reject(proposals::Decide) => proposals::Decide::reject,
    /// Make a hint yours and kept, or move it to the project's file
    Keep(keep::Keep) => keep::Keep::run,
    /// List the hints here that outlive the session
    Kept(keep::Kept) => keep::Kept::run,
    /// Review the hints in the project's file, and trust them
    Trust(trust::Trust) => trust::Trust::run,
    /// Stop trusting them
    Untrust(trust::Trust) => trust::Trust::withdraw,
    /// Start or stop recording what agents do in this repository
    Observe(observe::Observe) => observe::Observe::run,
    /// Show what agents were told and heeded this week
    Week(week::Week) => week::Week::run,
    /// Show what agents did in this repository, newest first
    Log(history::Log) => alone,
    /// Search hints, and what agents did in this repository
    Search(search::Search) => search::Search::run,
    /// Show who changed a file, and why
    History(history::History) => history::History::run,
    /// Show what an agent did in a session, prompt by prompt
    Trace(history::Trace) => history::Trace::run,
    /// Show what fixed an error in this repository before
    Fix(history::Fix) => history::Fix::run,
    /// Delete recordings
    Purge(purge::Purge) => purge::Purge::run,
    /// Share what is kept with your other machines, by a git repository of your own
    Sync(sync::Sync) => sync::Sync::run,
    /// Learn from what worked here before: shell history, agents' transcripts
    Learn(learn::Learn) => learn::Learn::run,
    /// Export hints as JSON, for `nudge import`
    Export(export::Export) => export::Export::run,
    /// Import hints from a file
    Import(export::Import) => export::Import::run,
    /// Watch changes as they happen
    Watch(watch::Watch) => alone,
    /// Open the live page in a browser
    #[command(visible_alias = "open")]
    Ui(ui::Ui) => ui::Ui::run,
    /// Add Nudge to your coding agents
    Install(install::Install) => install::Install::run,
    /// Remove Nudge from your coding agents
    Uninstall(install::Uninstall) => install::Uninstall::run,
    /// Pass a coding agent's event to the server
    Hook(hook::Hook) => alone,
    /// Print one line of counts for a coding agent's status line
    Statusline(hook::StatusLine) => alone,
    /// Check everything, and say how to fix what is wrong
    Doctor(doctor::Doctor) => alone,
    /// Find commands in AGENTS.md and the like whose script or target is gone
    Check(check::Check) => check::Check::run,
    /// Show every setting and where it comes from, or change one
    Config(config::Config) => alone,
    /// Print the token for callers whose user the system cannot tell
    Token(Nothing) => status::token,
    /// Run a command, and count how it ends
    #[command(alias = "exec")]
    Run(run::Run) => alone,
    /// Print what your shell evaluates when it starts, for completions
    Init(completions::Init) => alone,
    /// Print a completion script for your shell
    Completions(completions::Completions) => alone,
    /// Print the version, as `--version` does
    #[command(hide = true)]
    Version(Nothing) => alone,
}

/// The command line as clap knows it; the flags of a command are laid out when they
/// are needed, or by `build`.
#[must_use]
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the command that this process was started with. A server is reached over
/// `surfaces`.
#[must_use]
pub fn main(surfaces: &'static dyn Stdio) -> ExitCode {
    if let Some(words) = crate::hook::asked("hook", std::env::args_os()) {
        return crate::hook::run(words);
    }
    if crate::hook::asked("statusline", std::env::args_os()).is_some() {
        return crate::hook::run_status_line();
    }
    if completions::answered() {
        return ExitCode::SUCCESS;
    }
    let parse = || {
        // To take all commands apart again is a twentieth of all that a get executes.
        let mut command = ManuallyDrop::new(Cli::command());
        let matches = command.try_get_matches_from_mut(std::env::args_os())?;
        let every = EveryCommand::said(&matches);
        Ok(Cli {
            every,
            ..Cli::from_arg_matches(&matches)?
        })
    };
    let cli = match parse() {
        Ok(cli) => cli,
        Err::<_, clap::Error>(misuse) => {
            return match misuse::describe(&misuse) {
                Some(words) => Output::typed().mistyped(&words),
                None => help::print(&misuse),
            }
            .into();
        }
    };
    let port = cli.every.port;
    let out = Output {
        json: cli.every.json,
        color: cli.every.color.unwrap_or_default(),
        quiet: cli.every.quiet,
    };
    let Some(command) = cli.command else {
        return prime::alone(port, &out).into();
    };
    // What needs no server must work where the settings do not.
    match &command {
        Command::Doctor(_) => return doctor::run(port, &out).into(),
        Command::Config(config) => return config.0.run(port, out).into(),
        Command::Completions(asked) => return asked.0.run().into(),
        Command::Init(asked) => return asked.0.run().into(),
        Command::Version(_) => return output::written_out(&Cli::command().render_version()).into(),
        Command::Hook(hook) => return hook.0.run(),
        Command::Statusline(_) => return crate::hook::run_status_line(),
        _ => {}
    }
    let flags = match &command {
        Command::Serve(serve) => &serve.0.flags,
        Command::Restart(restart) => &restart.0.flags,
        _ => &Flags::default(),
    };
    let settings = match Settings::read(flags) {
        Ok(settings) => Settings { port, ..settings },
        Err(words) => return out.mistyped(&words).into(),
    };
    match command {
        Command::Serve(serve) => serve.0.run(settings, surfaces),
        Command::Watch(watch) => watch.0.run(Terminal::new(settings, out)),
        Command::Run(asked) => asked.0.run(&Terminal::new(settings, out)),
        Command::Log(log) => log.0.run(Terminal::new(settings, out)),
        command => {
            let terminal = Terminal::new(settings, out);
            terminal.ended(run(&command, &terminal)).into()
        }
    }
}

/// Stands for what `main` runs by itself.
#[expect(clippy::unnecessary_wraps, reason = "every command ends so")]
fn alone<T>(_: &T, _: &Terminal) -> Result<Exit, Fault> {
    Ok(Exit::Done)
}
