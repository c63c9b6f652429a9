//! What others than the user may call, and what they may read: where they are, and nothing beyond.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use nudge::{Access, Via};
use nudge_server::primary::operations::Method;
use nudge_server::wire::sender::Sender;
use serde_json::{Value, json};

use crate::callers::ran_in;
use crate::mcp::host::{Ends, Host};
use crate::process::{Server, nudge, serve};
use crate::served::Served;

/// What others than the user may call, and why. A new method is the user's, unless it is here.
const OTHERS: [(&str, &str); 28] = [
    ("nudge.set_hint", "the user's word stands"),
    ("nudge.get_hint", "where the caller is"),
    ("nudge.query", "where the caller is"),
    ("nudge.delete_hint", "the user's word stands"),
    ("nudge.list_components", "where the caller is"),
    ("nudge.bump", "counts once in ten minutes"),
    ("nudge.export", "where the caller is, without secrets"),
    ("nudge.import", "so many sets"),
    ("nudge.set_context", "of its own agent session"),
    ("nudge.get_context", "where the caller is"),
    ("nudge.propose", "the user decides"),
    ("nudge.list_proposals", "its own"),
    ("nudge.prompt_block", "where the caller is"),
    ("nudge.on_event", "a hook's alone"),
    ("nudge.stats", "counts what the caller may read"),
    ("nudge.hello", "says what speaks here"),
    ("nudge.status", "counts what the caller may read"),
    ("nudge.stop", "where nothing of the user's ends"),
    ("nudge.delete_hints", "the user's word stands"),
    ("nudge.kept", "where the caller is"),
    ("nudge.search", "in a repository where the caller is"),
    (
        "nudge.get_observations",
        "in a repository where the caller is",
    ),
    ("nudge.timeline", "in a repository where the caller is"),
    (
        "nudge.recent_context",
        "in a repository where the caller is",
    ),
    ("nudge.log", "in a repository where the caller is"),
    ("nudge.session_trace", "in a repository where the caller is"),
    ("nudge.file_history", "in a repository where the caller is"),
    ("nudge.fix", "in a repository where the caller is"),
];

#[test]
fn a_method_is_the_users_unless_it_is_listed_here_with_its_reason() {
    let others = Method::all().filter(|method| method.about().access != Access::User);
    let mut open: BTreeSet<&str> = others.map(Method::name).collect();
    assert!(open.remove("rpc.discover"), "a document about no hint");
    assert_eq!(open, OTHERS.iter().map(|(name, _)| *name).collect());
    let server = Served::new();
    for method in Method::all().filter(|method| method.about().access == Access::User) {
        let call = server.call_with("", method.name(), &least(method));
        let answer = server.tcp().ask(call).json();
        assert_eq!(answer["error"]["code"], 40301, "{} {answer}", method.name());
    }
}

/// The least that a method takes.
fn least(method: Method) -> Value {
    match method.name() {
        "nudge.accept" | "nudge.reject" => json!({"id": 1}),
        "nudge.mv" => json!({"component": "a", "to": "b"}),
        "nudge.keep" => json!({"component": "a", "key": "b"}),
        "nudge.learn_past" => json!({"events": []}),
        "nudge.merge" => json!({"machine": "m"}),
        _ => json!({}),
    }
}

/// A checkout of a repository of `acme`.
fn checkout(work: &Path, name: &str) -> PathBuf {
    let root = work.join(name);
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::create_dir_all(root.join("src")).unwrap();
    fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    let config = format!("[remote \"origin\"]\n\turl = git@github.com:acme/{name}.git\n");
    fs::write(root.join(".git/config"), config).unwrap();
    root
}

/// What somebody types in a folder: the status and what is printed.
fn typed(runtime: &Path, folder: &Path, shell: &[(&str, &str)], line: &[&str]) -> (i32, String) {
    let mut command = nudge();
    command
        .env("NUDGE_RUNTIME_DIR", runtime)
        .current_dir(folder);
    let output = command
        .envs(shell.iter().copied())
        .args(line)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap(),
        String::from_utf8(said).unwrap(),
    )
}

