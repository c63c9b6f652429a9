//! `nudge ui`: the address of the page, and the browser that it is opened in.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Output;

use serde_json::{Value, json};

use crate::folder_server::FolderServer;
use crate::process::{Folder, Server, nudge_in};
use crate::says::Says;

/// A server, and a folder with programs that note what they are given.
struct WriteContext {
    runtime: Folder,
    programs: Folder,
    server: Server,
}

impl WriteContext {
    fn new() -> WriteContext {
        let (runtime, programs) = (crate::process::folder(), crate::process::folder());
        let server = Server::start(runtime.path());
        WriteContext {
            runtime,
            programs,
            server,
        }
    }

    /// Puts a program there. It ends with a status once it has noted its words.
    fn install(&self, name: &str, status: u8) {
        let path = self.programs.path().join(name);
        let noted = self.noted_path(name);
        let script = format!(
            "#!/bin/sh\nprintf '%s\\n' \"$@\" >{}\necho noise; echo noise >&2; exit {status}\n",
            noted.display()
        );
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn noted_path(&self, name: &str) -> PathBuf {
        self.programs.path().join(format!("{name}.noted"))
    }

    /// What a program was given; nothing if it was not started.
    fn noted(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.noted_path(name)).ok()
    }

    fn ui(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        let mut command = nudge_in(self.runtime.path());
        let path = format!("{}:/bin:/usr/bin", self.programs.path().display());
        command.arg("ui").args(arguments).env("PATH", path);
        command.envs(variables.iter().copied()).output().unwrap()
    }

    /// The file that leads to the page, as it is opened.
    fn address(&self) -> String {
        format!("file://{}", self.file().display())
    }

    fn file(&self) -> PathBuf {
        self.runtime.path().join("page.html")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn the_page_is_opened_by_the_program_of_the_system() {
    let on = WriteContext::new();
    on.install("xdg-open", 0);
    let printed = on.ui(&[], &[("DISPLAY", ":0")]);
    let address = on.address();
    assert_eq!(printed.status.code(), Some(0));
    assert_eq!(text(&printed.stdout), format!("{address}\n"));
    assert_eq!(text(&printed.stderr), "opened in the browser\n");
    assert_eq!(on.noted("xdg-open"), Some(format!("{address}\n")));
    let printed = on.ui(&["--json"], &[("WAYLAND_DISPLAY", "wayland-0")]);
    let told: Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(told, json!({"url": address, "opened": true}));
}

#[test]
fn the_key_goes_from_hand_to_hand_in_a_file_for_this_user_alone() {
    let on = WriteContext::new();
    on.install("xdg-open", 0);
    // Whatever is in the place of the file, nothing is written through it.
    let target = on.programs.path().join("target");
    fs::write(&target, "kept").unwrap();
    std::os::unix::fs::symlink(&target, on.file()).unwrap();
    let printed = on.ui(&[], &[("DISPLAY", ":0")]);
    assert_eq!(fs::read_to_string(&target).unwrap(), "kept");
    let seen = fs::symlink_metadata(on.file()).unwrap();
    assert!(seen.is_file());
    assert_eq!(seen.permissions().mode() & 0o777, 0o600);
    let html = fs::read_to_string(on.file()).unwrap();
    let (_, page) = html.split_once("location.replace(\"").unwrap();
    let (page, _) = page.split_once('"').unwrap();
    let (place, handed) = page.split_once("/#key=").unwrap();
    let (key, here) = handed.split_once("&place=").unwrap();
    assert_eq!(key.len(), 64);
    // Where the user is, of which nothing can end the string that it stands in.
    assert!(here.starts_with("%7B%22cwd%22%3A%22/"), "{here}");
    let port = place.strip_prefix("http://127.0.0.1:").unwrap();
    assert!(!on.server.address().ends_with(port), "{page}");
    for seen in [
        text(&printed.stdout),
        text(&printed.stderr),
        on.noted("xdg-open").unwrap(),
    ] {
        seen.hides(key);
    }
    // The next PRIMARY has another, and what the first has left is gone.
    let file = on.file();
    on.server.kill();
    let _server = Server::start(on.runtime.path());
    assert!(!file.exists());
    let mut again = nudge_in(on.runtime.path());
    let again = again.args(["ui", "--no-open"]).output().unwrap();
    assert!(again.status.success());
    fs::read_to_string(file).unwrap().hides(key);
}

#[test]
fn a_folder_of_any_name_has_an_address() {
    let parent = crate::process::folder();
    let folder = parent.path().join("a b#c?é%");
    let _server = Server::start(&folder);
    let mut ui = nudge_in(&folder);
    let printed = ui.args(["ui", "--no-open"]).output().unwrap();
    let end = "/a%20b%23c%3F%C3%A9%25/page.html\n";
    let shown = text(&printed.stdout);
    assert!(shown.starts_with("file:///"), "{shown}");
    assert!(shown.ends_with(end), "{shown}");
}

#[test]
fn the_browser_that_is_named_comes_first_and_no_shell_reads_its_name() {
    let on = WriteContext::new();
    for (name, status) in [("xdg-open", 0), ("broken", 1), ("other", 0)] {
        on.install(name, status);
    }
    let browser = "missing:broken:other --new $(touch oops) %s;x";
    let here = [("BROWSER", browser), ("DISPLAY", ":0"), ("SSH_TTY", "x")];
    let printed = on.ui(&[], &here);
    assert_eq!(text(&printed.stderr), "opened in the browser\n");
    let address = on.address();
    let words = format!("--new\n$(touch\noops)\n{address};x\n");
    assert_eq!(on.noted("other"), Some(words));
    assert!(on.noted("broken").is_some());
    assert_eq!(on.noted("xdg-open"), None);
}

#[test]
fn without_a_browser_the_address_is_printed_and_why() {
    let on = WriteContext::new();
    let address = on.address();
    let seen = |arguments: &[&str], variables: &[(&str, &str)]| {
        let printed = on.ui(arguments, variables);
        assert_eq!(printed.status.code(), Some(0));
        assert_eq!(text(&printed.stdout), format!("{address}\n"));
        text(&printed.stderr)
    };
    let words =
        |why: &str| format!("no browser was opened, because {why}; open this file in one\n");
    assert_eq!(seen(&[], &[]), words("there is no display here"));
    assert_eq!(seen(&["--no-open"], &[("DISPLAY", ":0")]), "");
    on.install("xdg-open", 3);
    let nothing = "no program here opens addresses (`xdg-open` does)";
    assert_eq!(seen(&[], &[("DISPLAY", ":0")]), words(nothing));
    let far = [("DISPLAY", ":0"), ("SSH_CONNECTION", "1 2 3 4")];
    assert_eq!(seen(&[], &far), words("you are here over SSH"));
    let missing = words("what `BROWSER` names did not start");
    assert_eq!(seen(&[], &[("BROWSER", "missing")]), missing);
}

#[test]
fn a_server_that_no_browser_can_reach_is_said_so() {
    // It has a socket alone.
    let server = FolderServer::start(nudge::Config::default(), "2025-11-04T10:00:00Z");
    let printed = server.nudge().arg("ui").output().unwrap();
    assert_eq!(printed.status.code(), Some(3));
    let words = text(&printed.stderr);
    words.says("no port for a browser");
    let nowhere = crate::process::folder();
    let printed = nudge_in(nowhere.path()).arg("ui").output().unwrap();
    assert_eq!(printed.status.code(), Some(3));
    text(&printed.stderr).says("nudge serve");
}
