//! `nudge serve`: a PROXY for a host that starts it, the PRIMARY itself for a person.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use nudge::Error;
use nudge_client::folder::Runtime;

use super::doctor::quiet;
use super::start;
use super::status::Status;
use super::terminal::read;
use crate::config::{Flags, LogLevel, Settings};
use crate::log::{self, log};
use crate::platform::detach::{start_detached, tell_starter};
use crate::platform::parent::parent_gone;
use crate::platform::signals::Signals;
use crate::platform::stdio::has_client;
use crate::primary::operations::ServerOperation;
use crate::primary::{Owner, Times};
use crate::proxy::Stdio;
use crate::proxy::session::Session;
use crate::wire::shell::Shell;

/// How long a server that was started in the background stays without a caller.
const IDLE_LIMIT: Duration = Duration::from_mins(30);

/// How often a server looks whether its lock and socket are its own.
const CHECK: Duration = Duration::from_secs(5);

const NO_SERVER: i32 = 3;

/// Without these, what a host talks to, if there is one on stdin; else the PRIMARY, for a person.
#[derive(Debug, Args)]
pub(super) struct Serve {
    #[command(flatten)]
    pub(super) flags: Flags,
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
    /// Serves until it is told to end, and does not return.
    #[must_use]
    pub(super) fn run(&self, settings: Settings, surfaces: &'static dyn Stdio) -> ExitCode {
        if self.background {
            // Before anything else is open. Who waits hears the end of our stdout.
            let port = settings.port.map(|port| format!("--port={port}"));
            let words = ["serve", "--detached"].into_iter().chain(port.as_deref());
            let runtime = Runtime::meant(settings.runtime_dir.as_deref());
            let started = start_detached(words, runtime.folder());
            let status = started.map_or_else(|error| failed(&error.to_string()), |()| 0);
            std::process::exit(status);
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = match runtime {
            Ok(runtime) => runtime,
            Err(error) => std::process::exit(failed(&error.to_string())),
        };
        let status = runtime.block_on(self.serve(settings, surfaces));
        // While the runtime still is: to drop it is to wait for its threads, and one
        // may be blocked in a read of standard input.
        std::process::exit(status)
    }

    async fn serve(&self, settings: Settings, surfaces: &'static dyn Stdio) -> i32 {
        let on_stdio = !self.foreground && !self.detached && has_client();
        log::limit(settings.log_level.unwrap_or(LogLevel::Warn));
        let Ok(mut signals) = Signals::heard() else {
            return failed("signals cannot be heard");
        };
        if !on_stdio {
            return own(settings, surfaces, self.detached, signals).await;
        }
        let session = match Session::remote(settings) {
            Ok(session) => session,
            Err(fault) => return failed(&Error::from(fault).to_string()),
        };
        tokio::select! {
            served = surfaces.stdio(session) => match served {
                Ok(()) => 0,
                Err(error) => failed(&error.to_string()),
            },
            () = signals.any() => 0,
            () = parent_gone() => 0,
        }
    }
}

/// Is the PRIMARY until it is told to end, unless another process is.
async fn own(
    settings: Settings,
    surfaces: &'static dyn Stdio,
    is_detached: bool,
    mut signals: Signals,
) -> i32 {
    let idle = time("NUDGE_IDLE_MS").unwrap_or(IDLE_LIMIT);
    let times = Times {
        idle: is_detached.then_some(idle),
        check: time("NUDGE_CHECK_MS").unwrap_or(CHECK),
    };
    let settings = Settings {
        // An agent that serves by hand may not loosen what the user set up.
        is_users_own: !is_detached && Shell::this().is_none(),
        ..settings
    };
    let claimed = Owner::claim(&settings, surfaces, times).await;
    let owner = match claimed {
        Ok(Some(owner)) => owner,
        Ok(None) if is_detached => return 0,
        Ok(None) => {
            say_where(&settings);
            return 0;
        }
        Err(fault) => {
            let words = Error::from(fault).to_string();
            if is_detached {
                tell_starter(Err(&words));
            }
            return failed(&words);
        }
    };
    let primary = std::sync::Arc::clone(&owner.primary);
    if is_detached {
        tell_starter(Ok(()));
    } else {
        let place = place(primary.identity.port);
        let words = format!("listens {place}; Ctrl-C ends it, and not the session");
        say(&primary.identity.version, &words);
    }
    let watched = std::sync::Arc::clone(&primary);
    tokio::task::spawn_blocking(move || quiet::look(&watched));
    let mut serving = std::pin::pin!(owner.serve());
    tokio::select! {
        () = serving.as_mut() => return 0,
        () = signals.any() => primary.stop(),
    }
    serving.await;
    0
}

/// A time in milliseconds that tests make shorter.
fn time(variable: &str) -> Option<Duration> {
    // What is shipped has one time for each.
    let text = cfg!(debug_assertions)
        .then(|| std::env::var(variable))?
        .ok()?;
    text.parse().ok().map(Duration::from_millis)
}

fn say_where(settings: &Settings) {
    // The port that was asked for is not the one that it has.
    let settings = Settings {
        port: None,
        ..settings.clone()
    };
    let asked = start::running(&settings)
        .and_then(|client| client.call_blocking(ServerOperation::Status, "{}"));
    if let Ok(Status {
        version, port, pid, ..
    }) = asked.and_then(|status| read(&status))
    {
        let words = format!("runs already {}, process {pid}", place(port));
        say(&version, &words);
    }
}

fn say(version: &str, words: &str) {
    // Nobody reads what cannot be written.
    let _ = writeln!(io::stdout(), "nudge {version} {words}");
}

fn place(port: u16) -> String {
    match port {
        0 => "on its socket alone".to_owned(),
        port => format!("on http://127.0.0.1:{port}"),
    }
}

/// Says why there is no server, and gives the exit status for that.
fn failed(why: &str) -> i32 {
    log(LogLevel::Error, why);
    NO_SERVER
}
