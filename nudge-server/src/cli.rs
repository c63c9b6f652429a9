//! The terminal's room: the commands, and how each of them ends.

mod accept;
mod browser;
mod bump;
mod check;
mod cloud;
mod completions;
mod config;
mod context;
mod context_flags;
mod delete;
mod doctor;
mod edit;
mod every_command;
mod export;
mod failure;
mod fix;
mod flags;
mod get;
mod habits;
mod help;
mod history;
mod hook;
mod host_flags;
mod import;
mod indent;
mod init;
mod install;
mod keep;
mod kept;
mod later;
mod learn;
mod lifetime;
mod log;
mod ls;
mod meta_flags;
mod misuse;
mod mv;
mod observations;
mod observe;
mod output;
mod pretty;
mod pretty_context;
mod pretty_proposals;
mod pretty_report;
mod pretty_status;
mod pretty_table;
mod pretty_why;
mod prime;
mod progress;
mod proposals;
mod purge;
mod query;
mod question;
mod restart;
mod restore;
mod run;
mod scope_flags;
mod search;
mod serve;
mod set;
mod shell;
mod slot;
mod start;
mod status;
mod status_line;
mod stop;
mod sync;
mod terminal;
mod token;
mod trace;
mod trust;
mod ui;
mod undo;
mod uninstall;
mod value_flags;
mod watch;
mod week;
mod why;

use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use self::every_command::EveryCommand;
use self::later::{Later, Nothing};
use self::output::{Exit, Output};
use self::terminal::Terminal;
use crate::config::{Flags, Settings};
use crate::proxy::stdio::Stdio;

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

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve MCP to the agent that starts it; at a terminal, run the server in the foreground
    Serve(Later<Serve>),
    /// Show the running server and what it holds
    Status(Later<Nothing>),
    /// End the session and its server; what is kept stays
    Stop(Later<stop::Stop>),
    /// Restart the server, as after an upgrade; the session goes on
    Restart(Later<restart::Restart>),
    /// Bring back the hints that ended with the last session
    Restore(Later<Nothing>),
    /// Store a hint, or correct one
    #[command(visible_alias = "add", alias = "remember")]
    Set(Later<set::Set>),
    /// Edit a hint in your editor
    Edit(Later<edit::Edit>),
    /// Get the hint that fits here, and why
    Get(Later<get::Get>),
    /// Explain every variant of a hint: its score, or why it does not apply
    #[command(visible_alias = "show")]
    Why(Later<why::Why>),
    /// Search the hints that apply here, best first
    #[command(visible_alias = "find")]
    Query(Later<query::Query>),
    /// Print what an agent is told when its session starts here
    Prime(Later<prime::Prime>),
    /// List components, or the keys of one
    #[command(visible_aliases = ["list", "list-components"])]
    Ls(Later<ls::Ls>),
    /// Delete a hint
    #[command(visible_aliases = ["rm", "remove", "del"], aliases = ["forget", "unset"])]
    Delete(Later<delete::Delete>),
    /// Rename a component or a key
    #[command(aliases = ["rename", "move"])]
    Mv(Later<mv::Mv>),
    /// Undo your last delete or overwrite
    Undo(Later<Nothing>),
    /// Say that a hint worked, or did not
    Bump(Later<bump::Bump>),
    /// Show or set what is being worked on: files, endpoints, ports
    Context(Later<context::Context>),
    /// List the proposals that are waiting for you
    #[command(alias = "proposal")]
    Proposals(Later<Nothing>),
    /// Accept a proposal; its hint becomes yours
    Accept(Later<accept::Decide>),
    /// Reject a proposal
    Reject(Later<accept::Decide>),
    /// Make a hint yours and kept, or move it to the project's file
    Keep(Later<keep::Keep>),
    /// List the hints that are kept here
    Kept(Later<kept::Kept>),
    /// Review the hints in the project's file, and trust them
    Trust(Later<trust::Trust>),
    /// Stop trusting them
    Untrust(Later<trust::Trust>),
    /// Start or stop recording what agents do in this repository
    Observe(Later<observe::Observe>),
    /// Show what agents were told and heeded this week
    Week(Later<week::Week>),
    /// Show what agents did in this repository, newest first
    Log(Later<log::Log>),
    /// Search hints, and what agents did in this repository
    Search(Later<search::Search>),
    /// Show who changed a file, and why
    History(Later<history::History>),
    /// Show what an agent did in a session, prompt by prompt
    Trace(Later<trace::Trace>),
    /// Show what fixed an error in this repository before
    Fix(Later<fix::Fix>),
    /// Delete recordings
    Purge(Later<purge::Purge>),
    /// Share what is kept with your other machines, by a git repository of your own
    Sync(Later<sync::Sync>),
    /// Learn from what worked here before: shell history, agents' transcripts
    Learn(Later<learn::Learn>),
    /// Export hints as JSON, for `nudge import`
    Export(Later<export::Export>),
    /// Import hints from a file
    Import(Later<import::Import>),
    /// Watch changes as they happen
    Watch(Later<watch::Watch>),
    /// Open the live page in a browser
    #[command(visible_alias = "open")]
    Ui(Later<ui::Ui>),
    /// Add Nudge to your coding agents
    Install(Later<install::Install>),
    /// Remove Nudge from your coding agents
    Uninstall(Later<uninstall::Uninstall>),
    /// Pass a coding agent's event to the server
    Hook(Later<hook::Hook>),
    /// Print one line of counts for a coding agent's status line
    Statusline(Later<status_line::StatusLine>),
    /// Check everything, and say how to fix what is wrong
    Doctor(Later<doctor::Doctor>),
    /// Find commands in AGENTS.md and the like whose script or target is gone
    Check(Later<check::Check>),
    /// Show every setting and where it comes from, or change one
    Config(Later<config::Config>),
    /// Print the token for callers whose user the system cannot tell
    Token(Later<Nothing>),
    /// Run a command, and count how it ends
    #[command(alias = "exec")]
    Run(Later<run::Run>),
    /// Print what your shell evaluates when it starts, for completions
    Init(Later<init::Init>),
    /// Print a completion script for your shell
    Completions(Later<completions::Completions>),
    /// Print the version, as `--version` does
    #[command(hide = true)]
    Version(Later<Nothing>),
}

