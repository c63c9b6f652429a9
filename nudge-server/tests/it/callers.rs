//! Who calls: what is believed of whom, over real HTTP and the real binary.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

use nudge::{Config, Via};
use nudge_server::wire::sender::Sender;
use serde_json::{Value, json};

use crate::folder_server::FolderServer;
use crate::mcp::host::{Ends, Host};
use crate::process::{Server, nudge, printed, serve, until};
use crate::says::Says;
use crate::served::Served;

/// What a forger puts into the header.
const CLAIMS: &str =
    r#""via":"cli","actor":"user","client":"nudge/1","session":"s-1","repo":"git:a/b""#;

/// The headers of callers who cannot show the key.
fn forged() -> [String; 4] {
    [
        String::new(),
        format!("Nudge-Origin: {{{CLAIMS}}}\r\n"),
        format!("Nudge-Origin: {{{CLAIMS},\"key\":\"\"}}\r\n"),
        format!(
            "Nudge-Origin: {{{CLAIMS},\"key\":\"{}\"}}\r\n",
            "0".repeat(64)
        ),
    ]
}

/// What came of a call: the result, or the code of the error.
fn asked(server: &Served, request: String) -> Result<Value, i64> {
    let mut response = server.tcp().ask(request).json();
    match response.get("error") {
        Some(error) => Err(error["code"].as_i64().unwrap()),
        None => Ok(response["result"].take()),
    }
}

fn build(value: &str) -> Value {
    json!({"component": "api", "key": "build", "value": value})
}

#[test]
fn who_does_not_show_the_key_is_a_program_whatever_it_claims() {
    let server = Served::new();
    for (number, headers) in forged().into_iter().enumerate() {
        let hint = json!({"component": "api", "key": format!("k{number}"), "value": "make"});
        let set = asked(&server, server.call_with(&headers, "nudge.set_hint", &hint)).unwrap();
        let mut origin = set["hint"]["meta"]["origin"].clone();
        origin.as_object_mut().unwrap().remove("at");
        assert_eq!(origin, json!({"via": "http"}), "{headers}");

        let propose = server.call("nudge.propose", &json!({"component": "api", "key": "test", "value": headers.len().to_string(), "why": "seen"}));
        let id = asked(&server, propose).unwrap()["proposal"]["id"].clone();
        for (method, params) in [
            ("nudge.accept", json!({"id": id})),
            ("nudge.reject", json!({"id": id})),
            (
                "nudge.on_event",
                json!({"event": "session_start", "host": "codex"}),
            ),
        ] {
            let refused = asked(&server, server.call_with(&headers, method, &params));
            assert_eq!(refused, Err(40301), "{method} {headers}");
        }
        // Who may not change anything may still read.
        let get = server.call_with(&headers, "nudge.list_proposals", &json!({}));
        assert_eq!(asked(&server, get).unwrap()["proposals"][0]["id"], id);
        asked(&server, server.call("nudge.reject", &json!({"id": id}))).unwrap();
    }
}

#[test]
fn who_shows_the_key_is_who_it_says() {
    let server = Served::new();
    let codex = Sender::new(Via::Mcp, Some("codex/1".to_owned())).session(Some("s-1".to_owned()));
    let set = asked(
        &server,
        server.call_as(&codex, "nudge.set_hint", &build("make")),
    )
    .unwrap();
    let origin = &set["hint"]["meta"]["origin"];
    assert_eq!(
        (&origin["via"], &origin["client"], &origin["session"]),
        (&json!("mcp"), &json!("codex/1"), &json!("s-1"))
    );
    assert_eq!(set["hint"]["meta"]["source"], "agent");

    let hook = Sender::new(Via::Hook, Some("codex".to_owned()));
    let event = json!({"event": "session_start"});
    asked(&server, server.call_as(&hook, "nudge.on_event", &event)).unwrap();
    let refused = asked(&server, server.call_as(&codex, "nudge.on_event", &event));
    assert_eq!(refused, Err(40301));
}

