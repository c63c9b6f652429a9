//! What Unix has: sockets with a name, owners and modes of files, and signals.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

#[cfg(target_os = "linux")]
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use rustix::fs::{Access, OFlags, access};
use rustix::net::RecvFlags;
use rustix::process::{Pid, Signal, geteuid, kill_process};
use socket2::{Domain, SockAddr, Socket, Type};

use crate::connection::{Connection, WRITTEN_WITHIN};
use crate::exchange::SILENCE;
use crate::folder::{Runtime, file};
use crate::random::nonce;

/// What listens in a session folder.
pub type LocalListener = UnixListener;

/// Whether a PRIMARY has a socket in its session folder.
pub const HAS_SOCKET: bool = true;

/// Whether a file that is open cannot be replaced by another.
pub const OPEN_FILES_KEEP_NAMES: bool = false;

/// The variables without which little works here.
pub(crate) const SYSTEM_VARIABLES: &[&str] = &[];

/// The default folder, in the home: nobody else can take it away, and no cleaner of
/// `/tmp` does. It does not depend on the XDG variables: hosts filter those, and two paths
/// would be two PRIMARYs.
const IN_HOME: &str = ".local/state/nudge-hints";

/// Where it lies for a home that cannot be written to.
const BASE: &str = "/tmp";

/// Where others look for the folder with the PID file of the default session.
pub(crate) const PUBLISHED: Option<&str> = Some(BASE);

/// The longest path that the address of a socket takes on every system.
const MAX_SOCKET_PATH: usize = 100;

/// The default folder of this user, and the one that it stands in for.
pub(crate) fn session_folder() -> (PathBuf, Option<PathBuf>) {
    default_folder(std::env::home_dir(), Path::new(BASE))
}

/// The default folder of a user: in the home, or below a base where nothing can be made in
/// the home, with the one in the home.
#[must_use]
pub fn default_folder(home: Option<PathBuf>, base: &Path) -> (PathBuf, Option<PathBuf>) {
    let can_be_made = |folder: &PathBuf| {
        let mut above = folder.ancestors();
        let there = above.find(|folder| fs::symlink_metadata(folder).is_ok());
        there.is_some_and(|there| there.is_dir() && access(there, Access::WRITE_OK).is_ok())
    };
    let home = home.filter(|home| home.is_absolute());
    // A sandbox that may not write there may still reach the server.
    let is_served = |folder: &PathBuf| connect(&socket(folder)).is_ok();
    match home.map(|home| home.join(IN_HOME)) {
        Some(folder) if can_be_made(&folder) || is_served(&folder) => (folder, None),
        unusable => (in_base(base), unusable.or_else(|| Some(in_base(base)))),
    }
}

/// This user's folder below a base that everybody can write to.
fn in_base(base: &Path) -> PathBuf {
    base.join(format!("nudge-{}", user()))
}

/// Where the PRIMARY of a folder answers. A path that is too long for a socket has one below
/// `/tmp`.
pub(crate) fn socket(folder: &Path) -> PathBuf {
    let usual = folder.join("nudge.sock");
    if usual.as_os_str().len() <= MAX_SOCKET_PATH {
        return usual;
    }
    let folder = folder.as_os_str().as_bytes();
    // FNV-1a: every build must come to the same name.
    let hash = folder.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    in_base(Path::new(BASE)).join(format!("{hash:016x}.sock"))
}

/// Listens where the PRIMARY of a folder answers, in the place of whatever was there.
pub(crate) fn bind(runtime: &Runtime) -> io::Result<LocalListener> {
    let socket = runtime.socket();
    let folder = socket.parent().unwrap_or(runtime.folder());
    if folder != runtime.folder() {
        let made = Runtime::make(folder, false);
        made.map_err(|error| io::Error::other(error.to_string()))?;
    }
    let made = folder.join(format!("s{}", nonce().get(..8).unwrap_or_default()));
    let listener = UnixListener::bind(&made)?;
    // A name that cannot be taken is not left behind under another.
    let taken = set_mode(&made, 0o600).and_then(|()| file::take_name(&made, &socket));
    if taken.is_err() {
        let _ = fs::remove_file(&made);
    }
    taken.map(|()| listener)
}

/// Removes the socket of a PRIMARY that ends.
pub(crate) fn unbind(socket: &Path) {
    let _ = fs::remove_file(socket);
}

/// Connects to a socket, if its server is of this user.
///
/// The timeouts are set before it connects: a server that was stopped in its
/// tracks lets its queue fill up, and who comes then would wait forever.
pub(crate) fn connect(socket: &Path) -> io::Result<Connection> {
    let stream = Socket::new(Domain::UNIX, Type::STREAM, None)?;
    stream.set_write_timeout(Some(SILENCE))?;
    stream.set_read_timeout(Some(SILENCE))?;
    stream.connect(&SockAddr::unix(socket)?)?;
    stream.set_write_timeout(Some(WRITTEN_WITHIN))?;
    let peer = own_peer(&stream, socket)?;
    Ok(Connection::new(stream, peer, "localhost"))
}

/// Whether the server hung up, or said something unasked, since the last response.
pub fn is_stale(socket: impl AsFd, _is_blocking: bool) -> bool {
    let mut byte = [0_u8];
    let flags = RecvFlags::PEEK | RecvFlags::DONTWAIT;
    let seen = rustix::net::recv(socket, &mut byte[..], flags);
    !matches!(seen, Err(rustix::io::Errno::AGAIN))
}

/// Lets more wait to be accepted than the usual 128: who does not fit in tries again a second
/// later. Where this fails, that is how it stays.
pub fn let_queue(listener: impl AsFd, count: i32) {
    let _ = rustix::net::listen(&listener, count);
}

