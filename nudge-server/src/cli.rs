//! The terminal's room: the commands, and how each of them ends.

mod accept;
mod browser;
mod bump;
mod check;
mod completions;
mod config;
mod context;
mod context_flags;
mod delete;
mod doctor;
mod edit;
mod escape;
mod every_command;
mod export;
mod failure;
mod fix;
mod flags;
mod get;
mod help;
mod history;
mod hook;
mod host_flags;
mod import;
mod in_flags;
mod indent;
mod install;
mod keep;
mod kept;
mod later;
mod learn;
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
mod reject;
mod restart;
mod restore;
mod scope_flags;
mod search;
mod serve;
mod set;
mod start;
mod status;
mod status_line;
mod stop;
mod terminal;
mod token;
mod trace;
mod trust;
mod ui;
mod undo;
mod uninstall;
mod value_flags;
mod watch;
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
  nudge install                     puts Nudge into the coding agents of this machine

{usage-heading} {usage}

{all-args}{after-help}";

const EXIT_STATUS: &str =
    "Exit status: 0 done, 1 looked and found nothing, 2 refused or misused, 3 no server.";

/// Small facts for coding agents and people, returned where they fit, with the reason why.
#[derive(Debug, Parser)]
#[command(name = "nudge", version, infer_long_args = false, max_term_width = 100)]
#[command(help_template = HELP, after_help = EXIT_STATUS)]
struct Cli {
    #[command(flatten)]
    every: EveryCommand,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve MCP to the agent that starts it; at a terminal, be the server itself
    Serve(Later<Serve>),
    /// Show the running server and what it holds
    Status(Later<Nothing>),
    /// End the session, and the server with it
    Stop(Later<stop::Stop>),
    /// Replace the server, as after an upgrade; the session goes on
    Restart(Later<restart::Restart>),
    /// Bring back the hints of the session that ended last
    Restore(Later<Nothing>),
    /// Store a hint, or correct one
    #[command(visible_alias = "add", alias = "remember")]
    Set(Later<set::Set>),
    /// Edit a hint as a text
    Edit(Later<edit::Edit>),
    /// Find the hint that fits here, and why
    Get(Later<get::Get>),
    /// Explain every variant of a hint: its score, or what keeps it away
    #[command(visible_alias = "show")]
    Why(Later<why::Why>),
    /// Search the hints that apply here, the best first
    #[command(visible_alias = "find")]
    Query(Later<query::Query>),
    /// Print what an agent is told when its session starts here
    Prime(Later<prime::Prime>),
    /// List components, or the keys of one
    #[command(visible_aliases = ["list", "list-components"])]
    Ls(Later<ls::Ls>),
    /// Delete a hint
    #[command(visible_aliases = ["rm", "remove", "del"], alias = "forget")]
    Delete(Later<delete::Delete>),
    /// Give a component or a key another name
    Mv(Later<mv::Mv>),
    /// Take back your last delete or overwrite
    Undo(Later<Nothing>),
    /// Say that a hint worked, or did not
    Bump(Later<bump::Bump>),
    /// Show or say what is being worked on: files, endpoints, ports
    Context(Later<context::Context>),
    /// List the hints that wait for you to accept them
    #[command(alias = "proposal")]
    Proposals(Later<Nothing>),
    /// Set the hint of a proposal, as your own
    Accept(Later<accept::Accept>),
    /// Drop a proposal
    Reject(Later<reject::Reject>),
    /// Keep a hint for the next session, as your own or in the project's file
    Keep(Later<keep::Keep>),
    /// List the hints that are kept here
    Kept(Later<kept::Kept>),
    /// Trust the hints in the project's file, after a look at them
    Trust(Later<trust::Trust>),
    /// Trust them no more
    Untrust(Later<trust::Trust>),
    /// Record what agents do in this repository, or stop it
    Observe(Later<observe::Observe>),
    /// Tell what was done in this repository, the latest first
    Log(Later<log::Log>),
    /// Search hints, and what was done in this repository
    Search(Later<search::Search>),
    /// Tell who changed a file, and what for
    History(Later<history::History>),
    /// Tell what a session of an agent did, prompt by prompt
    Trace(Later<trace::Trace>),
    /// Tell what helped against an error in this repository
    Fix(Later<fix::Fix>),
    /// Delete what was recorded
    Purge(Later<purge::Purge>),
    /// Learn from what worked here before: shell history, agents' transcripts
    Learn(Later<learn::Learn>),
    /// Write the hints out, for `nudge import`
    Export(Later<export::Export>),
    /// Load the hints of a file
    Import(Later<import::Import>),
    /// Show what happens in the store, as it happens
    Watch(Later<watch::Watch>),
    /// Show the hints in a browser, as they change
    #[command(visible_alias = "open")]
    Ui(Later<ui::Ui>),
    /// Put Nudge into a coding agent
    Install(Later<install::Install>),
    /// Take Nudge out of a coding agent
    Uninstall(Later<uninstall::Uninstall>),
    /// Tell the server of a coding agent's event
    Hook(Later<hook::Hook>),
    /// Print one line of counts for a coding agent's status line
    Statusline(Later<status_line::StatusLine>),
    /// Look for what is wrong, and say what fixes it
    Doctor(Later<doctor::Doctor>),
    /// Find commands in AGENTS.md and the like whose script or target is gone
    Check(Later<check::Check>),
    /// Show every setting, and where it comes from
    Config(Later<Nothing>),
    /// Print the token for callers who cannot show who they are
    Token(Later<Nothing>),
    /// Print the script that completes `nudge` in a shell
    Completions(Later<completions::Completions>),
    /// Print the version, as `--version` does
    #[command(hide = true)]
    Version(Later<Nothing>),
}

