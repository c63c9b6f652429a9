//! `nudge stop` ends the session and not its PROXYs.

use super::{keys, member, place, set, stop, until_members};
use crate::process::until;

#[test]
fn after_a_stop_the_proxies_stay_and_begin_another_session() {
    let runtime = tempfile::tempdir().unwrap();
    let mut primary = member(runtime.path());
    set(&mut primary, "build", "make");
    let (old, _) = place(&mut primary);
    let mut proxies = [member(runtime.path()), member(runtime.path())];
    until_members(&mut primary, 3);
    stop(runtime.path());
    assert_eq!(primary.ended().code(), Some(0));
    until("the journal is gone", || {
        !runtime.path().join("session.journal").exists()
    });
    for proxy in &mut proxies {
        assert!(keys(proxy).is_empty());
    }
    let [one, other] = &mut proxies;
    let (new, _) = place(one);
    assert_ne!(new, old);
    assert_eq!(place(other).0, new);
    set(one, "test", "make test");
    assert_eq!(keys(other), ["test"]);
}