/// The process at the other end of a connection to a socket, where the kernel tells; an
/// error if it is another user's.
pub fn own_peer(stream: impl AsFd, socket: &Path) -> io::Result<Option<u32>> {
    let (pid, is_ours) = if super::is_portable() {
        (None, is_in_private_folder(socket))
    } else {
        kernel_peer(stream)?
    };
    if is_ours {
        return Ok(pid);
    }
    let words = "the server may be another user's";
    Err(io::Error::new(io::ErrorKind::PermissionDenied, words))
}

/// Whether only this user can have put a socket where it is.
fn is_in_private_folder(socket: &Path) -> bool {
    let folder = socket.parent().map(fs::symlink_metadata);
    let is_private =
        |seen: Metadata| seen.is_dir() && owner(&seen) == user() && mode(&seen) & 0o022 == 0;
    folder.is_some_and(|seen| seen.is_ok_and(is_private))
}

#[cfg(target_os = "linux")]
fn kernel_peer(stream: impl AsFd) -> io::Result<(Option<u32>, bool)> {
    let peer = getsockopt(&stream, PeerCredentials)?;
    // One outside of the container that this process is in has no number here.
    let pid = u32::try_from(peer.pid()).ok().filter(|pid| *pid > 0);
    Ok((pid, peer.uid() == user()))
}

#[cfg(not(target_os = "linux"))]
fn kernel_peer(_: impl AsFd) -> io::Result<(Option<u32>, bool)> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Lets a child go on that may have been stopped.
pub fn let_continue(pid: u32) {
    signal(pid, Signal::CONT);
}

/// Ends a process at once. Only who has asked the kernel for its number may.
pub fn end(pid: u32) {
    signal(pid, Signal::KILL);
}

fn signal(pid: u32, signal: Signal) {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // One that has ended has no use for it.
        let _ = kill_process(pid, signal);
    }
}

/// This user.
#[must_use]
pub fn user() -> u32 {
    geteuid().as_raw()
}

/// The user of a file.
#[must_use]
pub fn owner(seen: &Metadata) -> u32 {
    seen.uid()
}

/// How many names a file has.
#[must_use]
pub fn links(seen: &Metadata) -> u64 {
    seen.nlink()
}

/// Who may do what with a file.
#[must_use]
pub fn mode(seen: &Metadata) -> u32 {
    seen.mode() & 0o777
}

/// Says who may do what with a file.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Says who may do what with an open file.
pub fn set_file_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode))
}

/// Gives a new file to the owner of an old one.
pub fn keep_owner(file: &File, old: &Metadata) -> io::Result<()> {
    let new = file.metadata()?;
    if new.uid() != old.uid() {
        return fchown(file, Some(old.uid()), Some(old.gid()));
    }
    if new.gid() != old.gid() {
        // A group that its owner has left cannot be given back, and keeps nobody out.
        let _ = fchown(file, None, Some(old.gid()));
    }
    Ok(())
}

/// What makes folders of a mode.
#[must_use]
pub fn folders(mode: u32) -> DirBuilder {
    let mut folders = DirBuilder::new();
    folders.mode(mode);
    folders
}

/// Has a file made with a mode, if it is made.
pub fn with_mode(options: &mut OpenOptions, mode: u32) -> &mut OpenOptions {
    options.mode(mode)
}

/// Has a file opened without following a link, waiting for a FIFO, or taking a terminal.
pub fn safely(options: &mut OpenOptions) -> &mut OpenOptions {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(flags.bits().cast_signed())
}

/// Whether a file was not opened because it is a link.
#[must_use]
pub fn is_link_error(error: &io::Error) -> bool {
    rustix::io::Errno::from_io_error(error) == Some(rustix::io::Errno::LOOP)
}

/// Has the names in a folder survive a power cut.
#[expect(
    clippy::disallowed_methods,
    reason = "it is a folder, which nothing is read from"
)]
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// The number of a file on its disk.
#[must_use]
pub fn file_number(seen: &Metadata) -> u64 {
    seen.ino()
}

/// Whether an open file still has its name.
#[must_use]
pub fn has_name(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(held), Ok(named)) => (held.dev(), held.ino()) == (named.dev(), named.ino()),
        _ => false,
    }
}

/// What a file looks like from outside: device, inode, length, and when its content and
/// anything about it last changed, in seconds and their parts.
#[must_use]
pub fn stamp(seen: &Metadata) -> super::Stamp {
    let modified = (seen.mtime(), seen.mtime_nsec());
    let changed = (seen.ctime(), seen.ctime_nsec());
    ([seen.dev(), seen.ino(), seen.len()], [modified, changed])
}

/// Whether a file can be started.
#[must_use]
pub fn is_executable(path: &Path) -> bool {
    let can_start = |file: Metadata| file.is_file() && file.mode() & 0o111 != 0;
    path.metadata().is_ok_and(can_start)
}

/// What a program that a word starts may be called.
pub fn names_of_program(word: &str) -> impl Iterator<Item = String> {
    std::iter::once(word.to_owned())
}

/// Whether a variable has a name.
#[must_use]
pub fn is_variable(name: &str, known: &str) -> bool {
    name == known
}

/// A path as people write it.
#[must_use]
pub fn plain(path: PathBuf) -> PathBuf {
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_is_ours_only_where_nobody_else_can_put_one() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("nudge.sock");
        for (mode, is_ours) in [(0o700, true), (0o755, true), (0o775, false), (0o777, false)] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_in_private_folder(&socket), is_ours, "{mode:o}");
        }
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).unwrap();
        assert!(!is_in_private_folder(&link.join("nudge.sock")));
        assert!(!is_in_private_folder(Path::new("/tmp/nudge.sock")));
    }
}
