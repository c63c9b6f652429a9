//! What `nudge doctor` says of hosts that do not trust Nudge, and of variables that do not
//! reach it.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::hosts::home::Home;

/// A home with hosts, in which nothing is met that is not the test's.
pub(super) fn home() -> (Home, crate::process::Folder) {
    let runtime = crate::process::folder();
    let place = runtime.path().join("nudge");
    let home = Home::with_hosts().with("NUDGE_RUNTIME_DIR", place.to_str().unwrap());
    (home, runtime)
}

/// What was found about a thing of a host that is not as it should be.
fn found(home: &Home, about: &str, host: &str) -> Vec<String> {
    let printed = home.nudge("doctor --json").stdout;
    let printed: Value = serde_json::from_str(&printed).unwrap();
    let all = printed["findings"].as_array().unwrap();
    let all = all
        .iter()
        .filter(|it| it["about"] == about && it["state"] == "odd");
    let told = all.map(|it| {
        let [words, fix] = ["words", "fix"].map(|name| it[name].as_str().unwrap_or("-"));
        format!("{words} [{fix}]")
    });
    told.filter(|told| told.contains(host)).collect()
}

/// The project as it is named, without a slash at its end.
fn root(home: &Home) -> PathBuf {
    home.project("").components().collect()
}

/// Whether no more and no less is found than that a host does not trust something.
#[track_caller]
fn is_told(said: &[String], expected: &str, is_trusted: bool) {
    assert_eq!(said.is_empty(), is_trusted, "{said:?}");
    let begins = is_trusted || said.concat().starts_with(expected);
    assert!(begins, "{expected}: {said:?}");
}

/// The approval of hooks of Codex, as it notes them.
fn approval(file: &str, events: &[&str]) -> String {
    let table =
        |event: &&str| format!("[hooks.state.\"{file}:{event}\"]\ntrusted_hash = \"sha256:0\"\n");
    events.iter().map(table).collect()
}

const EVENTS: [&str; 6] = [
    "session_start:0:0",
    "subagent_start:0:0",
    "session_end:0:0",
    "user_prompt_submit:0:0",
    "pre_tool_use:0:0",
    "post_tool_use:0:0",
];

#[test]
fn hooks_that_codex_waits_to_be_told_to_trust_are_counted() {
    let (home, _runtime) = home();
    let path = home.path(".codex/hooks.json");
    let file = path.to_str().unwrap();
    assert_eq!(found(&home, "trust", "odex"), [""; 0], "nothing is wired");
    home.nudge("install codex --hooks").done();
    let installed = home.read(".codex/config.toml");
    let elsewhere = EVENTS.map(|event| event.replace("0:0", "1:0"));
    let elsewhere = elsewhere.each_ref().map(String::as_str);
    for (state, waiting) in [
        (String::new(), 6),
        (approval("/other/hooks.json", &EVENTS), 6),
        (approval(file, &elsewhere), 6),
        (approval(file, &EVENTS[..2]), 4),
        (
            approval(file, &EVENTS).replace("trusted_hash = \"sha256:0\"", "enabled = true"),
            6,
        ),
        (approval(file, &EVENTS), 0),
    ] {
        home.write(".codex/config.toml", format!("{installed}\n{state}"));
        let words = format!(
            "{waiting} of 6 hooks in `{file}` wait for your approval and do not run; type `/hooks` in Codex and press `t` [codex]"
        );
        let expected: &[String] = if waiting == 0 { &[] } else { &[words] };
        let seen = home.everything();
        assert_eq!(found(&home, "trust", "odex"), expected, "{state}");
        assert_eq!(home.everything(), seen, "a doctor writes nothing");
    }
    // Somebody else's hook before ours moves ours.
    let mut hooks: Value = serde_json::from_str(&home.read(".codex/hooks.json")).unwrap();
    let list = hooks["hooks"]["SessionStart"].as_array_mut().unwrap();
    list.insert(
        0,
        json!({"hooks": [{"type": "command", "command": "theirs"}]}),
    );
    home.write(".codex/hooks.json", hooks.to_string());
    let said = found(&home, "trust", "odex");
    assert!(said.concat().starts_with("1 of 6 hooks"), "{said:?}");
}

