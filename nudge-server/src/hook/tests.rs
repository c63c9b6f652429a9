//! What becomes of a host's events, and of command lines.

use super::*;

fn line(words: &str) -> Option<Vec<String>> {
    asked("hook", words.split_whitespace().map(OsString::from))
}

#[test]
fn a_hook_is_known_by_its_first_word_unless_help_is_wanted() {
    assert_eq!(line("nudge hook"), Some(vec![]));
    assert_eq!(
        line("nudge hook claude --odd"),
        Some(vec!["claude".to_owned(), "--odd".to_owned()])
    );
    for other in [
        "nudge",
        "nudge get hook",
        "nudge hook -h",
        "nudge hook claude --help",
    ] {
        assert_eq!(line(other), None, "{other}");
    }
}

#[test]
fn a_session_whose_id_looks_like_a_credential_is_still_one() {
    let id = "ses_497c6bd0fffeQ2vXlQxkbr3R4T";
    let event = json!({"event": "session_start", "session": id, "cwd": "/work/api"});
    let session = HookEvent::read(Dialect::of("opencode").unwrap(), None, &event).unwrap();
    assert_eq!(session.session().unwrap().len(), 16);
}
