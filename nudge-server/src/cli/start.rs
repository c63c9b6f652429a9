//! Finding the server, and starting one where none runs.

use std::io::Read;
use std::process::{Command, Stdio};

use nudge::{Error, ErrorKind};

use super::output::Output;
use crate::config::Settings;
use crate::platform::runtime::{Key, Runtime};
use crate::primary::journal::Journal;
use crate::proxy::client::Client;
use crate::wire::Fault;

/// The server that runs already.
pub(crate) fn running(settings: &Settings) -> Result<Client, Fault> {
    let runtime = Runtime::find(settings.runtime_dir.as_deref())?;
    match settings.port {
        Some(port) => {
            let identity = runtime.as_ref().and_then(Runtime::identity);
            let identity = identity.filter(|identity| identity.port == port);
            let mut client = Client::tcp(port, identity.as_ref().map(|identity| &*identity.nonce))?;
            // It knew the nonce of the folder, so the key of the folder is its own.
            client.key_file = runtime.map(|runtime| Key::Client.beside(&runtime.socket()));
            Ok(client)
        }
        None => Client::unix(&runtime.ok_or_else(no_server)?.socket()).map_err(|_| no_server()),
    }
}

/// Whether a server runs, or a journal waits for the next one.
pub(crate) fn has_session(settings: &Settings) -> bool {
    let runtime = Runtime::find(settings.runtime_dir.as_deref());
    let is_kept = |runtime: Runtime| Journal::is_there(runtime.folder());
    running(settings).is_ok() || runtime.ok().flatten().is_some_and(is_kept)
}

/// The server that runs, or one that is started now. A port that was asked for
/// is somebody's own server, so nothing is started there.
pub(crate) fn reach(settings: &Settings, out: &Output) -> Result<Client, Fault> {
    // In a folder that cannot be used a server would end at once.
    Runtime::find(settings.runtime_dir.as_deref())?;
    let refused = match running(settings) {
        Ok(client) => return Ok(client),
        Err(refused) => refused,
    };
    if settings.port.is_some() || !settings.autostart {
        return Err(refused);
    }
    start()?;
    let ended =
        |_| unavailable("a server was started, but ended at once; run `nudge serve` to see why");
    let client = running(settings).map_err(ended)?;
    out.note("started a server in the background; `nudge stop` ends it");
    Ok(client)
}

/// Starts a server that outlives this process. It holds our pipe until it
/// listens, or ends.
fn start() -> Result<(), Fault> {
    let failed = |error: std::io::Error| {
        unavailable(&format!(
            "no server could be started: {error}; run `nudge serve` to see why"
        ))
    };
    let server = std::env::current_exe().map_err(failed)?;
    let mut server = Command::new(server)
        .args(["serve", "--background"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .current_dir("/")
        .spawn()
        .map_err(failed)?;
    if let Some(mut pipe) = server.stdout.take() {
        pipe.read_to_end(&mut Vec::new()).map_err(failed)?;
    }
    Ok(())
}

/// The folder where this user's processes meet.
pub(crate) fn runtime(settings: &Settings) -> Result<Runtime, Fault> {
    Ok(Runtime::open(settings.runtime_dir.as_deref())?)
}

/// The fault for a server that is not there.
pub(crate) fn no_server() -> Fault {
    unavailable("no server is running; start one with `nudge serve`")
}

fn unavailable(words: &str) -> Fault {
    Fault::Core(Error::new(ErrorKind::Unavailable, words))
}
