//! A session of each host, as the host tells it, played to the real binary: what
//! it leaves behind, and what its agent was told.
//!
//! The streams are in `tests/hooks/streams`. `{project}` is the folder of the session, and
//! `{transcript}` a file that has what each event beside `stdin` says the host wrote to it.

use nudge_server::primary::operations::Method;
use std::fs;

use nudge_client::Client;
use serde_json::{Value, json};

use super::{PATIENT, hook, told, well};
use crate::conformance::adapter::file;
use crate::process::Server;

const HOSTS: [&str; 6] = ["claude", "codex", "copilot", "cursor", "gemini", "opencode"];

/// A server of its own, and a repository that the session is in.
pub(crate) struct Stage {
    root: crate::process::Folder,
    client: Client,
    _server: Server,
}

impl Stage {
    pub(crate) fn new() -> Stage {
        let root = crate::process::folder();
        let git = root.path().join("api/.git");
        fs::create_dir_all(git.join("refs")).unwrap();
        let remote = "[remote \"origin\"]\n\turl = https://example.com/acme/api.git\n";
        fs::write(git.join("config"), remote).unwrap();
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        fs::create_dir(root.path().join("runtime")).unwrap();
        let server = Server::start(&root.path().join("runtime"));
        let client = Client::unix(&root.path().join("runtime/nudge.sock")).unwrap();
        Stage {
            root,
            client,
            _server: server,
        }
    }

    /// The folder of the session.
    pub(crate) fn project(&self) -> std::path::PathBuf {
        self.root.path().join("api")
    }

    fn call(&self, method: &str, params: &Value) -> Value {
        let method = Method::named(method).unwrap();
        let answer = self.client.call_blocking(method, &params.to_string());
        serde_json::from_str(answer.unwrap().get()).unwrap()
    }

    /// What the agent learned on its own account after the start of its session.
    fn agent_sets_hints(&self) {
        for (key, value) in [
            ("build", "make"),
            ("test", "make test"),
            ("test.unit", "make unit"),
        ] {
            let hint = json!({"component": "api", "key": key, "value": value, "meta": {"source": "agent"}});
            self.call("nudge.set_hint", &hint);
        }
    }

    /// Plays an event, and gives back what was printed.
    pub(crate) fn play(&self, line: &Value) -> String {
        self.play_with(line, &[])
    }

    /// The same with some variables.
    pub(crate) fn play_with(&self, line: &Value, variables: &[(&str, &str)]) -> String {
        let project = self.project();
        let transcript = self.root.path().join("rollout.jsonl");
        if line["transcript"].is_object() {
            let old = fs::read_to_string(&transcript).unwrap_or_default();
            fs::write(&transcript, format!("{old}{}\n", line["transcript"])).unwrap();
        }
        let event = line["stdin"]
            .to_string()
            .replace("{project}", project.to_str().unwrap())
            .replace("{transcript}", transcript.to_str().unwrap());
        let runtime = self.root.path().join("runtime");
        let mut command = hook(&runtime, line["hook"].as_str().unwrap());
        command.env("NUDGE_HOOK_MS", PATIENT).current_dir("/");
        command.envs(variables.iter().copied());
        let (printed, said) = well(&told(&mut command, event));
        assert_eq!(said, "", "{line}");
        printed
    }

