//! What is done to texts; what is done to files is tested through the binary.

use super::*;
use crate::install::table::HOSTS;

fn lists() -> impl Iterator<Item = &'static Hooks> {
    ALL.iter().filter(|hooks| hooks.lists.is_some())
}

#[test]
fn every_host_but_one_has_hooks() {
    let without: Vec<_> = HOSTS
        .iter()
        .filter(|host| Hooks::of(host).is_none())
        .collect();
    assert_eq!(without.len(), 1);
    assert_eq!(without.first().unwrap().id, "vscode");
    for hooks in &ALL {
        assert!(crate::hook::DIALECTS.iter().any(|it| it.id == hooks.host));
    }
}

#[test]
fn a_group_that_somebody_put_a_hook_into_stays_with_that_hook() {
    let hooks = ALL.first().unwrap();
    let wired = hooks.wired(Scope::User, "", "/bin/nudge").unwrap();
    let mine = r#"{"type": "command", "command": "mine"}, {"type": "command", "command": "/bin/nudge hook claude"}"#;
    let shared =
        format!(r#"{{"hooks": {{"PreToolUse": [{{"matcher": "Bash", "hooks": [{mine}]}}]}}}}"#);
    let unwired = hooks.unwired(&shared, &|_| false).unwrap();
    assert!(
        unwired.contains("mine") && !unwired.contains("nudge"),
        "{unwired}"
    );
    assert!(hooks.is_empty(&hooks.unwired(&wired, &|_| false).unwrap()));
}

#[test]
fn wiring_twice_or_with_another_path_leaves_each_hook_once() {
    for hooks in lists() {
        let once = hooks.wired(Scope::User, "", "/old/nudge").unwrap();
        let twice = hooks.wired(Scope::User, &once, "/new/nudge").unwrap();
        let found = hooks.found(&twice).unwrap();
        assert!(found.iter().all(|it| it.program == "/new/nudge"));
        assert_eq!(found.len(), hooks.found(&once).unwrap().len());
        assert_eq!(twice, hooks.wired(Scope::User, "", "/new/nudge").unwrap());
    }
}

#[test]
fn what_is_no_list_or_too_long_is_refused_with_its_line() {
    let many = vec!["{}"; 1_001].join(",");
    let many = format!("{{\"hooks\": {{\n\"Stop\": [{many}]}}}}");
    for (text, line, words) in [
        (&*many, 2, "there are more than 1000 hooks"),
        ("[]", 1, "`the file` is not an object"),
        ("{\n\"hooks\": []}", 2, "`hooks` is not an object"),
        ("{\"hooks\": {\n\"Stop\": 1}}", 2, "`Stop` is not a list"),
    ] {
        let hooks = ALL.first().unwrap();
        for flaw in [
            hooks.found(text).unwrap_err(),
            hooks.wired(Scope::User, text, "/bin/nudge").unwrap_err(),
        ] {
            assert_eq!((flaw.line, flaw.words.as_str()), (line, words));
        }
    }
}

#[test]
fn a_plugin_is_known_by_its_first_line() {
    let text = plugin::text("/a \"b\"/nudge");
    let found = plugin::found(&text).unwrap();
    assert_eq!(found.first().unwrap().program, "/a \"b\"/nudge");
    assert!(plugin::found("export const Nudge = 1;\n").is_err());
    assert_eq!(plugin::found("").unwrap(), []);
}

#[test]
fn a_status_line_of_somebody_else_stays_and_a_project_gets_none() {
    let hooks = ALL.first().unwrap();
    let ours = r#""command": "/bin/nudge statusline""#;
    let wired = hooks.wired(Scope::User, "", "/bin/nudge").unwrap();
    assert!(wired.contains(ours), "{wired}");
    let wired = hooks.wired(Scope::Project, "", "/bin/nudge").unwrap();
    assert!(!wired.contains("statusLine"), "{wired}");
    for line in [r#"{"type": "command", "command": "mine"}"#, "null", "7"] {
        let before = format!(r#"{{"statusLine": {line}}}"#);
        let wired = hooks.wired(Scope::User, &before, "/bin/nudge").unwrap();
        assert!(!wired.contains(ours), "{wired}");
        let unwired = hooks.unwired(&wired, &|_| false).unwrap();
        assert!(hooks.is_same(&before, &unwired), "{unwired}");
    }
}
