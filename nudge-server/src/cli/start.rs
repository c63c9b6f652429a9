//! Finding the server, and starting one where none runs.

use nudge_client::Client;
use nudge_client::client::no_server;
use nudge_client::folder::Runtime;

use crate::config::Settings;
use crate::primary::journal::Journal;
use crate::proxy::session::starter;
use crate::wire::Fault;

/// The server that runs already.
pub(crate) fn running(settings: &Settings) -> Result<Client, Fault> {
    let runtime = Runtime::find(settings.runtime_dir.as_deref())?;
    let Some(port) = settings.port else {
        let client = Client::of(&runtime.ok_or_else(no_server)?, None);
        client.reach()?;
        return Ok(client);
    };
    let identity = runtime.as_ref().and_then(Runtime::identity);
    let identity = identity.filter(|identity| identity.port == port);
    if let (Some(runtime), Some(_)) = (&runtime, &identity) {
        // It is on its socket too, where the kernel says who calls.
        let client = Client::of(runtime, None);
        if client.reach().is_ok() {
            return Ok(client);
        }
    }
    let client = Client::tcp(port, identity.as_ref().map(|identity| &*identity.nonce))?;
    // It knew the nonce of the folder, so the key of the folder is its own.
    Ok(match runtime {
        Some(runtime) => client.with_key_of(runtime.folder()),
        None => client,
    })
}

/// The server that runs, or one that is started now. A port that was asked for
/// is somebody's own server, so nothing is started there.
pub(crate) fn reach(settings: &Settings) -> Result<Client, Fault> {
    if settings.port.is_some() {
        return running(settings);
    }
    let client = Client::of(&runtime(settings)?, starter(settings));
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

/// Whether there is a session, be there a server or not.
pub(crate) fn is_there(settings: &Settings) -> bool {
    let runtime = Runtime::find(settings.runtime_dir.as_deref());
    let runtime = runtime.ok().flatten();
    runtime.is_some_and(|runtime| Journal::is_there(runtime.folder()))
}

/// The folder where this user's processes meet.
pub(crate) fn runtime(settings: &Settings) -> Result<Runtime, Fault> {
    Ok(Runtime::open(settings.runtime_dir.as_deref())?)
}