#[test]
fn a_project_that_codex_does_not_trust_is_named() {
    let (home, _runtime) = home();
    home.nudge("install codex --scope project").done();
    let root = root(&home);
    let trust =
        |folder: &str, level: &str| format!("[projects.\"{folder}\"]\ntrust_level = \"{level}\"\n");
    let (shown, above) = (root.to_str().unwrap(), root.parent().unwrap());
    for (config, is_trusted) in [
        (String::new(), false),
        (trust(shown, "untrusted"), false),
        (trust("/elsewhere", "trusted"), false),
        (trust(shown, "trusted"), true),
        (trust(above.to_str().unwrap(), "trusted"), true),
        ("broken = [".to_owned(), true),
    ] {
        home.write(".codex/config.toml", &config);
        let expected =
            format!("Codex does not trust `{shown}` and reads nothing below its `.codex`");
        is_told(&found(&home, "trust", "odex"), &expected, is_trusted);
    }
    // A linked worktree goes by the name of the main one, which is not looked for.
    home.write(".codex/config.toml", "");
    fs::remove_dir(home.project(".git")).unwrap();
    fs::write(home.project(".git"), "gitdir: /elsewhere\n").unwrap();
    assert_eq!(found(&home, "trust", "odex"), [""; 0]);
}

#[test]
fn a_folder_that_gemini_cli_does_not_trust_is_named() {
    let (home, _runtime) = home();
    is_told(&found(&home, "trust", "Gemini CLI"), "no entry", true);
    home.nudge("install gemini").done();
    let root = root(&home);
    let [here, above] = [&*root, root.parent().unwrap()].map(|it| it.to_str().unwrap());
    for (list, is_trusted) in [
        (None, false),
        (Some(json!({})), false),
        (Some(json!({"/elsewhere": "TRUST_FOLDER"})), false),
        (Some(json!({here: "TRUST_FOLDER"})), true),
        (Some(json!({here: "TRUST_PARENT"})), true),
        (Some(json!({above: "TRUST_FOLDER"})), true),
        (
            Some(json!({here: "DO_NOT_TRUST", above: "TRUST_FOLDER"})),
            false,
        ),
        (Some(json!({format!("{here}-2"): "TRUST_FOLDER"})), false),
        // What cannot be read says nothing.
        (Some(json!(["TRUST_FOLDER"])), true),
        (Some(json!("x".repeat(2 * 1024 * 1024))), true),
    ] {
        let name = ".gemini/trustedFolders.json";
        list.as_ref().inspect(|list| {
            home.write(name, list.to_string());
        });
        let expected = format!("Gemini CLI does not trust `{here}` and starts no server there");
        is_told(&found(&home, "trust", "Gemini CLI"), &expected, is_trusted);
    }
    fs::remove_file(home.path(".gemini/trustedFolders.json")).unwrap();
    assert_eq!(found(&home, "trust", "Gemini CLI").len(), 1);
    let installed: Value = serde_json::from_str(&home.read(".gemini/settings.json")).unwrap();
    for (enabled, count) in [(true, 1), (false, 0)] {
        let mut settings = installed.clone();
        settings["security"] = json!({"folderTrust": {"enabled": enabled}});
        home.write(".gemini/settings.json", settings.to_string());
        assert_eq!(found(&home, "trust", "Gemini CLI").len(), count);
    }
    home.write(".gemini/settings.json", installed.to_string());
    let home = home.with("GEMINI_CLI_TRUST_WORKSPACE", "true");
    assert_eq!(found(&home, "trust", "Gemini CLI"), [""; 0]);
}

#[test]
fn variables_that_do_not_reach_the_server_are_named() {
    let (home, _runtime) = home();
    let home = home
        .with("NUDGE_LINGER", "P1D")
        .with("NUDGE_KEEP", "")
        .with("NUDGE_HOOK_MS", "100");
    home.nudge("install claude codex").done();
    let installed = home.read(".codex/config.toml");
    for (more, lacking) in [
        ("", "`NUDGE_LINGER`, `NUDGE_RUNTIME_DIR`"),
        ("env_vars = [\"NUDGE_LINGER\"]\n", "`NUDGE_RUNTIME_DIR`"),
        (
            "env_vars = [\"NUDGE_LINGER\"]\nenv = { NUDGE_RUNTIME_DIR = \"/x\" }\n",
            "",
        ),
        ("env_vars = [\"NUDGE_LINGER\", { name = \"X\" }]\n", ""),
    ] {
        home.write(".codex/config.toml", format!("{installed}{more}"));
        let said = found(&home, "hosts", "Codex: ").concat();
        let expected =
            format!("does not pass on {lacking}, which this shell sets; write `env_vars = [");
        let is_said = !lacking.is_empty();
        let seen = (said.contains(&expected), !said.is_empty());
        assert_eq!(seen, (is_said, is_said), "{more}: {said}");
    }
    is_told(&found(&home, "hosts", "Claude Code: "), "", true);
}
