//! Days of work: what a session learned is there in the next, after a reboot, a crash, and
//! with another server beside it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rustix::process::Signal;

use super::Desk;
use crate::process::{folder, kill, primary, until};

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
    desk.reboot();

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

    let files = desk.files();
    assert_eq!(files.len(), 2);
    assert!(files[0].0.starts_with("github.com-acme-api-"), "{files:?}");
    let path = home
        .join(".local/state/nudge-hints/repos")
        .join(&files[0].0);
    assert_eq!(
        fs::metadata(path).unwrap().permissions().mode() & 0o777,
        0o600
    );
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
    desk.printed(&api, &["stop", "--yes"]);
    desk.reboot();
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
fn two_sessions_of_one_home_lose_nothing_of_each_other() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    let other = folder();
    let beside = |command: &str| {
        let words = ["set", "api", command, command];
        let mut set = desk.command(&api, &words);
        set.env("NUDGE_RUNTIME_DIR", other.path());
        assert!(set.output().unwrap().status.success());
    };
    for number in 0..20 {
        desk.printed(&api, &["set", "api", &format!("here{number}"), "x"]);
        beside(&format!("there{number}"));
    }
    // A server that ends by itself writes what it has.
    let mut stop = desk.command(&api, &["stop", "--yes"]);
    stop.env("NUDGE_RUNTIME_DIR", other.path());
    assert!(stop.output().unwrap().status.success());
    until("the other has ended", || primary(other.path()).is_none());
    desk.printed(&api, &["stop", "--yes"]);
    until("this one has ended", || primary(&desk.runtime()).is_none());
    let kept = desk.printed(&api, &["kept"]);
    for number in 0..20 {
        assert!(kept.contains(&format!("api/here{number}:")), "{kept}");
        assert!(kept.contains(&format!("api/there{number}:")), "{kept}");
    }
}

#[test]
fn a_damaged_file_is_moved_aside_and_said_so() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.printed(&api, &["set", "api", "build", "make"]);
    desk.printed(&api, &["stop", "--yes"]);
    desk.reboot();
    let [(name, text)] = &desk.files()[..] else {
        panic!("{:?}", desk.files())
    };
    let path = desk
        .home()
        .join(".local/state/nudge-hints/repos")
        .join(name);
    fs::write(&path, &text[..text.len() / 2]).unwrap();
    let output = desk.run(&api, &["get", "api", "build"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("a file of kept hints was damaged"), "{said}");
    assert!(said.contains(".damaged`"), "{said}");
    desk.printed(&api, &["set", "api", "build", "ninja"]);
    desk.printed(&api, &["stop", "--yes"]);
    assert!(fs::read_to_string(&path).unwrap().contains("ninja"));
}

#[test]
fn what_could_not_be_written_is_written_once_it_can_be() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.printed(&api, &["set", "api", "build", "make"]);
    until("the file", || !desk.files().is_empty());
    let folder = desk.home().join(".local/state/nudge-hints");
    let aside = folder.with_added_extension("aside");
    fs::rename(&folder, &aside).unwrap();
    fs::write(&folder, "").unwrap();
    let told = |words: &[&str]| String::from_utf8(desk.run(&api, words).stderr).unwrap();
    let mut said = told(&["set", "api", "test", "ctest"]);
    until("the user is told", || {
        said += &told(&["get", "api", "build"]);
        said.contains("it is not a folder")
    });
    said += &told(&["set", "api", "lint", "tidy"]);
    said += &told(&["get", "api", "build"]);
    assert_eq!(said.matches("it is not a folder").count(), 1, "{said}");
    fs::remove_file(&folder).unwrap();
    fs::rename(&aside, &folder).unwrap();
    until("the file has it", || {
        desk.files().iter().any(|(_, text)| text.contains("ctest"))
    });
}

#[test]
fn a_file_of_a_later_version_is_left_alone() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.printed(&api, &["set", "api", "build", "make"]);
    desk.printed(&api, &["stop", "--yes"]);
    desk.reboot();
    let (name, _) = &desk.files()[0];
    let path = desk
        .home()
        .join(".local/state/nudge-hints/repos")
        .join(name);
    let later = r#"{"schema_version": "9.0", "components": "who knows"}"#;
    fs::write(&path, later).unwrap();
    let output = desk.run(&api, &["set", "api", "build", "ninja"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("kept hints are not read"), "{said}");
    desk.printed(&api, &["stop", "--yes"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), later);
}

#[test]
fn nothing_is_kept_unless_the_user_said_so() {
    let desk = Desk::bare();
    let api = desk.repository("api", &[]);
    desk.starts(&api, "s1");
    desk.ran(&api, "s1", "npm test");
    desk.printed(&api, &["set", "api", "build", "make"]);
    assert!(
        desk.starts(&api, "s2").contains("npm test"),
        "learning needs no keeping"
    );
    let refused = desk.run(&api, &["keep", "api", "build"]);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("this session keeps nothing"), "{said}");
    desk.printed(&api, &["stop", "--yes"]);
    desk.reboot();
    assert_eq!(desk.starts(&api, "s3"), "");
    assert_eq!(desk.files(), []);
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
    let files = desk.files();
    assert!(
        files[0].1.contains("make") && !files[0].1.contains(token),
        "{files:?}"
    );
}

#[test]
fn what_the_user_takes_back_is_kept_again() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.printed(&api, &["set", "api", "port", "8080"]);
    desk.starts(&api, "s1");
    desk.ran(&api, "s1", "npm test");
    let has = |text: &str| desk.files().iter().any(|(_, file)| file.contains(text));
    until("both are kept", || has("8080") && has("npm test"));
    for key in ["port", "test"] {
        desk.printed(&api, &["delete", "api", key]);
    }
    until("both are gone", || !has("8080") && !has("npm test"));
    desk.printed(&api, &["undo"]);
    desk.printed(&api, &["undo"]);
    desk.printed(&api, &["stop", "--yes"]);
    desk.reboot();
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
    desk.printed(&api, &["stop", "--yes"]);
    desk.reboot();
    let get = |key| desk.printed(&api, &["get", "gateway", key, "--raw"]);
    assert_eq!([get("port"), get("editor")], ["8080\n", "vim\n"]);
    assert_eq!(desk.run(&api, &["ls", "api"]).status.code(), Some(1));
}
