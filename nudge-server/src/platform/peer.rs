//! Who is on the other end of a loopback connection: its uid, asked of the kernel.
//!
//! TCP has no peer credentials. On Linux the kernel tells the owner of any
//! socket by its addresses (`sock_diag`), and the other end of a loopback
//! connection is a socket of this machine. Elsewhere nobody is known, and
//! callers show the token.

#[cfg(target_os = "linux")]
pub use self::sock_diag::uid;

/// The uid of the other end, which this system does not tell.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn uid(_: &tokio::net::TcpStream) -> Option<u32> {
    None
}

#[cfg(target_os = "linux")]
mod sock_diag;