#[derive(Debug, Args)]
struct Serve {
    #[command(flatten)]
    flags: Flags,
    /// Be the server itself, also where no terminal is
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
    if std::env::args_os().len() == 1
        && let Some(exit) = prime::alone()
    {
        return exit.into();
    }
    let parsed = Cli::command().try_get_matches().and_then(|matches| {
        let every = EveryCommand::said(&matches);
        Ok(Cli {
            every,
            ..Cli::from_arg_matches(&matches)?
        })
    });
    let cli = match parsed {
        Ok(cli) => cli,
        Err(misuse) => {
            return match misuse::describe(&misuse) {
                Some(words) => output::misused(&words),
                None => help::print(&misuse),
            }
            .into();
        }
    };
    let EveryCommand { port, json, color } = cli.every;
    let out = Output::new(json, color.unwrap_or_default());
    // What needs no server must work where the settings do not.
    match &cli.command {
        Command::Doctor(_) => return doctor::run(port, &out).into(),
        Command::Check(check) => return check.0.run(&out).into(),
        Command::Config(_) => return config::run(port, out).into(),
        Command::Completions(asked) => return asked.0.run().into(),
        Command::Version(_) => return output::written_out(&command().render_version()).into(),
        Command::Hook(hook) => return hook.0.run(),
        Command::Statusline(_) => return crate::hook::run_status_line(),
        _ => {}
    }
    let flags = match &cli.command {
        Command::Serve(serve) => &serve.0.flags,
        Command::Restart(restart) => &restart.0.flags,
        _ => &Flags::default(),
    };
    let settings = match Settings::read(flags) {
        Ok(settings) => Settings { port, ..settings },
        Err(words) => return output::misused(&words).into(),
    };
    if let Command::Serve(serve) = &cli.command {
        return serve::run(settings, surfaces, serve.0.role());
    }
    if let Command::Watch(watch) = cli.command {
        return watch.0.run(settings, out);
    }
    let terminal = Terminal::new(settings, out);
    if let Command::Log(log) = cli.command {
        return log.0.run(terminal);
    }
    run(cli.command, &terminal).into()
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
        Command::Accept(accept) => accept.0.run(terminal),
        Command::Reject(reject) => reject.0.run(terminal),
        Command::Keep(keep) => keep.0.run(terminal),
        Command::Kept(kept) => kept.0.run(terminal),
        Command::Trust(trust) => trust.0.run(terminal),
        Command::Untrust(trust) => trust.0.withdraw(terminal),
        Command::Observe(observe) => observe.0.run(terminal),
        Command::Search(search) => search.0.run(terminal),
        Command::History(history) => history.0.run(terminal),
        Command::Trace(trace) => trace.0.run(terminal),
        Command::Fix(fix) => fix.0.run(terminal),
        Command::Purge(purge) => purge.0.run(terminal),
        Command::Learn(learn) => learn.0.run(terminal),
        Command::Export(export) => export.0.run(terminal),
        Command::Import(import) => import.0.run(terminal),
        Command::Ui(ui) => ui.0.run(terminal),
        Command::Install(install) => install.0.run(terminal),
        Command::Uninstall(uninstall) => uninstall.0.run(terminal),
        Command::Token(_) => token::run(terminal),
        Command::Serve(_)
        | Command::Watch(_)
        | Command::Log(_)
        | Command::Hook(_)
        | Command::Statusline(_)
        | Command::Doctor(_)
        | Command::Check(_)
        | Command::Config(_)
        | Command::Completions(_)
        | Command::Version(_) => Exit::Done,
    }
}
