//! Repositories that somebody else has written: nothing of them is told, run or written anywhere,
//! and the words are clear.

use super::script::Script;
use super::{Home, bare};
use crate::checkout::{git, names_in};
use crate::process::folder;

const BRANCH: &str = "refs/heads/nudge/evil";
const FILE: &str = "100644";

/// One file of a machine that is not ours.
fn file(text: &[u8]) -> Script {
    Script::new().commit(BRANCH, &[(FILE, "everywhere.json", text)], None)
}

/// A payload with one hint.
fn hint(hint: &str) -> Script {
    let payload = format!(
        r#"{{"schema_version":"1.1","components":{{"api":{{"hints":{{"evil":{hint}}}}}}}}}"#
    );
    file(payload.as_bytes())
}

/// When something was said.
const AT: &str = r#""at":"2025-11-04T10:00:00.000Z""#;

/// What a good hint says of its last change.
const STAMP: &str = r#""stamp":{"counter":9,"machine":"evil","at":"2025-11-04T10:00:00.000Z"}"#;

/// What comes of a repository: the refusal of all of it, or of what is in a file.
enum Fate {
    Refused(&'static str),
    LeftOut,
}

use Fate::{LeftOut, Refused};

const NOT_OURS: Fate = Refused("which Nudge did not write");

type Case = (&'static str, Script, Fate);

/// Names of refs and of files that Nudge does not give, modes of files that it does not make, and
/// more of all than it writes.
fn not_ours() -> Vec<Case> {
    let mut cases = Vec::new();
    for (what, name) in [
        ("a branch of people", "refs/heads/main"),
        ("a tag", "refs/tags/v1"),
        ("a note", "refs/notes/commits"),
        ("a branch below a machine's", "refs/heads/nudge/a/b"),
        ("a machine in capitals", "refs/heads/nudge/EVIL"),
        ("a machine with a dot", "refs/heads/nudge/a.b"),
        (
            "a machine with a long name",
            &format!("refs/heads/nudge/{}", "m".repeat(65)),
        ),
        ("a branch that is like ours", "refs/heads/nudge-evil"),
        ("a pull request", "refs/pull/1/head"),
        (
            "a replaced object",
            &format!("refs/replace/{}", "1".repeat(40)),
        ),
    ] {
        let script = Script::new().commit(name, &[(FILE, "a.json", b"{}")], None);
        cases.push((what, script, NOT_OURS));
    }
    for (what, mode, name) in [
        ("a link", "120000", "a.json"),
        ("a program", "100755", "a.json"),
        ("a submodule", "160000", "a.json"),
        ("a list of submodules", FILE, ".gitmodules"),
        ("a hook", "100755", "hooks/post-checkout"),
        ("a folder", FILE, "a/b.json"),
        ("a name with two dots", FILE, "a..json/x.json"),
        ("a hidden name", FILE, ".a.json"),
        ("a name with a space", FILE, "\"a b.json\""),
        ("a name with a line break", FILE, "\"a\\nb.json\""),
        ("a name with an escape", FILE, "\"a\\033[2Jb.json\""),
        ("a name with a backslash", FILE, "\"a\\\\b.json\""),
        ("a name that is no text", FILE, "\"a\\377.json\""),
        ("a long name", FILE, &format!("{}.json", "a".repeat(200))),
        ("another ending", FILE, "a.sh"),
    ] {
        let script = Script::new().commit(BRANCH, &[(mode, name, b"{}")], None);
        cases.push((what, script, NOT_OURS));
    }
    let commands = b"[core]\nfsmonitor = touch ran\n";
    for (what, file) in [
        (
            "a link to a password file",
            ("120000", "a.json", &b"/etc/passwd"[..]),
        ),
        (
            "attributes with a filter",
            (FILE, ".gitattributes", b"* filter=evil"),
        ),
        ("a config with commands", (FILE, "config", commands)),
    ] {
        cases.push((what, Script::new().commit(BRANCH, &[file], None), NOT_OURS));
    }
    let parent = Script::new().commit(BRANCH, &[(FILE, "a.json", b"{}")], None);
    let history = parent.commit(BRANCH, &[(FILE, "a.json", b"[]")], None);
    cases.push(("a history", history, NOT_OURS));

    let empty = br#"{"schema_version":"1.1","components":{}}"#;
    let machines = (0..257).fold(Script::new(), |script, at| {
        let name = format!("refs/heads/nudge/m{at}");
        script.commit(&name, &[(FILE, "a.json", empty)], None)
    });
    let refused = Refused("more than 256 machines");
    cases.push(("too many machines", machines, refused));
    let huge = file(&vec![b' '; (8 << 20) + 1]);
    cases.push(("a huge file", huge, Refused("more than 8 MiB")));
    let wide: Vec<(String, Vec<u8>)> = (0..9_u8)
        .map(|at| (format!("f{at}.json"), vec![at + 32; 8 << 20]))
        .collect();
    let wide: Vec<_> = wide
        .iter()
        .map(|(name, text)| (FILE, name.as_str(), text.as_slice()))
        .collect();
    let wide = Script::new().commit(BRANCH, &wide, None);
    cases.push(("too much in all", wide, Refused("more than 64 MiB")));
    cases
}

/// Files of ours with what no machine says.
fn left_out() -> Vec<Case> {
    let mut cases = Vec::new();
    let key = ["ghp", "_", "x7Kd92LmQ0pVt4ZbYc81WsNf6RhEj3AuGo5T"].concat();
    let deep = |open: &str, close: &str| [open.repeat(5_000), close.repeat(5_000)].concat();
    let objects = deep("{\"a\":", "}").replace(":}", ":1}");
    for (what, text) in [
        ("no JSON", &b"#!/bin/sh\ntouch ran\n"[..]),
        ("no text", &[0xff, 0xfe, 0, 0]),
        ("nothing", b""),
        ("a list", b"[]"),
        ("deep lists", deep("[", "]").as_bytes()),
        ("deep objects", objects.as_bytes()),
        (
            "a later version",
            br#"{"schema_version":"9.0","components":{}}"#,
        ),
    ] {
        cases.push((what, file(text), LeftOut));
    }
    for (what, stamp) in [
        (
            "a stamp of nobody",
            format!(r#""counter":1,"machine":"",{AT}"#),
        ),
        (
            "a stamp of a folder",
            format!(r#""counter":1,"machine":"../../x",{AT}"#),
        ),
        (
            "a stamp below nothing",
            format!(r#""counter":-1,"machine":"evil",{AT}"#),
        ),
        (
            "a stamp beyond all",
            format!(r#""counter":18446744073709551615,"machine":"evil",{AT}"#),
        ),
        (
            "a stamp without a time",
            r#""counter":1,"machine":"evil","at":"soon""#.to_owned(),
        ),
    ] {
        let script = hint(&format!(r#"{{"value":"x","stamp":{{{stamp}}}}}"#));
        cases.push((what, script, LeftOut));
    }
    cases.push(("no stamp", hint(r#"{"value":"x"}"#), LeftOut));
    let project = r#"{"origin":{"via":"project","root":"/"}}"#;
    for (what, value, meta) in [
        ("a credential", &*key, "{}"),
        (
            "a credential as a reason",
            "x",
            &*format!(r#"{{"reason":"{key}"}}"#),
        ),
        ("a secret", "x", r#"{"sensitivity":"secret"}"#),
        ("a hint of a session", "x", r#"{"ttl":"session"}"#),
        ("a project's hint", "x", project),
        (
            "an agent's hint that nobody saw work",
            "x",
            r#"{"source":"agent"}"#,
        ),
        (
            "a scope with two dots",
            "x",
            r#"{"scope":{"cwd_glob":["/a/../b"]}}"#,
        ),
        ("a value that is too large", &*"x".repeat(9_000), "{}"),
    ] {
        let script = hint(&format!(r#"{{"value":"{value}","meta":{meta},{STAMP}}}"#));
        cases.push((what, script, LeftOut));
    }
    let nowhere = format!(r#""key":"k","scope":{{"cwd_glob":["/a/../b"]}},{STAMP}"#);
    for (what, of) in [
        ("a mark without a stamp", r#""key":"k","repo":"git:a/b""#),
        (
            "a mark of a credential",
            &*format!(r#""key":"{key}",{STAMP}"#),
        ),
        ("a mark of a scope that is none", &*nowhere),
    ] {
        let at = r#""marked_at":"2025-11-04T10:00:00.000Z""#;
        let mark = format!(r#"{{"component":"api","value":"",{at},{of}}}"#);
        let payload = format!(r#"{{"schema_version":"1.1","components":{{}},"marks":[{mark}]}}"#);
        cases.push((what, file(payload.as_bytes()), LeftOut));
    }
    cases
}

#[test]
fn nothing_of_a_hostile_repository_is_told_run_or_written() {
    let cases: Vec<Case> = not_ours().into_iter().chain(left_out()).collect();
    assert!(cases.len() >= 50, "{}", cases.len());
    for (what, script, fate) in cases {
        let all = folder();
        let bare = bare(all.path());
        script.write(&bare);
        let before = git(&bare, "for-each-ref");
        let home = Home::new(all.path().join("home"), &bare);
        match (home.sync_if(&|| true), fate) {
            (Err(words), Refused(why)) => {
                assert!(words.contains(why), "{what}: {words}");
                assert!(!words.contains(char::is_control), "{what}: {words:?}");
                let after = git(&bare, "for-each-ref");
                assert_eq!(after, before, "{what}: nothing is pushed");
            }
            (Ok(done), LeftOut) => assert!(done.refused > 0 && done.taken == 0, "{what}: {done:?}"),
            (Err(words), LeftOut) => panic!("{what}: {words}"),
            (Ok(done), Refused(why)) => panic!("{what}: not {why}, but {done:?}"),
        }
        assert_eq!(home.store.stats().hints, 0, "{what}");
        assert!(home.files().is_empty(), "{what}: a mark is left");
        let left = names_in(&home.folder);
        assert_eq!(left, ["sync.json", "sync.lock"], "{what}");
        // Nothing is written elsewhere.
        assert_eq!(names_in(all.path()), ["home", "remote.git"], "{what}");
    }
}

#[test]
fn only_addresses_of_repositories_are_taken() {
    let all = folder();
    let home = Home::new(all.path().join("home"), &bare(all.path()));
    for url in [
        "ext::sh -c touch% ran",
        "git://127.0.0.1/x",
        "http://127.0.0.1/x",
        "/etc",
        "--upload-pack=x",
    ] {
        let mut state = nudge_server::sync::State::load(&home.folder);
        state.point(url);
        state.save(&home.folder).unwrap();
        assert!(home.sync_if(&|| true).is_err(), "{url}");
    }
}
