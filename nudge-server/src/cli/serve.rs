//! `nudge serve`: MCP on stdio for a host, HTTP alone for a person or in the background.

use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::sleep;

use crate::config::{LogLevel, Settings};
use crate::log::{self, log};
use crate::platform::detach::{leave_terminal, let_go_of_stdout};
use crate::platform::process::parent_gone;
use crate::primary::operations::ServerOperation;
use crate::proxy::session::{Role, Session};
use crate::proxy::surfaces::Surfaces;
use crate::wire::Fault;

/// How long a server that was started in the background stays without a caller.
const IDLE_LIMIT: Duration = Duration::from_hours(12);

/// How long the last answers on stdio have to be written.
const LAST_WORDS: Duration = Duration::from_millis(20);

/// The exit status for a server that could not be.
const NO_SERVER: i32 = 3;

/// Serves until it is told to end, and does not return.
#[must_use]
pub fn run(settings: Settings, surfaces: &'static dyn Surfaces, background: bool) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => std::process::exit(failed(&error.to_string())),
    };
    let status = runtime.block_on(serve(settings, surfaces, background));
    // While the runtime still is: to drop it is to wait for its threads, and one
    // may be blocked in a read of standard input.
    std::process::exit(status)
}

async fn serve(settings: Settings, surfaces: &'static dyn Surfaces, background: bool) -> i32 {
    let on_stdio = !background && has_client();
    let quiet = if on_stdio {
        LogLevel::Warn
    } else {
        LogLevel::Info
    };
    log::limit(settings.log_level.unwrap_or(quiet));
    let Ok(mut signals) = Signals::heard() else {
        return failed("signals cannot be heard");
    };
    if background {
        leave_terminal();
    }
    let session = if background {
        Session::joining_until_idle(settings, surfaces, IDLE_LIMIT)
    } else {
        Session::joining(settings, surfaces)
    };
    let status = tokio::select! {
        status = serve_here(&session, surfaces, on_stdio, background) => status,
        () = signals.any() => 0,
        () = told_to_end(&session) => 0,
        () = parent_gone(), if on_stdio => 0,
    };
    session.leave().await;
    status
}

/// Waits until `nudge stop` has ended our PRIMARY, and until a client on stdio
/// that asked for it has its answer.
async fn told_to_end(session: &Session) {
    session.ended().await;
    sleep(LAST_WORDS).await;
}

async fn serve_here(
    session: &Arc<Session>,
    surfaces: &dyn Surfaces,
    on_stdio: bool,
    background: bool,
) -> i32 {
    if on_stdio {
        // Nothing is settled here: hosts start throw-away twins to see what they
        // speak, and such a twin should not become PRIMARY.
        return match surfaces.stdio(Arc::clone(session)).await {
            Ok(()) => 0,
            Err(error) => failed(&error.to_string()),
        };
    }
    loop {
        if let Err(fault) = session.settle().await {
            return failed(&words(&fault));
        }
        if !background {
            say_where(session).await;
        } else if session.role() == Some(Role::Proxy) {
            // Somebody else was quicker, which is what was wanted.
            return 0;
        } else {
            let_go_of_stdout();
        }
        match session.role() {
            Some(Role::Proxy) => session.unsettled().await,
            // `serve` ends it all then.
            _ => std::future::pending().await,
        }
    }
}

/// Whether an MCP client may be at the other end of standard input. Nobody is
/// behind a terminal, nor behind the null device that services and containers get.
fn has_client() -> bool {
    let input = io::stdin();
    if input.is_terminal() {
        return false;
    }
    let seen = rustix::fs::fstat(input.as_fd());
    let null = rustix::fs::stat("/dev/null");
    !matches!((seen, null), (Ok(seen), Ok(null)) if seen.st_rdev == null.st_rdev && seen.st_rdev != 0)
}

/// Prints where the server is, be it this process or the one that runs already.
async fn say_where(session: &Session) {
    let status = session.call(ServerOperation::Status, "{}").await.ok();
    let status: Option<Value> = status.and_then(|status| serde_json::from_str(status.get()).ok());
    let status = status.unwrap_or_default();
    let text = |name: &str| {
        status
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or("?")
            .to_owned()
    };
    let place = match status.get("port").and_then(Value::as_u64) {
        Some(0) | None => "on its socket alone".to_owned(),
        Some(_) => format!("on {}", text("url")),
    };
    let line = match session.role() {
        Some(Role::Proxy) => format!(
            "nudge {} runs already {place}, process {}; this one takes over when that ends",
            text("version"),
            status.get("pid").unwrap_or(&Value::Null)
        ),
        _ => format!("nudge {} listens {place}; Ctrl-C ends it", text("version")),
    };
    // Nobody reads what cannot be written.
    let _ = writeln!(io::stdout(), "{line}");
}

/// The signals that ask for a clean end.
struct Signals([Signal; 3]);

impl Signals {
    fn heard() -> io::Result<Signals> {
        Ok(Signals([
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
        ]))
    }

    async fn any(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}

/// Says why there is no server, and gives the exit status for that.
fn failed(why: &str) -> i32 {
    log(LogLevel::Error, why);
    NO_SERVER
}

/// What a fault says to a person.
fn words(fault: &Fault) -> String {
    match fault {
        Fault::Core(error) => error.to_string(),
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}
