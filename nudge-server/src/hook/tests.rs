//! What becomes of a host's events.

use super::*;

#[test]
fn a_session_whose_id_looks_like_a_credential_is_still_one() {
    let id = "ses_497c6bd0fffeQ2vXlQxkbr3R4T";
    let event = json!({"event": "session_start", "session": id, "cwd": "/work/api"});
    let session = HookEvent::read(Dialect::of("opencode").unwrap(), None, &event).unwrap();
    assert_eq!(session.session().unwrap().len(), 16);
}