#[test]
fn only_who_shows_the_key_names_a_member() {
    let server = Served::new();
    let hello = |client: &str| json!({"pid": 7, "client": client, "cwd": "/"});
    let mut connection = server.tcp();
    let mut named_by = |request: String| {
        let greeting = connection.ask(request).json();
        assert_eq!(greeting["result"]["product"], "nudge", "{greeting}");
        let mut members = server.primary.members().into_iter();
        members.nth(1).and_then(|member| member.client)
    };
    for headers in forged() {
        let named = named_by(server.call_with(&headers, "nudge.hello", &hello("evil/1")));
        assert_eq!(named, None, "{headers}");
    }
    let agent = Sender::new(Via::Mcp, Some("codex/1".to_owned()));
    let named = named_by(server.call_as(&agent, "nudge.hello", &hello("evil/1")));
    assert_eq!(named, None);
    let named = named_by(server.call("nudge.hello", &hello("codex/1")));
    assert_eq!(named.as_deref(), Some("codex/1"));
}

#[test]
fn nobody_introduces_another_process_or_has_much_of_itself_kept() {
    let server = Served::new();
    let hello = json!({"pid": 1, "client": "x".repeat(1 << 20), "cwd": "/".repeat(1 << 20)});
    let mut connection = server.unix();
    connection.ask(server.call("nudge.hello", &hello)).json();
    let members = server.primary.members();
    let [_, member] = &members[..] else {
        panic!("{members:?}");
    };
    assert_eq!(member.pid, std::process::id());
    assert_eq!(member.context, None);
    assert!(member.client.as_ref().unwrap().len() < 1000);
}

#[test]
fn the_cli_in_an_agents_shell_is_that_agent() {
    let server = FolderServer::start(Config::default(), "2025-11-04T10:00:00Z");
    let codex = [("CODEX_THREAD_ID", "s-1"), ("CI", "true")];
    let user = [("CI", "true"), ("CLAUDECODE", "")];
    let why = "this is codex's shell (`CODEX_THREAD_ID` is set), ";

    // What is printed, of a command that ends so.
    let typed = |shell: &[(&str, &str)], line: &[&str], status| {
        let (ended, text) = printed(server.nudge().envs(shell.iter().copied()).args(line));
        assert_eq!(ended, status, "{line:?}: {text}");
        text
    };

    typed(&user, &["set", "api", "build", "make"], 0);
    let text = typed(&codex, &["set", "api", "build", "make evil"], 0);
    text.says(why).says("`nudge accept 1`");
    let text = typed(&codex, &["--json", "set", "api", "build", "make more"], 0);
    let set: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let note = set["note"].as_str().unwrap();
    assert!(note.contains("`nudge accept 2`"), "{text}");
    let origin = &set["proposal"]["hint"]["meta"]["origin"];
    assert_eq!(
        (&origin["via"], &origin["client"], &origin["session"]),
        (&json!("cli"), &json!("codex"), &json!("s-1"))
    );

    let text = typed(&codex, &["--json", "accept", "2"], 2);
    let error: Value = serde_json::from_str(&text).unwrap();
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with(why), "{text}");
    message.says("; ask the user to run `nudge --json accept 2`");

    typed(&codex, &["prime"], 0);
    typed(&user, &["accept", "2"], 0);
    let text = typed(&user, &["get", "api", "build", "--raw"], 0);
    assert_eq!(text, "make more\n");
}

fn key(folder: &Path) -> Option<String> {
    let file = folder.join("client.key");
    let key = fs::read_to_string(&file).ok()?;
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(
        key.len() == 64 && key.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{key}"
    );
    Some(key)
}

