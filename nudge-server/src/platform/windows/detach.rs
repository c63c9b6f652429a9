//! A process that outlives the command that started it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nudge_client::folder::Runtime;
use nudge_client::listener;
use nudge_client::start::READY;
use winsafe::{CreateProcess, STARTUPINFO, co};

use crate::platform::random::nonce;
use crate::wire::identity::VERSION;

/// How long a server is waited for.
const SERVES_WITHIN: Duration = Duration::from_secs(10);

/// How long it is left alone before it is looked at again, in milliseconds.
const PAUSE: u32 = 5;

/// Starts this program again with other words after `nudge`, as nobody's child: without a
/// console, out of its starter's job where that lets it go, and with none of its handles, by
/// which whoever reads our output would wait for its end. So we wait until it serves, and say so.
pub(crate) fn start_detached<'w>(
    words: impl Iterator<Item = &'w str>,
    folder: &Path,
) -> io::Result<()> {
    let program = own_copy(&folder.join("bin"))?;
    let words: Vec<&str> = words.collect();
    let line = format!("\"{}\" {}", program.display(), words.join(" "));
    let home = program.parent().map(|folder| folder.display().to_string());
    let start = |flags| {
        let mut how = STARTUPINFO::default();
        let home = home.as_deref();
        CreateProcess(
            None,
            Some(&line),
            None,
            None,
            false,
            flags,
            &[],
            home,
            &mut how,
        )
    };
    let flags = co::CREATE::DETACHED_PROCESS | co::CREATE::NEW_PROCESS_GROUP;
    let started = start(flags | co::CREATE::BREAKAWAY_FROM_JOB).or_else(|_| start(flags));
    let server = started.map_err(|error| io::Error::other(error.to_string()))?;
    let socket = Runtime::as_it_is(folder).socket();
    let begun = Instant::now();
    while begun.elapsed() < SERVES_WITHIN && listener(&socket).is_err() {
        let ended = server.hProcess.WaitForSingleObject(Some(PAUSE));
        if ended == Ok(co::WAIT::OBJECT_0) {
            let status = server.hProcess.GetExitCodeProcess();
            // One that found another server ends as well.
            return match status {
                Ok(0) => Ok(()),
                _ => say("the server ended at once; `nudge serve --foreground` says why"),
            };
        }
    }
    say(READY.trim_end())
}

fn say(words: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{words}")
}

/// A copy of this program in a folder of the session, so that a newer one can be put in the
/// place of this one while the server runs.
fn own_copy(folder: &Path) -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let copy = folder.join(format!("nudge-{VERSION}.exe"));
    let looks = |path: &Path| {
        let seen = path.metadata().ok()?;
        Some((seen.len(), seen.modified().ok()?))
    };
    let is_there = || looks(&copy).is_some() && looks(&copy) == looks(&program);
    if is_there() {
        return Ok(copy);
    }
    fs::create_dir_all(folder)?;
    let this_version = format!("nudge-{VERSION}-");
    let made = folder.join(format!("{this_version}{}.exe", nonce()));
    fs::copy(&program, &made)?;
    if fs::rename(&made, &copy).is_err() {
        if !is_there() {
            // Another build of the same version is running.
            return Ok(made);
        }
        // Somebody was quicker.
        let _ = fs::remove_file(&made);
    }
    // What other versions have left goes, but for what runs.
    for entry in fs::read_dir(folder)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path() != copy && !name.starts_with(&this_version) {
            let _ = fs::remove_file(entry.path());
        }
    }
    Ok(copy)
}

/// Who started us sees by itself whether we serve.
pub(crate) fn tell_starter(_: Result<(), &str>) {}
