//! What is done to texts; what is done to files is tested through the binary.

use super::*;

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
