//! What only some systems tell about processes; the rest of this crate is portable.
//!
//! Where a system tells nothing, the session folder has to do: it is this user's alone, and
//! so is whoever has a socket in it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::health::proof;

#[doc(hidden)]
pub mod linux;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;

/// What most files of the kernel have at most, in bytes.
const KERNEL_TEXT: usize = 1024;

/// Makes a Linux do as a system that tells nothing, so that this is tried as well.
const PORTABLE: &str = "NUDGE_PORTABLE";

/// Whether the kernel is asked nothing that only Linux tells.
#[must_use]
pub fn is_portable() -> bool {
    cfg!(not(target_os = "linux")) || std::env::var_os(PORTABLE).is_some()
}

/// The process that holds the lock on a file; `None` also where the kernel does not tell.
#[must_use]
pub fn lock_holder(path: &Path) -> Option<u32> {
    if is_portable() {
        return None;
    }
    linux::lock_holder(path)
}

/// This machine or container, by its id or else its name; a hash, since these are not for
/// others. Systems that have neither file are one machine.
#[must_use]
pub fn machine_id() -> &'static str {
    static ID: LazyLock<String> = LazyLock::new(|| {
        let files = ["/etc/machine-id", "/proc/sys/kernel/hostname"];
        let mut names = files.into_iter().filter_map(kernel_text);
        let name = names.find(|name| !name.trim().is_empty());
        proof(&name.unwrap_or_default(), "machine").split_off(48)
    });
    &ID
}

/// What the kernel, or whoever set this machine up, says at the start of a file, which is all of
/// most.
#[expect(clippy::disallowed_methods, reason = "only root writes it")]
fn kernel_text(path: &str) -> Option<String> {
    let mut text = [0; KERNEL_TEXT];
    let length = File::open(path).ok()?.read(&mut text).ok()?;
    Some(String::from_utf8_lossy(text.get(..length)?).into_owned())
}

/// Whether a folder is on a tmpfs or ramfs; false where the kernel does not tell.
pub(crate) fn is_in_memory(folder: &Path) -> bool {
    #[cfg(target_os = "linux")]
    if let Ok(disk) = rustix::fs::statfs(folder) {
        return matches!(u32::try_from(disk.f_type), Ok(0x0102_1994 | 0x8584_58f6));
    }
    let _ = folder;
    false
}

/// The programs above this process, the nearest first, each by all its names; none where the
/// kernel does not tell.
pub fn parent_programs() -> impl Iterator<Item = Vec<String>> {
    let told = (!is_portable()).then(linux::parent_programs);
    told.into_iter().flatten()
}

/// Whether a process was stopped; false where the kernel does not tell.
#[must_use]
pub fn is_stopped(pid: u32) -> bool {
    !is_portable() && linux::state(pid) == Some('T')
}

/// Whether a process is at work, or would be if it had a processor or a disk, where the
/// kernel tells.
#[must_use]
pub fn is_at_work(pid: u32) -> Option<bool> {
    (!is_portable()).then(|| linux::is_at_work(pid))
}

/// Whether a process may still hold what ends with it; true where the kernel does not tell.
#[must_use]
pub fn may_be_ending(pid: u32) -> bool {
    is_portable() || linux::state(pid).is_some()
}

/// The program of this process, or the one that was installed in its place meanwhile.
pub(crate) fn this_program() -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    if program.exists() {
        return Ok(program);
    }
    // Linux says so of a program whose file was removed, and has it still.
    let shown = program.to_string_lossy();
    let replaced = shown.strip_suffix(" (deleted)").map(PathBuf::from);
    let replaced = replaced.filter(|program| program.exists());
    let kept = if is_portable() {
        program.clone()
    } else {
        "/proc/self/exe".into()
    };
    Ok(replaced.unwrap_or(kept))
}

/// What a file looks like from outside: by which numbers the system knows it, its length, and
/// when its content and anything about it last changed, in seconds and their parts.
pub type Stamp = ([u64; 3], [(i64, i64); 2]);