#[test]
fn an_agent_reads_where_its_process_is_and_where_its_hooks_have_been() {
    let (runtime, work) = (crate::process::folder(), crate::process::folder());
    let (runtime, work) = (runtime.path(), work.path().canonicalize().unwrap());
    let _primary = Server::start(runtime);
    let [shop, payroll] = ["shop", "payroll"].map(|name| checkout(&work, name));
    for (root, component) in [(&shop, "shop"), (&payroll, "payroll")] {
        let (status, said) = typed(runtime, root, &[], &["set", component, "build", "make"]);
        assert_eq!(status, 0, "{said}");
    }
    let shell = [("CODEX_THREAD_ID", "s-1")];
    let cwd = payroll.to_str().unwrap();
    let elsewhere = ["get", "payroll", "build", "--raw", "--cwd", cwd];
    assert_eq!(
        typed(runtime, &shop, &[], &elsewhere),
        (0, "make\n".to_owned())
    );
    let (status, said) = typed(runtime, &shop, &shell, &elsewhere);
    assert!(status == 1 && !said.contains("make"), "{said}");
    for line in [&["ls"][..], &["export"], &["query", "make"], &["status"]] {
        let (_, said) = typed(runtime, &shop, &shell, line);
        assert!(!said.contains("payroll"), "{line:?}: {said}");
    }

    let mut command = serve(runtime);
    command.current_dir(&shop).env("CODEX_THREAD_ID", "s-1");
    let mut codex = Host::run(command, Ends::Pipes);
    let client = json!({"name": "codex-mcp-client", "version": "1"});
    codex.request(
        "initialize",
        json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}),
    );
    let get = |name: &str, root: &Path| json!({"component": name, "key": "build", "context": {"cwd": root}});
    let found = codex.full("nudge_get_hint", get("shop", &shop.join("src")));
    assert_eq!(found["hint"]["value"], "make");
    let missed = codex.full("nudge_get_hint", get("payroll", &payroll));
    assert_eq!(
        (&missed["hint"], &missed["near_misses"]),
        (&Value::Null, &json!([])),
        "{missed}"
    );
    for (tool, params) in [
        ("nudge_list_components", json!({})),
        (
            "nudge_list_components",
            json!({"context": {"cwd": payroll}}),
        ),
        ("nudge_query", json!({"include_ineligible": true})),
        ("nudge_export", json!({"format": "json"})),
    ] {
        let mut answer = codex.full(tool, params);
        answer.as_object_mut().unwrap().remove("context_used");
        assert!(
            !answer
                .to_string()
                .contains("git:github.com/acme/payroll\"]"),
            "{tool} {answer}"
        );
        assert!(
            !answer.to_string().contains("\"payroll\""),
            "{tool} {answer}"
        );
    }
    let mut read = |uri: &str| codex.request("resources/read", json!({"uri": uri}));
    let components = read("nudge://components").to_string();
    assert!(
        components.contains("shop") && !components.contains("payroll"),
        "{components}"
    );
    for uri in ["nudge://components/payroll", "nudge://hints/payroll/build"] {
        assert!(read(uri)["error"]["code"].is_i64(), "{uri}");
    }

    ran_in(runtime, &payroll, &json!({}));
    let found = codex.full("nudge_get_hint", get("payroll", &payroll));
    assert_eq!(found["hint"]["value"], "make", "{found}");
    assert_eq!(
        typed(runtime, &shop, &shell, &elsewhere),
        (0, "make\n".to_owned())
    );
    let other = [("CODEX_THREAD_ID", "s-2")];
    assert_eq!(typed(runtime, &shop, &other, &elsewhere).0, 1);
}

/// The components of the first events that somebody hears from the start on.
fn heard(server: &Served, who: &str, most: usize) -> Vec<String> {
    let mut stream = UnixStream::connect(server.folder().join("nudge.sock")).unwrap();
    let head = "GET /events HTTP/1.0\r\nHost: localhost\r\nLast-Event-ID: 0\r\n";
    stream
        .write_all(format!("{head}{who}\r\n").as_bytes())
        .unwrap();
    let lines = BufReader::new(stream).lines().map(Result::unwrap);
    let data = lines.filter_map(|line| {
        let event: Value = serde_json::from_str(line.strip_prefix("data: ")?).unwrap();
        Some(event["component"].as_str().unwrap_or_default().to_owned())
    });
    data.take(most).collect()
}

#[test]
fn events_and_status_tell_others_what_they_may_read() {
    let server = Served::new();
    let work = crate::process::folder();
    let payroll = checkout(&work.path().canonicalize().unwrap(), "payroll");
    let ask = |request: String| server.tcp().ask(request).json()["result"].take();
    for (component, scope) in [
        ("payroll", json!({"repo": "git:github.com/acme/payroll"})),
        ("web", json!({"repo": "git:github.com/acme/web"})),
        ("git", json!({})),
    ] {
        let hint = json!({"component": component, "key": "build", "value": "make", "meta": {"scope": scope}});
        ask(server.call("nudge.set_hint", &hint));
    }
    let sender = |via| Sender::new(via, Some("codex".to_owned())).session(Some("s-1".to_owned()));
    let line = |sender: &Sender| sender.header_line(Some(&server.primary.client_key));
    assert_eq!(
        heard(&server, &line(&Sender::process()), 3),
        ["payroll", "web", "git"]
    );
    assert_eq!(heard(&server, "", 1), ["git"]);
    assert_eq!(heard(&server, &line(&sender(Via::Mcp)), 1), ["git"]);
    let mut hook = sender(Via::Hook);
    hook.moved_to = payroll.to_str().map(str::to_owned);
    ask(server.call_as(&hook, "nudge.hello", &json!({})));
    assert_eq!(
        heard(&server, &line(&sender(Via::Mcp)), 2),
        ["payroll", "git"]
    );
    // Another root that only names the remote hears nothing of what was recorded there.
    let unpacked = checkout(&work.path().canonicalize().unwrap().join("new"), "payroll");
    let [mut hook, agent] =
        [Via::Hook, Via::Mcp].map(|via| sender(via).session(Some("s-2".into())));
    hook.moved_to = unpacked.to_str().map(str::to_owned);
    ask(server.call_as(&hook, "nudge.hello", &json!({})));
    assert_eq!(heard(&server, &line(&agent), 1), ["git"]);

    let mut member = server.unix();
    let hello = json!({"pid": 1, "client": "claude/1", "cwd": "/"});
    member.ask(server.call("nudge.hello", &hello));
    let status = |request: String| {
        let status = ask(request);
        let member = &status["members"][1];
        assert_eq!(member["client"], "claude/1", "{status}");
        (
            status["stats"]["hints"].clone(),
            member["context"].is_object(),
        )
    };
    assert_eq!(
        status(server.call("nudge.status", &json!({}))),
        (json!(3), true)
    );
    assert_eq!(
        status(server.call_with("", "nudge.status", &json!({}))),
        (json!(1), false)
    );
    let agents = server.call_as(&sender(Via::Mcp), "nudge.status", &json!({}));
    assert_eq!(status(agents), (json!(2), false));
}
