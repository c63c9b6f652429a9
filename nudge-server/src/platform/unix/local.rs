//! The socket of a session folder, and connections to it.

use std::io;

use nudge_client::exchange::SILENCE;
use nudge_client::platform::own_peer;
use nudge_client::transport::Place;
use tokio::time::timeout;

/// What listens there.
pub type Listener = tokio::net::UnixListener;
/// What connects to it.
pub type Stream = tokio::net::UnixStream;

/// The user and the process at the other end.
pub(crate) fn peer(stream: &Stream) -> (Option<u32>, Option<u32>) {
    let peer = stream.peer_cred().ok();
    // A process outside of the container that this one is in has no number here.
    let pid = peer
        .and_then(|peer| u32::try_from(peer.pid()?).ok())
        .filter(|pid| *pid > 0);
    (peer.map(|peer| peer.uid()), pid)
}

/// Connects to a server, with what every request says first and the process that it is.
pub(crate) async fn connect(place: &Place) -> io::Result<(Stream, String, Option<u32>)> {
    let Place::Unix(socket) = place else {
        return Err(io::ErrorKind::Unsupported.into());
    };
    let stream = timeout(SILENCE, Stream::connect(socket)).await??;
    let peer = own_peer(&stream, socket)?;
    Ok((stream, "Host: localhost\r\n".to_owned(), peer))
}