#[derive(Debug, Args)]
struct Serve {
    #[command(flatten)]
    flags: Flags,
    /// Run the server in the foreground, also without a terminal
    #[arg(long)]
    foreground: bool,
    /// Start a server that is nobody's child
    #[arg(long, hide = true)]
    background: bool,
    /// Be that server
    #[arg(long, hide = true)]
    detached: bool,
}

impl Serve {
    fn role(&self) -> serve::Role {
        match self {
            Serve { detached: true, .. } => serve::Role::Detached,
            Serve {
                background: true, ..
            } => serve::Role::Background,
            Serve {
                foreground: true, ..
            } => serve::Role::Foreground,
            _ => serve::Role::AsStarted,
        }
    }
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
        let matches = Cli::command().try_get_matches()?;
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
                Some(words) => output::misused(&words),
                None => help::print(&misuse),
            }
            .into();
        }
    };
    let EveryCommand {
        port,
        json,
        color,
        quiet,
    } = cli.every;
    let out = Output::new(json, color.unwrap_or_default()).quiet(quiet);
    let Some(command) = cli.command else {
        return prime::alone(port, out).into();
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
        Err(words) => return output::misused(&words).into(),
    };
    match command {
        Command::Serve(serve) => serve::run(settings, surfaces, serve.0.role()),
        Command::Watch(watch) => watch.0.run(settings, out),
        Command::Run(asked) => asked.0.run(&Terminal::new(settings, out)),
        Command::Log(log) => log.0.run(Terminal::new(settings, out)),
        command => run(command, &Terminal::new(settings, out)).into(),
    }
}

/// Runs a command that talks to a server.
fn run(command: Command, terminal: &Terminal) -> Exit {
    match command {
        Command::Status(_) => status::run(terminal),
        Command::Stop(stop) => stop.0.run(terminal),
        Command::Restart(restart) => restart.0.run(terminal),
        Command::Restore(_) => restore::run(terminal),
        Command::Set(set) => set.0.run(terminal),
        Command::Edit(edit) => edit.0.run(terminal),
        Command::Get(get) => get.0.run(terminal),
        Command::Why(why) => why.0.run(terminal),
        Command::Query(query) => query.0.run(terminal),
        Command::Prime(prime) => prime.0.run(terminal),
        Command::Ls(ls) => ls.0.run(terminal),
        Command::Delete(delete) => delete.0.run(terminal),
        Command::Mv(mv) => mv.0.run(terminal),
        Command::Undo(_) => undo::run(terminal),
        Command::Bump(bump) => bump.0.run(terminal),
        Command::Context(context) => context.0.run(terminal),
        Command::Proposals(_) => proposals::run(terminal),
        Command::Accept(decide) => decide.0.accept(terminal),
        Command::Reject(decide) => decide.0.reject(terminal),
        Command::Keep(keep) => keep.0.run(terminal),
        Command::Kept(kept) => kept.0.run(terminal),
        Command::Trust(trust) => trust.0.run(terminal),
        Command::Untrust(trust) => trust.0.withdraw(terminal),
        Command::Observe(observe) => observe.0.run(terminal),
        Command::Week(week) => week.0.run(terminal),
        Command::Search(search) => search.0.run(terminal),
        Command::History(history) => history.0.run(terminal),
        Command::Trace(trace) => trace.0.run(terminal),
        Command::Fix(fix) => fix.0.run(terminal),
        Command::Purge(purge) => purge.0.run(terminal),
        Command::Sync(sync) => sync.0.run(terminal),
        Command::Learn(learn) => learn.0.run(terminal),
        Command::Export(export) => export.0.run(terminal),
        Command::Import(import) => import.0.run(terminal),
        Command::Ui(ui) => ui.0.run(terminal),
        Command::Install(install) => install.0.run(terminal),
        Command::Uninstall(uninstall) => uninstall.0.run(terminal),
        Command::Token(_) => token::run(terminal),
        Command::Check(check) => check.0.run(terminal),
        Command::Serve(_)
        | Command::Watch(_)
        | Command::Log(_)
        | Command::Hook(_)
        | Command::Statusline(_)
        | Command::Doctor(_)
        | Command::Config(_)
        | Command::Completions(_)
        | Command::Init(_)
        | Command::Run(_)
        | Command::Version(_) => Exit::Done,
    }
}
