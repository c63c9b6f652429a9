//! Days of work: what a session learned is there in the next, after a reboot, a crash, and
//! with another server beside it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::Desk;
use crate::says::Says;

#[test]
fn the_first_session_of_the_next_day_is_told_what_worked_in_each_repository() {
    let desk = Desk::bare();
    let home = desk.home();
    desk.types(&home, "install --hooks claude").says("keep");
    let config = fs::read_to_string(desk.config()).unwrap();
    config.says("keep = true");

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
        told.says(line);
    }
    told.hides("make check");
    let told = desk.starts(&api, "s4");
    told.says("api/test: `make check`").hides("pnpm");

    let path = desk.runtime().join("nudge.db");
    let mode = fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let listed = desk.types(&shop, "kept");
    listed
        .says("shop/test: pnpm run test")
        .says("; learned, set ");
}

#[test]
fn what_the_user_deletes_stays_away() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.starts(&api, "s1");
    desk.ran(&api, "s1", "npm test");
    desk.types(&api, "delete api test");
    desk.next_day();
    desk.ran(&api, "s2", "npm test");
    desk.starts(&api, "s3");
    desk.ran(&api, "s3", "npm test");
    assert_eq!(desk.status(&api, "get api test"), 1);
    // Only the user's set of it lifts that.
    desk.types(&api, "set api test 'npm test'");
    assert_eq!(desk.types(&api, "get api test --raw"), "npm test\n");
}

#[test]
fn who_asks_for_it_is_reminded_of_what_no_hint_has() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.starts(&api, "s1");
    for _ in 0..3 {
        assert_eq!(desk.ran(&api, "s1", "./seed.sh"), "");
    }
    fs::write(desk.config(), "keep = true\nremind = 2\n").unwrap();
    assert_eq!(desk.ran(&api, "s1", "ls"), "");
    desk.ran(&api, "s1", "ls").says("`./seed.sh` worked here");
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
    desk.types(&api, "set api build make");
    desk.types(&api, "stop --yes");
    assert!(desk.holds("make") && !desk.holds(token));
}

#[test]
fn what_the_user_gives_another_name_is_kept_under_that() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.types(&api, "set api port 8080");
    desk.types(&api, "set api editor vim --everywhere");
    desk.types(&api, "mv api gateway --everywhere");
    desk.next_day();
    let get = |key| desk.printed(&api, &["get", "gateway", key, "--raw"]);
    assert_eq!([get("port"), get("editor")], ["8080\n", "vim\n"]);
    assert_eq!(desk.status(&api, "ls api"), 1);
}
