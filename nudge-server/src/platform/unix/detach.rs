//! A process that outlives the command that started it.

use std::fs::File;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use close_fds::CloseFdsBuilder;
use nudge_client::start::READY;

/// Starts this program again with other words after `nudge`, as nobody's child: without a
/// terminal, in a session and process group of its own, and with no descriptor but its
/// standard ones. Whoever ends a whole tree of processes does not find it.
pub(crate) fn start_detached<'w>(
    words: impl Iterator<Item = &'w str>,
    _folder: &Path,
) -> io::Result<()> {
    // Before anything else: until then a terminal can stop us.
    let _ = rustix::process::setsid();
    CloseFdsBuilder::new().cloexecfrom(3);
    Command::new(std::env::current_exe()?)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::inherit())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map(drop)
}

/// Lets whoever started us in the background know that we serve, or why we cannot: it reads
/// our stdout to its end.
pub(crate) fn tell_starter(words: Result<(), &str>) {
    let words = words.map_or_else(str::to_owned, |()| READY.to_owned());
    // Nobody may wait for it.
    let _ = io::stdout().write_all(words.as_bytes());
    let _ = io::stdout().flush();
    #[expect(clippy::disallowed_methods, reason = "nothing is read from it")]
    let nowhere = File::options().write(true).open("/dev/null");
    if let Ok(nowhere) = nowhere {
        let _ = rustix::stdio::dup2_stdout(&nowhere);
    }
}
