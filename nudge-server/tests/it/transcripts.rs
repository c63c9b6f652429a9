//! Replays the sessions in `tests/transcripts`, which are documentation as well,
//! and those in the README and in `docs`.
//!
//! In a block of a `console`, a line that starts with `$` is typed into a shell,
//! lines that start with `>` go on with it, `? 1` is its exit status where that is
//! not 0, and the rest is what it prints, stderr too. In an expected line `[..]`
//! stands for anything. `$ # 5 minutes later` sets the clock of the server, and `$ # observe`
//! has it record what happens from then on.
//! `UPDATE=1` writes down what was printed.

mod at_terminal;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use nudge_server::config::SessionSettings;

use crate::checkout::checkout;
use crate::conformance::adapter::file;
use crate::docs::page::{CONSOLE, FENCE, run_elsewhere, with_blocks_of};
use crate::folder_server::FolderServer;
use crate::process::Folder;

const START: &str = "2025-11-04T10:00:00Z";

/// Where the folders of a session seem to lie.
const ROOT: &str = "/work";

#[test]
fn every_session_prints_what_its_transcript_says() {
    prints_what_it_says(transcripts());
}

#[test]
fn every_session_of_the_readme_and_the_docs_prints_what_it_says() {
    let mut pages = with_blocks_of("console");
    pages.retain(|path| !run_elsewhere(path));
    assert!(pages.len() > 3, "the pages are not all there");
    prints_what_it_says(pages);
}

/// Replays files, each in a session of its own.
fn prints_what_it_says(paths: Vec<PathBuf>) {
    let mut wrong = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let replayed = Session::start().replay(&text);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, replayed).unwrap();
        } else if text != replayed {
            let difference = diffy::create_patch(&text, &replayed);
            wrong.push(format!("{}\n{difference}", path.display()));
        }
    }
    let hint = "(`UPDATE=1` writes down what was printed)";
    assert!(wrong.is_empty(), "{}\n{hint}", wrong.join("\n"));
}

#[test]
fn every_session_opens_with_a_sentence() {
    for path in transcripts() {
        let text = fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let is_sentence = first.ends_with(['.', ':']) && first.starts_with(char::is_uppercase);
        assert!(is_sentence, "{} opens with {first:?}", path.display());
    }
}

