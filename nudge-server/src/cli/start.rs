//! Finding the server, and starting one where none runs.

use nudge_client::Client;
use nudge_client::client::no_server;
use nudge_client::folder::Runtime;

use crate::config::Settings;
use crate::proxy::session::starter;
use crate::wire::Fault;

pub(crate) fn running(settings: &Settings) -> Result<Client, Fault> {
    let runtime = Runtime::find(settings.runtime_dir.as_deref())?;
    let identity = runtime.as_ref().and_then(Runtime::identity);
    let is_its = |port: u16| identity.is_some_and(|identity| identity.port == port);
    match settings.port {
        // The server of the folder is on its socket, where the kernel says who calls.
        Some(port) if !is_its(port) => Client::tcp(port, None),
        _ => {
            let client = Client::of(&runtime.ok_or_else(no_server)?, None);
            client.reach()?;
            Ok(client)
        }
    }
}

/// The server that runs, or one that is started now. A port that was asked for
/// is somebody's own server, so nothing is started there.
pub(crate) fn reach(settings: &Settings) -> Result<Client, Fault> {
    if settings.port.is_some() {
        return running(settings);
    }
    let runtime = Runtime::open(settings.runtime_dir.as_deref())?;
    let client = Client::of(&runtime, starter(settings));
    client.reach()?;
    Ok(client)
}

/// The server of the session that there is: one that runs, or one that is started to go
/// on with it. Where there is no session, none is begun.
pub(crate) fn of_session(settings: &Settings) -> Result<Client, Fault> {
    if is_there(settings) {
        return reach(settings);
    }
    running(settings)
}

pub(crate) fn is_there(settings: &Settings) -> bool {
    let runtime = Runtime::find(settings.runtime_dir.as_deref());
    let runtime = runtime.ok().flatten();
    runtime.is_some_and(|runtime| runtime.identity().is_some())
}
