//! Standard input and output without a thread for each.
//!
//! Hosts hand over pipes or sockets, and both can be waited for by the runtime;
//! tokio's own `stdin` moves every line through another thread, which makes a
//! call nearly twice as long.

use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream as Socket;

use rustix::fs::{FileType, OFlags, fcntl_getfl, fcntl_setfl, fstat, stat};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

use crate::platform::{Input, Output, is_portable};

/// What was open when we came, as it was: whether it waits is a property that
/// other holders of the same end share, so it is put back.
pub(crate) struct Borrowed(Vec<(OwnedFd, OFlags)>);

impl Drop for Borrowed {
    fn drop(&mut self) {
        for (fd, flags) in &self.0 {
            let _ = fcntl_setfl(fd, *flags);
        }
    }
}

pub(crate) fn open() -> (Input, Output, Borrowed) {
    let (stdin, stdout) = (io::stdin(), io::stdout());
    let mut borrowed = Borrowed(Vec::new());
    let input = quick_input(stdin.as_fd(), &mut borrowed);
    let output = quick_output(stdout.as_fd(), &mut borrowed);
    (
        input.unwrap_or_else(|_| Box::new(tokio::io::stdin())),
        output.unwrap_or_else(|_| Box::new(tokio::io::stdout())),
        borrowed,
    )
}

fn quick_input(fd: BorrowedFd<'_>, borrowed: &mut Borrowed) -> io::Result<Input> {
    Ok(match kind(fd)? {
        FileType::Fifo => match reopened(|options| options.open_receiver("/proc/self/fd/0")) {
            Some(own) => Box::new(own),
            None => Box::new(pipe::Receiver::from_owned_fd(borrowed.take(fd)?)?),
        },
        FileType::Socket => Box::new(socket(borrowed.take(fd)?)?),
        _ => return Err(io::ErrorKind::Unsupported.into()),
    })
}

fn quick_output(fd: BorrowedFd<'_>, borrowed: &mut Borrowed) -> io::Result<Output> {
    Ok(match kind(fd)? {
        FileType::Fifo => match reopened(|options| options.open_sender("/proc/self/fd/1")) {
            Some(own) => Box::new(own),
            None => Box::new(pipe::Sender::from_owned_fd(borrowed.take(fd)?)?),
        },
        FileType::Socket => Box::new(socket(borrowed.take(fd)?)?),
        _ => return Err(io::ErrorKind::Unsupported.into()),
    })
}

/// The same pipe opened once more, where the system can: what we set on that concerns
/// nobody else.
fn reopened<P>(open: impl FnOnce(&pipe::OpenOptions) -> io::Result<P>) -> Option<P> {
    if is_portable() {
        return None;
    }
    open(&pipe::OpenOptions::new()).ok()
}

impl Borrowed {
    /// A second handle on an end, whose flags are noted before anybody changes them.
    fn take(&mut self, fd: BorrowedFd<'_>) -> io::Result<OwnedFd> {
        let kept = fd.try_clone_to_owned()?;
        let flags = fcntl_getfl(&kept)?;
        self.0.push((kept, flags));
        fd.try_clone_to_owned()
    }
}

fn kind(fd: BorrowedFd<'_>) -> io::Result<FileType> {
    Ok(FileType::from_raw_mode(fstat(fd)?.st_mode))
}

fn socket(fd: OwnedFd) -> io::Result<UnixStream> {
    let socket = Socket::from(fd);
    socket.set_nonblocking(true)?;
    UnixStream::from_std(socket)
}

/// How many letters fit into a line of the terminal that is written to, if it is one.
pub(crate) fn columns() -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(io::stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}

/// Whether an MCP client may be at the other end of standard input. Nobody is
/// behind a terminal, nor behind the null device that services and containers get.
pub(crate) fn has_client() -> bool {
    let input = io::stdin();
    if input.is_terminal() {
        return false;
    }
    let seen = fstat(input.as_fd());
    let null = stat("/dev/null");
    !matches!((seen, null), (Ok(seen), Ok(null)) if seen.st_rdev == null.st_rdev && seen.st_rdev != 0)
}
