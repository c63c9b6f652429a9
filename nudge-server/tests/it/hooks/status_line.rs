//! `nudge statusline`, as Claude Code runs it.

use std::fs;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use super::mishaps::folder;
use super::{command, ended_soon, silent, told, well};
use crate::kept::Desk;

/// What it prints in a folder for what a host writes.
fn line(desk: &Desk, cwd: &Path, said: impl AsRef<[u8]>) -> String {
    let mut command = desk.command(cwd, &["statusline"]);
    command.stdin(Stdio::piped());
    let (line, words) = well(&told(&mut command, said));
    assert_eq!(words, "");
    line
}

#[test]
fn what_applies_where_the_agent_is_and_what_waits_is_counted() {
    let desk = Desk::new();
    let (api, web) = (desk.repository("api", &[]), desk.repository("web", &[]));
    let at = |folder: &Path| json!({"workspace": {"current_dir": folder}, "cwd": "/"}).to_string();
    assert_eq!(line(&desk, &web, at(&api)), "");
    for hint in [
        &["build", "make"][..],
        &["test", "make test", "--branch", "main"],
        &["port", "8080", "--everywhere"],
        &["home", "x", "--scope-env", "PATH=/usr/bin:/bin"],
    ] {
        desk.printed(&api, &[&["set", "api"], hint].concat());
    }
    assert_eq!(line(&desk, &web, at(&api)), "nudge: 4 hints\n");
    assert_eq!(line(&desk, &api, at(&web)), "nudge: 1 hint\n");
    // Whoever says nothing that can be used is where the process is.
    for odd in ["", "no JSON", "{\"cwd\": 7}", "{\"cwd\": \"api\"}"] {
        assert_eq!(line(&desk, &api, odd), "nudge: 4 hints\n", "{odd}");
    }
    let cwd = json!({ "cwd": api }).to_string();
    assert_eq!(line(&desk, &web, cwd), "nudge: 4 hints\n");
    let mut agent = desk.command(&api, &["set", "api", "build", "ninja \u{1b}[2J"]);
    let set = agent.env("CLAUDECODE", "1").output().unwrap();
    assert!(set.status.success(), "{set:?}");
    let waits = r"1 proposal waits: api/build: ninja \x1b[2J (now: make; claude over cli would overwrite what the user has set)";
    let expected = format!("nudge: 4 hints · {waits}\n");
    assert_eq!(line(&desk, &web, at(&api)), expected);
    let of = json!({"session_id": "s-1", "cwd": api}).to_string();
    let works_on = |file: &str| {
        let edit = json!({"event": "after_edit", "host": "claude", "session": "s-1", "file": file, "context": {"cwd": api}});
        let mut hook = desk.command(&api, &["hook", "generic"]);
        well(&told(hook.stdin(Stdio::piped()), edit.to_string()));
        fs::write(api.join(file), "").unwrap();
        line(&desk, &web, &of)
    };
    // The files of its own session.
    let expected = |files: &str| format!("nudge: 4 hints · working on {files} · {waits}\n");
    assert_eq!(works_on("a.go"), expected("a.go"));
    works_on("b.go");
    assert_eq!(works_on("c.go"), expected("c.go, b.go, 1 more"));
}

#[test]
fn without_a_server_it_says_nothing_and_starts_none() {
    let runtime = folder();
    let mut command = command("statusline", runtime.path());
    command.stdin(Stdio::null());
    silent(&command.output().unwrap());
    assert_eq!(fs::read_dir(runtime.path()).unwrap().count(), 0);
    let _hangs = UnixListener::bind(runtime.path().join("nudge.sock")).unwrap();
    silent(&ended_soon(command.spawn().unwrap()));
}