    /// What the user types in the project.
    fn user_sets(&self, words: &[&str]) {
        let mut set = crate::faults::command(&self.root.path().join("runtime"), &["set"]);
        let output = set
            .args(words)
            .current_dir(self.project())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    fn hint(&self, key: &str) -> Value {
        let cwd = self.project();
        let asked = json!({"component": "api", "key": key, "context": {"cwd": cwd}});
        self.call("nudge.get_hint", &asked)["hint"].clone()
    }
}

fn stream(host: &str) -> Vec<Value> {
    let text = fs::read_to_string(file(&format!("tests/hooks/streams/{host}.jsonl"))).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

/// The words that a host is told in its shape.
pub(crate) fn words(printed: &str) -> String {
    let answer: Value = serde_json::from_str(printed).unwrap();
    let specific = &answer["hookSpecificOutput"]["additionalContext"];
    let fields = [
        specific,
        &answer["additionalContext"],
        &answer["additional_context"],
        &answer["text"],
    ];
    let text = fields.into_iter().find_map(Value::as_str);
    text.unwrap().to_owned()
}

/// Plays a session that starts cold, and looks at what is told. Only the command
/// that failed may be answered, with the other way to take that step.
fn played(lines: &[Value]) -> Stage {
    let stage = Stage::new();
    assert_eq!(stage.play(&lines[0]), "", "nothing is known yet");
    stage.agent_sets_hints();
    for line in lines.iter().skip(1) {
        let printed = stage.play(line);
        if printed.is_empty() {
            continue;
        }
        let told = words(&printed);
        let is_expected = line.to_string().contains("make test");
        assert!(is_expected, "{line} was told {told}");
        assert!(told.starts_with("Nudge: ") && told.len() <= 180, "{told}");
    }
    stage
}

#[test]
fn a_session_that_starts_cold_leaves_what_it_learned() {
    for host in HOSTS {
        let stage = played(&stream(host));
        assert_eq!(stage.hint("build")["use_count"], 1, "{host}");
        let test = stage.hint("test");
        assert_eq!(test["value"], "make test", "{host}");
        assert_eq!(test["fail_count"], 1, "{host}: there is no such target");
        let start = words(&stage.play(&stream(host)[0]));
        for line in [
            "- [agent, worked 1×] api/build: make\n",
            "- [learned, worked 1×] api/test: `npm test`\n",
        ] {
            assert!(start.contains(line), "{host}: {start}");
        }
    }
}

/// The lines that tell of a command that cannot run, which is now one that takes the step
/// of another hint.
fn failing(host: &str) -> Vec<Value> {
    let lines = stream(host).into_iter().map(|line| line.to_string());
    let lines: Vec<String> = lines.filter(|line| line.contains("make test")).collect();
    let last = lines.iter().position(|line| line.contains("No rule"));
    let lines = lines.into_iter().take(last.unwrap() + 1);
    let other = lines.map(|line| line.replace("make test", "ninja").replace("No rule", "No"));
    let other = other.map(|line| serde_json::from_str(&line).unwrap());
    other.collect()
}

#[test]
fn a_hint_is_told_once_where_it_arrives_and_again_after_the_end_of_the_session() {
    for host in HOSTS {
        let stage = played(&stream(host));
        stage.user_sets(&["api", "build", "make"]);
        // The stream ends with the session, and so does what was told in it.
        for _ in 0..2 {
            let told = failing(host).into_iter().map(|line| stage.play(&line));
            let told: Vec<String> = told.collect();
            let said = |printed: &String| printed.matches("api/build here is").count();
            let said: Vec<usize> = told.iter().map(said).collect();
            let expected: &[usize] = match host {
                // It drops what is said before a command, and Cursor is not asked then.
                "gemini" => &[0, 1],
                "cursor" => &[1],
                _ => &[1, 0],
            };
            assert_eq!(said, expected, "{host}: {told:?}");
            assert_eq!(stage.play(stream(host).last().unwrap()), "", "{host}");
        }
    }
}

#[test]
fn what_is_said_before_a_command_comes_with_the_output_of_one_that_worked_too() {
    for host in ["gemini", "cursor"] {
        let stage = played(&stream(host));
        stage.user_sets(&["api", "build", "make"]);
        let mut lines = stream(host).into_iter().map(|line| line.to_string());
        let line = lines.find(|line| line.contains("12 passing")).unwrap();
        let line = serde_json::from_str(&line.replace("npm test", "ninja")).unwrap();
        let told = words(&stage.play(&line));
        let line = "api/build here is \"make\"";
        assert!(told.contains(line), "{host}: {told}");
    }
}

#[test]
fn a_subagent_is_told_what_a_session_is() {
    for (host, hook, name) in [
        ("claude", "claude", "SubagentStart"),
        ("codex", "codex", "SubagentStart"),
        ("copilot", "copilot subagentStart", "subagentStart"),
    ] {
        let stage = played(&stream(host));
        let start = stream(host).remove(0);
        let told = words(&stage.play(&start));
        let mut event = start["stdin"].clone();
        event["hook_event_name"] = json!(name);
        event["agent_id"] = json!("a216198197bfc04c4");
        event.as_object_mut().unwrap().remove("source");
        let printed = stage.play(&json!({"hook": hook, "stdin": event}));
        assert_eq!(words(&printed), told, "{host}");
        assert_eq!(
            printed.contains("\"hookEventName\":\"SubagentStart\""),
            host != "copilot"
        );
    }
}

#[test]
fn a_prompt_and_an_edit_are_told_what_they_are_about() {
    for (host, name) in [
        ("claude", "UserPromptSubmit"),
        ("codex", "UserPromptSubmit"),
        ("gemini", "BeforeAgent"),
        ("copilot", "userPromptSubmitted"),
    ] {
        let stage = Stage::new();
        stage.user_sets(&["proxy", "certs", "./renew"]);
        let mut event = stream(host).remove(0)["stdin"].clone();
        event["hook_event_name"] = json!(name);
        let hook = format!("{host} {name}");
        for (prompt, is_told) in [
            ("what is for dinner?", false),
            ("where are the certs?", true),
        ] {
            event["prompt"] = json!(prompt);
            let printed = stage.play(&json!({"hook": hook, "stdin": event}));
            let told = (printed.contains("proxy/certs here is"), !printed.is_empty());
            assert_eq!(told, (is_told, is_told), "{host}: {printed}");
        }
    }
    let stage = Stage::new();
    let scope = ["--scope-cwd-glob", "./*.sql"];
    stage.user_sets(&[&["api", "sql", "never change one"], &scope[..]].concat());
    let mut event = stream("claude").remove(0)["stdin"].clone();
    event["hook_event_name"] = json!("PreToolUse");
    for (tool, file, is_told) in [
        ("Read", "a.sql", false),
        ("Edit", "a.rs", false),
        ("Write", "a.sql", true),
    ] {
        event["tool_name"] = json!(tool);
        event["tool_input"] = json!({"file_path": stage.project().join(file)});
        let printed = stage.play(&json!({"hook": "claude", "stdin": event}));
        let told = printed.contains("api/sql here is");
        assert_eq!(told, is_told, "{tool} {file}: {printed}");
    }
}

#[test]
fn an_agent_whose_context_was_cleared_is_told_as_after_a_compaction() {
    let stage = played(&stream("claude"));
    let mut start = stream("claude").remove(0);
    let mut told = |source: &str| {
        start["stdin"]["source"] = json!(source);
        words(&stage.play(&start))
    };
    let cleared = told("clear");
    assert_eq!(cleared, told("compact"));
    assert!(cleared.contains("api/build: make"), "{cleared}");
}

#[test]
fn what_a_host_drops_when_the_context_is_lost_comes_with_the_next_prompt() {
    for (host, lost, prompt) in [
        ("gemini", ["SessionStart", "clear"], "BeforeAgent"),
        ("gemini", ["PreCompress", "manual"], "BeforeAgent"),
        ("copilot", ["preCompact", "manual"], "userPromptSubmitted"),
    ] {
        let stage = played(&stream(host));
        let mut start = stream(host).remove(0);
        start["stdin"]["source"] = json!("compact");
        let told = words(&stage.play(&start));
        let say = |name: &str, reason: &str| {
            let mut event = start["stdin"].clone();
            event["hook_event_name"] = json!(name);
            (event["source"], event["trigger"]) = (json!(reason), json!(reason));
            event["prompt"] = json!("go on");
            stage.play(&json!({"hook": format!("{host} {name}"), "stdin": event}))
        };
        assert_eq!(say(lost[0], lost[1]), "", "{host}");
        assert_eq!(words(&say(prompt, "")), told, "{host}");
        assert_eq!(say(prompt, ""), "", "{host}");
    }
}

#[test]
fn of_a_host_that_does_not_say_how_commands_end_nothing_is_counted() {
    let mut lines = stream("codex");
    for line in &mut lines {
        line.as_object_mut().unwrap().remove("transcript");
    }
    let stage = played(&lines);
    for key in ["build", "test"] {
        let hint = stage.hint(key);
        assert_eq!(hint["use_count"], 0, "{hint}");
        assert!(hint["fail_count"].as_u64().unwrap_or(0) == 0, "{hint}");
    }
    let start = words(&stage.play(stream("codex").first().unwrap()));
    assert!(!start.contains("learned"), "{start}");
}

#[test]
fn every_host_has_a_stream() {
    let folder = fs::read_dir(file("tests/hooks/streams")).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert_eq!(names, HOSTS.map(|host| format!("{host}.jsonl")));
}
