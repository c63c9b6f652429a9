//! Days of work: what a session learned is there in the next, after a reboot, a crash, and
//! with another server beside it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;

use super::Desk;
use crate::process::{kill, primary, until};

#[test]
fn the_first_session_of_the_next_day_is_told_what_worked_in_each_repository() {
    let desk = Desk::bare();
    let home = desk.home();
    let said = desk.printed(&home, &["install", "--hooks", "claude"]);
    assert!(said.contains("keep"), "{said}");
    let config = fs::read_to_string(home.join(".config/nudge-hints/config.toml")).unwrap();
    assert!(config.contains("keep = true"), "{config}");

    let (shop, api) = (desk.repository("shop", &[]), desk.repository("api", &[]));
    assert_eq!(desk.starts(&shop, "s1"), "");
    desk.ran(&shop, "s1", "pnpm run test");
    desk.ran(&shop, "s1", "pnpm run lint && pnpm run build");
    desk.starts(&api, "s2");
    desk.ran(&api, "s2", "make check");
    desk.ran(&shop, "s1", "pnpm run test");
    desk.next_day();

    let told = desk.starts(&shop, "s3");
    for line in [
        "- [learned, worked 1×] shop/build: `pnpm run build`\n",
        "- [learned, worked 1×] shop/lint: `pnpm run lint`\n",
        "- [learned, worked 1×] shop/test: `pnpm run test`\n",
    ] {
        assert!(told.contains(line), "{told}");
    }
    assert!(!told.contains("make check"), "{told}");
    let told = desk.starts(&api, "s4");
    assert!(
        told.contains("api/test: `make check`") && !told.contains("pnpm"),
        "{told}"
    );

    let path = desk.runtime().join("nudge.db");
    let mode = fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let listed = desk.printed(&shop, &["kept"]);
    assert!(listed.contains("shop/test: pnpm run test"), "{listed}");
    assert!(listed.contains("repository, learned, set "), "{listed}");
}

#[test]
fn what_the_user_sets_is_kept_and_what_the_user_deletes_stays_away() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.printed(&api, &["set", "api", "port", "8080"]);
    desk.printed(&api, &["set", "me", "editor", "vim", "--everywhere"]);
    desk.starts(&api, "s1");
    desk.ran(&api, "s1", "npm test");
    desk.printed(&api, &["delete", "api", "test"]);
    desk.next_day();
    desk.ran(&api, "s2", "npm test");
    desk.starts(&api, "s3");
    desk.ran(&api, "s3", "npm test");
    assert_eq!(
        desk.run(&api, &["get", "api", "test"]).status.code(),
        Some(1)
    );
    assert_eq!(
        desk.printed(&api, &["get", "api", "port", "--raw"]),
        "8080\n"
    );
    let elsewhere = desk.repository("web", &[]);
    assert_eq!(
        desk.printed(&elsewhere, &["get", "me", "editor", "--raw"]),
        "vim\n"
    );
    assert_eq!(
        desk.run(&elsewhere, &["get", "api", "port"]).status.code(),
        Some(1)
    );
    // Only the user's set of it lifts that.
    desk.printed(&api, &["set", "api", "test", "npm test"]);
    assert_eq!(
        desk.printed(&api, &["get", "api", "test", "--raw"]),
        "npm test\n"
    );
}

#[test]
fn a_server_that_is_killed_has_counted_a_kept_hint_once() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.starts(&api, "s1");
    desk.ran(&api, "s1", "npm test");
    desk.reboot();
    desk.starts(&api, "s2");
    desk.ran(&api, "s2", "npm test");
    kill(primary(&desk.runtime()).unwrap(), Signal::KILL);
    assert!(desk.starts(&api, "s3").contains("worked 2×"));
    desk.reboot();
    assert!(desk.starts(&api, "s4").contains("worked 2×"));
}

#[test]
fn nothing_is_kept_where_the_user_said_so() {
    let desk = Desk::bare();
    let config = desk.home().join(".config/nudge-hints/config.toml");
    fs::write(config, "keep = false\n").unwrap();
    let api = desk.repository("api", &[]);
    desk.starts(&api, "s1");
    desk.ran(&api, "s1", "npm test");
    let set = desk.run(&api, &["set", "api", "build", "make"]);
    assert_eq!(set.stderr, b"for this session\n");
    assert!(
        desk.starts(&api, "s2").contains("npm test"),
        "learning needs no keeping"
    );
    let refused = desk.run(&api, &["keep", "api", "build"]);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("keeping is off"), "{said}");
    desk.next_day();
    assert_eq!(desk.starts(&api, "s3"), "");
}

#[test]
fn who_asks_for_it_is_reminded_of_what_no_hint_has() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.starts(&api, "s1");
    for _ in 0..3 {
        assert_eq!(desk.ran(&api, "s1", "./seed.sh"), "");
    }
    let config = desk.home().join(".config/nudge-hints/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(config, "keep = true\nremind = 2\n").unwrap();
    assert_eq!(desk.ran(&api, "s1", "ls"), "");
    let said = desk.ran(&api, "s1", "ls");
    assert!(said.contains("`./seed.sh` worked here"), "{said}");
}

#[test]
fn no_secret_is_written_to_a_file() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    let token = concat!("ghp_", "1234567890abcdefghij1234567890abcdef");
    desk.printed(&api, &["set", "api", "token", token, "--allow-secret"]);
    desk.starts(&api, "s1");
    desk.ran(&api, "s1", &format!("npm test -- --token {token}"));
    desk.ran(&api, "s2", &format!("npm test -- --token {token}"));
    desk.printed(&api, &["set", "api", "build", "make"]);
    desk.printed(&api, &["stop", "--yes"]);
    assert!(desk.holds("make") && !desk.holds(token));
}

#[test]
fn what_the_user_takes_back_is_kept_again() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.printed(&api, &["set", "api", "port", "8080"]);
    desk.starts(&api, "s1");
    desk.ran(&api, "s1", "npm test");
    assert!(desk.holds("8080"));
    for key in ["port", "test"] {
        desk.printed(&api, &["delete", "api", key]);
    }
    until("it is gone", || !desk.holds("8080"));
    desk.printed(&api, &["undo"]);
    desk.printed(&api, &["undo"]);
    desk.next_day();
    let get = |key| desk.printed(&api, &["get", "api", key, "--raw"]);
    assert_eq!([get("port"), get("test")], ["8080\n", "npm test\n"]);
    let told = desk.starts(&api, "s2");
    assert!(told.contains("[learned, worked 1×] api/test"), "{told}");
}

#[test]
fn what_the_user_gives_another_name_is_kept_under_that() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.printed(&api, &["set", "api", "port", "8080"]);
    desk.printed(&api, &["set", "api", "editor", "vim", "--everywhere"]);
    desk.printed(&api, &["mv", "api", "gateway", "--everywhere"]);
    desk.next_day();
    let get = |key| desk.printed(&api, &["get", "gateway", key, "--raw"]);
    assert_eq!([get("port"), get("editor")], ["8080\n", "vim\n"]);
    assert_eq!(desk.run(&api, &["ls", "api"]).status.code(), Some(1));
}