#[test]
fn a_session_has_one_key_for_life_which_its_clients_show() {
    let folder = crate::process::folder();
    let run = |line: &[&str]| {
        let mut command = crate::faults::command(folder.path(), line);
        printed(command.env("NUDGE_AUTOSTART", "0"))
    };
    let set_by_user = || {
        let (_, text) = run(&["--json", "set", "api", "build", "make"]);
        // What the user is told besides is on stderr.
        let json = text.lines().find(|line| line.starts_with('{')).unwrap();
        let set: Value = serde_json::from_str(json).unwrap();
        let origin = &set["hint"]["meta"]["origin"];
        assert_eq!(origin["via"], "cli", "{text}");
    };
    let first = Server::start(folder.path());
    let first_key = key(folder.path()).unwrap();
    set_by_user();
    let port = first.address().rsplit(':').next().unwrap().to_owned();
    let (status, text) = run(&["--port", &port, "stop"]);
    assert_eq!(status, 0, "{text}");
    until("the key goes", || key(folder.path()).is_none());
    drop(first);

    let second = Server::start(folder.path());
    let second_key = key(folder.path()).unwrap();
    assert_ne!(second_key, first_key);
    set_by_user();
    fs::remove_file(folder.path().join("client.key")).unwrap();
    until("the key is back", || {
        key(folder.path()).as_ref() == Some(&second_key)
    });
    // A server that was ended without a warning leaves its session to the next.
    second.kill();
    let third = Server::start(folder.path());
    assert_eq!(key(folder.path()), Some(second_key));
    set_by_user();
    drop(third);
}

/// What an agent's host tells of a command that ran in a folder.
pub(crate) fn ran_in(runtime: &Path, folder: &Path, more: &Value) {
    let mut event = json!({"hook_event_name": "PostToolUse", "session_id": "s-1",
        "cwd": folder, "tool_name": "Bash", "tool_input": {"command": "ls"},
        "tool_response": "", "tool_use_id": "1"});
    let fields = more.as_object().unwrap().clone();
    event.as_object_mut().unwrap().extend(fields);
    let mut hook = nudge();
    hook.args(["hook", "codex"])
        .env("NUDGE_RUNTIME_DIR", runtime)
        .env("NUDGE_HOOK_MS", "60000");
    let mut child = hook.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(event.to_string().as_bytes()).unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_agent_is_where_its_hook_saw_it_last_within_its_worktree() {
    let runtime = crate::process::folder();
    let work = crate::process::folder();
    let work = work.path().canonicalize().unwrap();
    let [ours, other] = ["ours", "other"].map(|name| work.join(name));
    for checkout in [&ours, &other] {
        fs::create_dir_all(checkout.join(".git")).unwrap();
        fs::create_dir_all(checkout.join("web/src")).unwrap();
    }
    let _primary = Server::start(runtime.path());
    let mut codex = serve(runtime.path());
    codex.current_dir(&ours).env("CODEX_THREAD_ID", "s-1");
    let mut codex = Host::run(codex, Ends::Pipes);
    let client = json!({"name": "codex-mcp-client", "version": "1"});
    let opening =
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    codex.request("initialize", opening);
    let mut used = |context: Value| {
        let found = codex.full("nudge_query", json!({"context": context}));
        found["context_used"]["cwd"]
            .as_str()
            .map(Path::new)
            .map(Path::to_owned)
    };
    assert_eq!(used(json!({})), Some(ours.clone()));
    ran_in(runtime.path(), &ours.join("web"), &json!({}));
    assert_eq!(used(json!({})), Some(ours.join("web")));
    assert_eq!(used(json!(null)), Some(ours.join("web")));
    assert_eq!(used(json!({"cwd": ours})), Some(ours.clone()));
    // Neither a subagent, nor another session, nor another worktree is where the agent is.
    ran_in(
        runtime.path(),
        &ours.join("web/src"),
        &json!({"agent_id": "a"}),
    );
    ran_in(
        runtime.path(),
        &ours.join("web/src"),
        &json!({"session_id": "s-2"}),
    );
    assert_eq!(used(json!({})), Some(ours.join("web")));
    ran_in(runtime.path(), &other.join("web"), &json!({}));
    assert_eq!(used(json!({})), Some(ours.clone()));

    let set = codex.full("nudge_set_hint", build("make"));
    assert_eq!(set["hint"]["meta"]["origin"]["session"], "s-1", "{set}");
}