fn transcripts() -> Vec<PathBuf> {
    let entries = fs::read_dir(file("tests/transcripts")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_transcript = |path: &PathBuf| path.extension().is_some_and(|end| end == "trycmd");
    let mut paths: Vec<PathBuf> = paths.filter(is_transcript).collect();
    paths.sort();
    assert!(paths.len() > 5, "the transcripts are not all there");
    paths
}

/// A server, a home, and a checkout of `acme/http-proxy` on the branch `dev` to sit in.
pub(crate) struct Session {
    server: FolderServer,
    root: Folder,
}

impl Session {
    pub(crate) fn start() -> Session {
        let root = crate::process::folder();
        checkout(&root.path().join("http-proxy"), "http-proxy", "dev");
        for folder in ["http-proxy/src", "home"] {
            fs::create_dir(root.path().join(folder)).unwrap();
        }
        Session {
            server: FolderServer::start(SessionSettings::default().config(), START),
            root,
        }
    }

    /// The folder that the checkout and the home are in.
    pub(crate) fn path(&self) -> &Path {
        self.root.path()
    }

    /// The transcript as it is when its commands are typed now.
    fn replay(&self, text: &str) -> String {
        let mut replayed = String::new();
        let mut lines = text.lines().peekable();
        let mut is_console = false;
        while let Some(line) = lines.next() {
            replayed.push_str(line);
            replayed.push('\n');
            if line.starts_with(FENCE) {
                is_console = line == CONSOLE;
            }
            let Some(typed) = line.strip_prefix("$ ").filter(|_| is_console) else {
                continue;
            };
            let mut typed = typed.to_owned();
            while let Some(more) = lines.next_if(|line| line.starts_with('>')) {
                replayed.push_str(more);
                replayed.push('\n');
                typed = format!("{typed}\n{}", more.trim_start_matches('>'));
            }
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ") && *line != FENCE) {
                expected.push(line);
            }
            replayed.push_str(&self.answered(&typed, &expected));
        }
        replayed
    }

    /// What is printed, in the words of the transcript where those fit.
    fn answered(&self, typed: &str, expected: &[&str]) -> String {
        let printed = self.typed(typed);
        let mut printed: Vec<&str> = printed.lines().collect();
        // A blank line before the next command is there for the reader.
        if expected.last() == Some(&"") && printed.last() != Some(&"") {
            printed.push("");
        }
        let mut lines = String::new();
        for (index, line) in printed.iter().enumerate() {
            let pattern = expected.get(index).filter(|pattern| fits(pattern, line));
            lines.push_str(pattern.unwrap_or(line));
            lines.push('\n');
        }
        lines
    }

    pub(crate) fn typed(&self, typed: &str) -> String {
        let later = typed.strip_prefix("# ");
        if let Some(later) = later.and_then(|rest| rest.strip_suffix(" minutes later")) {
            let minutes: u64 = later.parse().unwrap();
            self.server.advance(Duration::from_secs(60 * minutes));
            return String::new();
        }
        if typed == "# observe" {
            self.server.observe();
            return String::new();
        }
        let mut shell = self.in_checkout("/bin/sh");
        if typed.contains("nudge hook") {
            // A busy machine is no reason to print less.
            shell.env("NUDGE_HOOK_MS", "60000");
        }
        let output = shell.args(["-c", &format!("exec 2>&1\n{typed}")]).output();
        let output = output.unwrap();
        let printed = self.shown(output.stdout);
        match output.status.code() {
            Some(0) => printed,
            Some(status) => format!("? {status}\n{printed}"),
            None => panic!("`{typed}` was ended: {printed}"),
        }
    }

    /// What is printed where a terminal is, with its colours.
    pub(crate) fn typed_at_terminal(&self, typed: &str) -> String {
        let mut terminal = self.in_checkout("/usr/bin/script");
        let output = terminal.args(["-qec", typed, "/dev/null"]).output();
        let mut printed = output.unwrap().stdout;
        printed.retain(|byte| *byte != b'\r');
        self.shown(printed)
    }

    /// A program in the checkout, which finds our binary and the server.
    fn in_checkout(&self, program: &str) -> Command {
        let binary = Path::new(env!("CARGO_BIN_EXE_nudge")).parent().unwrap();
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", binary.display()))
            .env("NUDGE_RUNTIME_DIR", self.server.folder())
            .env("NUDGE_AUTOSTART", "0")
            .env("HOME", self.root.path().join("home"))
            .env("TZ", "UTC")
            .current_dir(self.root.path().join("http-proxy"));
        command
    }

    /// What was printed, in the words of a session that a reader may have had.
    fn shown(&self, printed: Vec<u8>) -> String {
        let root = self.root.path().to_str().unwrap();
        let printed = String::from_utf8(printed).unwrap().replace(root, ROOT);
        let lines = printed.split_inclusive('\n').map(|line| {
            // The command asks the clock of the machine how long ago that was, and
            // the server that of the test, where it was now.
            match line.rsplit_once(", ") {
                Some((who, ago)) if who.starts_with("  set by ") && ago.ends_with(" ago\n") => {
                    format!("{who}, 0s ago\n")
                }
                _ => with_no_age(line),
            }
        });
        lines.collect()
    }
}

/// A line in which what is as old as the clock of the test, in days, is as old as nothing.
fn with_no_age(line: &str) -> String {
    let mut parts = line.split("d ago");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let number = shown.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let digits = shown.len() - number.len();
        shown.truncate(number.len());
        // Columns stay where they are.
        let room = if shown.ends_with("  ") { digits } else { 1 };
        shown = format!("{shown}{:>room$}s ago{part}", 0);
    }
    shown
}

/// Whether a line is what a transcript expects, in which `[..]` stands for anything.
pub(crate) fn fits(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("[..]");
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else {
        return false;
    };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = rest.get(at + part.len()..).unwrap_or_default();
        last = Some(part);
    }
    rest.is_empty() || last == Some("") || last.is_some_and(|last| rest.ends_with(last))
}

#[test]
fn dots_stand_for_anything_and_nothing_else_does() {
    for (pattern, line, is_fit) in [
        ("a", "a", true),
        ("a", "ab", false),
        ("a[..]", "abc", true),
        ("[..]c", "abcabc", true),
        ("a[..]c", "abd", false),
        ("a[..]c[..]e", "abcde", true),
        ("a[..]c[..]", "abcd", true),
        ("a[..]x[..]", "abcd", false),
        ("[..]", "", true),
        ("", "", true),
        ("", "a", false),
    ] {
        assert_eq!(fits(pattern, line), is_fit, "{pattern} {line}");
    }
}
