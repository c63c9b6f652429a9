//! What Windows has. There a session is on a port of 127.0.0.1, which anybody may connect to
//! or sit on: each side shows the other what only the session folder tells. Files are private
//! by being in the user's profile.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::net::TcpListener;
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::os::windows::io::AsSocket;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use socket2::SockRef;
use winapi_util::file::information;

use crate::connection::Connection;
use crate::folder::Runtime;
use crate::health;

/// What would listen in a session folder.
pub type LocalListener = TcpListener;

/// Whether a PRIMARY has a socket in its session folder.
pub const HAS_SOCKET: bool = false;

/// Whether a file that is open cannot be replaced by another, which depends on the disk.
pub const OPEN_FILES_KEEP_NAMES: bool = true;

/// The variables without which little works here.
pub(crate) const SYSTEM_VARIABLES: &[&str] = &[
    "SystemRoot",
    "LOCALAPPDATA",
    "APPDATA",
    "USERPROFILE",
    "TEMP",
];

/// Where others look for the folder with the PID file of the default session.
pub(crate) const PUBLISHED: Option<&str> = None;

/// Opens what has a name, and not what it leads to.
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;

/// What stands before a path that is taken as it is.
const VERBATIM: &str = r"\\?\";

/// The default folder of this user, which stands in for no other.
pub(crate) fn session_folder() -> (PathBuf, Option<PathBuf>) {
    let named = std::env::var_os("LOCALAPPDATA").map(PathBuf::from);
    let named = named.filter(|folder| folder.is_absolute());
    let usual = || {
        std::env::home_dir()
            .unwrap_or_default()
            .join(r"AppData\Local")
    };
    (named.unwrap_or_else(usual).join("nudge"), None)
}

/// The file that says where the PRIMARY of a folder answers.
pub(crate) fn socket(folder: &Path) -> PathBuf {
    folder.join("server.pid")
}

/// Nobody listens in a folder.
pub(crate) fn bind(_: &Runtime) -> io::Result<LocalListener> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The file stays: the next PRIMARY of the session takes the same port.
pub(crate) fn unbind(_: &Path) {}

/// Connects to the port that the file of a folder names, if whoever is there knows the nonce
/// in it, and only then shows it the token.
pub(crate) fn connect(socket: &Path) -> io::Result<Connection> {
    let runtime = Runtime::as_it_is(socket.parent().unwrap_or(socket));
    let nobody = || io::Error::from(io::ErrorKind::ConnectionRefused);
    // To be told by a port that it is nobody's takes two seconds.
    if !runtime.is_locked() {
        return Err(nobody());
    }
    let identity = runtime.identity().ok_or_else(nobody)?;
    let connection = health::ours(identity.port, Some(&identity.nonce));
    // What is on the port of one that is gone is none of ours.
    let connection = connection.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData => nobody(),
        _ => error,
    })?;
    let token = runtime.token().ok_or_else(nobody)?;
    Ok(connection.shows(&token, identity.pid))
}

/// Whether the server hung up, or said something unasked, since the last response.
pub fn is_stale(socket: impl AsSocket, is_blocking: bool) -> bool {
    let socket = SockRef::from(&socket);
    let is_quiet = |error: io::Error| error.kind() == io::ErrorKind::WouldBlock;
    let looks = !is_blocking || socket.set_nonblocking(true).is_ok();
    let seen = socket.peek(&mut [std::mem::MaybeUninit::uninit()]);
    let is_as_before = !is_blocking || socket.set_nonblocking(false).is_ok();
    !(looks && is_as_before && seen.is_err_and(is_quiet))
}

/// As many wait to be accepted as the system lets.
pub fn let_queue(_: impl AsSocket, _: i32) {}

/// Nothing stops a child.
pub fn let_continue(_: u32) {}

/// Nobody is told which process holds a lock, so none is ended for it.
pub fn end(_: u32) {}

/// This user. The system knows users by more than a number; this stands for the one whose
/// profile everything is in.
#[must_use]
pub fn user() -> u32 {
    0
}

/// The user of a file.
#[must_use]
pub fn owner(_: &Metadata) -> u32 {
    user()
}

/// How many names a file has, which is told of open ones only.
#[must_use]
pub fn links(_: &Metadata) -> u64 {
    1
}

/// Who may do what with a file, as far as it can be said so.
#[must_use]
pub fn mode(seen: &Metadata) -> u32 {
    let mode = if seen.is_dir() { 0o700 } else { 0o600 };
    // A folder with this mark can be written to all the same.
    if seen.is_file() && seen.permissions().readonly() {
        return 0o400;
    }
    mode
}

/// Files have what their folder has.
pub fn set_mode(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

/// Files have what their folder has.
pub fn set_file_mode(_: &File, _: u32) -> io::Result<()> {
    Ok(())
}

/// A new file is its maker's.
pub fn keep_owner(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// What makes folders.
#[must_use]
pub fn folders(_: u32) -> DirBuilder {
    DirBuilder::new()
}

/// Files have what their folder has.
pub fn with_mode(options: &mut OpenOptions, _: u32) -> &mut OpenOptions {
    options
}

/// Has a file opened without following a link.
pub fn safely(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT)
}

/// Whether a file was not opened because it is a link: it is opened, and is no file then.
#[must_use]
pub fn is_link_error(_: &io::Error) -> bool {
    false
}

/// A folder cannot be synced.
pub fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The number of a file on its disk, which is told of open ones only.
#[must_use]
pub fn file_number(_: &Metadata) -> u64 {
    0
}

/// Whether an open file still has its name.
#[must_use]
pub fn has_name(file: &File, path: &Path) -> bool {
    let number = |file: &File| {
        let seen = information(file).ok()?;
        Some((seen.volume_serial_number(), seen.file_index()))
    };
    // To look is not to read, which a lock would forbid.
    #[expect(clippy::disallowed_methods, reason = "nothing is read from it")]
    let named = safely(OpenOptions::new().access_mode(0)).open(path);
    let named = named.ok().and_then(|named| number(&named));
    named.is_some() && named == number(file)
}

/// What a file looks like from outside.
#[must_use]
pub fn stamp(seen: &Metadata) -> super::Stamp {
    let modified = seen.modified().ok();
    let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified = modified.unwrap_or_default();
    let seconds = i64::try_from(modified.as_secs()).unwrap_or_default();
    let modified = (seconds, i64::from(modified.subsec_nanos()));
    let numbers = [seen.creation_time(), 0, seen.file_size()];
    (numbers, [modified, modified])
}

/// Whether a file can be started.
#[must_use]
pub fn is_executable(path: &Path) -> bool {
    let end = path.extension().unwrap_or_default().to_string_lossy();
    let starts = ["exe", "cmd", "bat", "com"].map(|known| end.eq_ignore_ascii_case(known));
    starts.contains(&true) && path.is_file()
}

/// What a program that a word starts may be called.
pub fn names_of_program(word: &str) -> impl Iterator<Item = String> {
    ["", ".exe", ".cmd", ".bat"]
        .into_iter()
        .map(move |end| format!("{word}{end}"))
}

/// Whether a variable has a name, in whatever case.
#[must_use]
pub fn is_variable(name: &str, known: &str) -> bool {
    name.eq_ignore_ascii_case(known)
}

/// A path as people write it.
#[must_use]
pub fn plain(path: PathBuf) -> PathBuf {
    let shown = path.to_str().and_then(|path| path.strip_prefix(VERBATIM));
    // A path of another machine needs more than that.
    let shown = shown.filter(|path| !path.starts_with("UNC"));
    shown.map(PathBuf::from).unwrap_or(path)
}
