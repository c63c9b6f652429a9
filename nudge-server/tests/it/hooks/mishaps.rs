//! A hook never blocks its host: it ends well and says nothing, whatever state
//! the server, the event and its pipes are in.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, Output};

use crate::process::Folder as TempDir;
use serde_json::json;

use super::{PATIENT, ended, ended_soon, hook, silent, told, well};
use crate::doctor::answering;
use crate::process::until;

const START: &str = r#"{"hook_event_name": "SessionStart", "source": "startup", "cwd": "/"}"#;

pub(super) fn folder() -> TempDir {
    let folder = crate::process::folder();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o700)).unwrap();
    folder
}

/// A server that answers with a text to whatever comes.
pub(super) fn talkative(runtime: &Path, text: &str) {
    let answer = json!({"text": text, "env_names": []});
    answering(&runtime.join("nudge.sock"), &answer);
}

/// A hook that was told of a start.
fn begun(hook: &mut Command) -> Child {
    let mut child = hook.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(START.as_bytes()).unwrap();
    child
}

/// A hook whose server is there and does not answer.
fn in_vain(runtime: &Path) -> Output {
    ended_soon(begun(&mut hook(runtime, "claude")))
}

#[test]
fn a_session_that_starts_has_a_server_and_nothing_else_makes_one() {
    let folder = folder();
    let runtime = folder.path().join("nudge");
    let command =
        r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"}}"#;
    silent(&told(&mut hook(&runtime, "claude"), command));
    assert!(!runtime.exists());
    silent(&told(&mut hook(&runtime, "claude"), START));
    assert!(crate::process::primary(&runtime).is_some());
    // Where there is a session, any event has its server back, and does not wait for it.
    crate::process::end_server(&runtime);
    silent(&told(&mut hook(&runtime, "claude"), command));
    until("a server goes on", || {
        crate::process::primary(&runtime).is_some()
    });
}

#[test]
fn a_socket_that_nobody_listens_on_is_silence() {
    let folder = folder();
    drop(UnixListener::bind(folder.path().join("nudge.sock")).unwrap());
    silent(&told(&mut hook(folder.path(), "claude"), START));
}

#[test]
fn a_folder_that_is_not_ours_is_silence() {
    let folder = folder();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("/", &link).unwrap();
    for runtime in [link.as_path(), Path::new("relative"), Path::new("/proc/1")] {
        let told = told(hook(runtime, "claude").current_dir(folder.path()), START);
        silent(&told);
    }
}

#[test]
fn a_server_that_never_answers_is_not_waited_for() {
    let folder = folder();
    let listener = UnixListener::bind(folder.path().join("nudge.sock")).unwrap();
    let held = std::thread::spawn(move || listener.accept().unwrap());
    silent(&in_vain(folder.path()));
    held.join().unwrap();
}

#[test]
fn an_answer_is_printed_in_the_host_s_shape() {
    let folder = folder();
    let text = "Nudge: \"make\"";
    talkative(folder.path(), text);
    let specific = json!({"hookEventName": "SessionStart", "additionalContext": text});
    let cursors = r#"{"hook_event_name": "sessionStart", "cursor_version": "3"}"#;
    let plain = r#"{"event": "session_start"}"#;
    for (words, event, answer) in [
        ("claude", START, json!({ "hookSpecificOutput": specific })),
        (
            "copilot sessionStart",
            "{}",
            json!({ "additionalContext": text }),
        ),
        ("cursor", cursors, json!({ "additional_context": text })),
        ("opencode", plain, json!({ "text": text })),
    ] {
        let mut command = hook(folder.path(), words);
        let told = told(command.env("NUDGE_HOOK_MS", PATIENT), event);
        let expected = (format!("{answer}\n"), String::new());
        assert_eq!(well(&told), expected, "{words}");
    }
}

