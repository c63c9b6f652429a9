//! Connections to the port that a session folder names.

use std::io;

use nudge_client::connection::Connection;
use nudge_client::transport::Place;

/// What would listen in a session folder.
pub type Listener = tokio::net::TcpListener;
/// What connects to a server.
pub type Stream = tokio::net::TcpStream;

/// The user and the process at the other end, which the system does not tell.
pub(crate) fn peer(_: &Stream) -> (Option<u32>, Option<u32>) {
    (None, None)
}

/// Connects to a server, with what every request says first and the process that it is.
pub(crate) async fn connect(place: &Place) -> io::Result<(Stream, String, Option<u32>)> {
    let place = place.clone();
    let connected = tokio::task::spawn_blocking(move || Connection::open(&place)).await;
    let (socket, head, peer) = connected.map_err(io::Error::other)??.into_parts();
    socket.set_nonblocking(true)?;
    Ok((Stream::from_std(socket.into())?, head, peer))
}