#[test]
fn what_is_no_event_of_ours_is_silence() {
    let folder = folder();
    talkative(folder.path(), "unasked");
    let cases = json!([
        ["claude", {"hook_event_name": "Notification", "prompt": "hello"}],
        ["claude", {"hook_event_name": "Invented", "cwd": 7}],
        ["claude", {"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {"command": "make"}}],
        ["claude", {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}}],
        // Cursor runs the hooks of Claude Code as well as its own.
        ["claude", {"hook_event_name": "SessionStart", "cursor_version": "3.2"}],
        ["claude", []],
        ["claude", 7],
        ["cursor", {"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": {"command": "make"}}],
        ["copilot", {}],
        ["copilot invented", {}],
        ["generic", {"event": "other"}],
        ["opencode", {"event": "session_start", "cwd": {"a": 1}}],
    ]);
    for case in cases.as_array().unwrap() {
        let words = case[0].as_str().unwrap();
        let mut command = hook(folder.path(), words);
        let told = told(command.env("NUDGE_HOOK_MS", PATIENT), case[1].to_string());
        if ["generic", "opencode"].contains(&words) {
            // A field that means nothing is passed over, and not the event.
            let (printed, said) = well(&told);
            assert!(!printed.is_empty() && said.is_empty(), "{said}");
            continue;
        }
        silent(&told);
    }
}

#[test]
fn misuse_and_garbage_are_one_line_and_no_failure() {
    let folder = folder();
    for (words, event, said) in [
        ("", "{}", "nudge: no host ``; name one of "),
        ("vim", "{}", "nudge: no host `vim`; name one of "),
        ("claude", "", "nudge: there is no event on stdin"),
        ("generic", "{}", "nudge: "),
        ("generic", "[]", "nudge: "),
        ("generic", "no event", "nudge: "),
        (
            "generic",
            r#"{"event": "after_comand"}"#,
            "nudge: no event `after_comand`; the nearest is `after_command`\n",
        ),
        (
            "claude",
            "token=hunter2 {",
            "nudge: the event is not JSON at line 1, column 2",
        ),
        (
            "claude --frob --json",
            "\u{0}",
            "nudge: the event is not JSON at line 1, column 1",
        ),
    ] {
        let mut command = hook(folder.path(), words);
        let told = told(command.env("NUDGE_HOOK_MS", PATIENT), event);
        let (printed, line) = well(&told);
        assert_eq!(printed, "", "{words}");
        assert!(line.starts_with(said), "{words}: {line}");
        assert_eq!(line.matches('\n').count(), 1, "{line}");
        assert!(!line.contains("hunter2"), "{line}");
    }
}

#[test]
fn ten_megabytes_of_output_are_read_to_their_end() {
    let folder = folder();
    talkative(folder.path(), "done");
    let event = json!({
        "hook_event_name": "PostToolUse", "tool_name": "Bash", "cwd": "/",
        "tool_input": {"command": "make"}, "tool_response": {"stdout": "x".repeat(10_000_000)},
    });
    let mut command = hook(folder.path(), "claude");
    let told = told(command.env("NUDGE_HOOK_MS", PATIENT), event.to_string());
    assert!(well(&told).0.contains("done"));
    // And in the usual time it ends as well as ever.
    let told = super::told(&mut hook(folder.path(), "claude"), event.to_string());
    assert_eq!(well(&told).1, "");
}

#[test]
fn an_event_that_never_ends_is_not_waited_for() {
    let folder = folder();
    let mut child = hook(folder.path(), "claude").spawn().unwrap();
    let open = child.stdin.take();
    silent(&ended(child));
    drop(open);
}

#[test]
fn a_host_that_listens_no_more_is_no_failure() {
    let folder = folder();
    talkative(folder.path(), &"x".repeat(100_000));
    let mut command = hook(folder.path(), "claude");
    let mut child = begun(command.env("NUDGE_HOOK_MS", PATIENT));
    drop(child.stdout.take());
    silent(&ended(child));
}

#[test]
fn settings_that_mean_nothing_change_nothing() {
    let folder = folder();
    talkative(folder.path(), "heard");
    let mut command = hook(folder.path(), "claude");
    command.envs([
        ("NUDGE_MAX_HINTS", "many"),
        ("NUDGE_PRIME_TOKENS", "-1"),
        ("NUDGE_HOOK_MS", PATIENT),
    ]);
    assert!(well(&told(&mut command, START)).0.contains("heard"));
}
