//! The settings: who says them, and `nudge config`.

mod said;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::doctor::answering;
use crate::hosts::home::{BINARY, Home};
use crate::process::{nudge, printed};
use crate::says::Says;

const FILE: &str = ".config/nudge-hints/config.toml";

/// A home with a runtime folder in it.
struct Desk(Home);

impl Desk {
    fn new() -> Desk {
        let home = Home::empty();
        let runtime = home.path("run");
        fs::create_dir_all(&runtime).unwrap();
        fs::set_permissions(&runtime, fs::Permissions::from_mode(0o700)).unwrap();
        let home = home.with("NUDGE_RUNTIME_DIR", runtime.to_str().unwrap());
        Desk(home.with("NUDGE_AUTOSTART", "0"))
    }

    fn with_file(text: &str) -> Desk {
        let desk = Desk::new();
        desk.0.write(FILE, text);
        desk.chmod(0o644);
        desk
    }

    fn file(&self) -> PathBuf {
        self.0.path(FILE)
    }

    fn chmod(&self, mode: u32) {
        fs::set_permissions(self.file(), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Has a server answer every call with this.
    fn answering(&self, status: &Value) {
        answering(&self.0.path("run/nudge.sock"), status);
    }

    /// How a command ends, and what it prints.
    fn typed(&self, line: &str, variables: &[(&str, &str)]) -> (i32, String) {
        let typed = self.0.typed_with(Path::new(BINARY), line, variables);
        (typed.status, typed.stdout + &typed.stderr)
    }

    /// What `nudge config` says, and how it ends.
    fn config(&self, variables: &[(&str, &str)]) -> (i32, Value) {
        let (status, text) = self.typed("config --json", variables);
        (status, serde_json::from_str(&text).unwrap())
    }
}

/// What is shown of a setting.
fn row<'a>(config: &'a Value, name: &str) -> (Value, &'a str) {
    let row = &config["settings"][name];
    (row["value"].clone(), row["from"].as_str().unwrap())
}

#[test]
fn each_setting_is_shown_with_where_it_comes_from() {
    let home = Desk::with_file("max_hints = 100\nhook_ms = 99\nscope_writes = false\n");
    let (status, shown) = home.config(&[
        ("NUDGE_MAX_HINTS", "9000"),
        ("NUDGE_MAX_COMPONENTS", "7"),
        ("NUDGE_HOOK_MS", "88"),
    ]);
    assert_eq!(status, 0);
    assert_eq!(shown["file"], home.file().to_str().unwrap());
    for (name, value, from) in [
        ("max_components", json!(7), "NUDGE_MAX_COMPONENTS"),
        ("max_hints", json!(100), "config.toml"),
        ("linger", json!("P4D"), "default"),
        ("keep", json!(true), "default"),
        ("log_level", json!("warn"), "default"),
        ("prime_tokens", json!(400), "default"),
        ("hook_ms", json!(88), "NUDGE_HOOK_MS"),
        ("scope_writes", json!(false), "config.toml"),
        ("autostart", json!(false), "NUDGE_AUTOSTART"),
        (
            "runtime_dir",
            json!(home.0.path("run")),
            "NUDGE_RUNTIME_DIR",
        ),
    ] {
        assert_eq!(row(&shown, name), (value, from), "{name}");
    }
    assert_eq!(shown["settings"].as_object().unwrap().len(), 18);
    let notes = shown["notes"].to_string();
    for words in ["NUDGE_MAX_HINTS would loosen max_hints", "a new one takes"] {
        assert!(notes.contains(words), "{notes}");
    }
    let (_, text) = home.typed("config", &[]);
    let line = "max_hints = 100                    # config.toml\n";
    assert!(text.contains(line), "{text}");
}

#[test]
fn a_folder_with_a_name_that_is_no_utf_8_is_one() {
    let home = crate::process::folder();
    let runtime = home.path().join(OsStr::from_bytes(b"r\xffn"));
    let mut command = nudge();
    command
        .args(["config", "--json"])
        .env("NUDGE_HOOK_MS", "88");
    let output = command.env("NUDGE_RUNTIME_DIR", runtime).output().unwrap();
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(row(&shown, "hook_ms").0, 88);
    let (shown, _) = row(&shown, "runtime_dir");
    assert!(shown.as_str().unwrap().ends_with("r\u{fffd}n"));
}

#[test]
fn what_a_session_has_is_asked_of_it_and_a_guard_that_is_off_is_said_aloud() {
    let home = Desk::with_file("max_hints = 100\n");
    let settings = json!({"max_hints": 100, "secret_guard": false, "linger": "PT1H"});
    let status = json!({
        "product": "nudge", "version": "0.1.0", "protocol": "1.0", "pid": 1, "port": 0,
        "session_id": "s-1", "settings": settings,
        "warnings": ["the secret guard is OFF: what looks like a password or a key is stored"],
    });
    home.answering(&status);
    let (status, shown) = home.config(&[("NUDGE_MAX_HINTS", "7")]);
    assert_eq!(status, 0);
    assert_eq!(row(&shown, "max_hints"), (json!(100), "session"));
    assert_eq!(row(&shown, "linger"), (json!("PT1H"), "session"));
    let expected = [
        "the session has secret_guard = false, default true; `nudge restart` applies it",
        "the session has linger = \"PT1H\", default \"P4D\"; `nudge restart` applies it",
    ];
    assert_eq!(shown["notes"], json!(expected));
    for line in ["config", "status", "doctor"] {
        let (_, text) = home.typed(line, &[]);
        assert!(text.contains("the secret guard is OFF"), "{line}: {text}");
    }
}

#[test]
fn a_guard_that_the_file_turns_off_is_said_aloud_before_there_is_a_session() {
    let home = Desk::with_file("secret_guard = false\n");
    for line in ["config", "doctor"] {
        assert!(home.typed(line, &[]).1.contains("guard is OFF"), "{line}");
        // A variable can only turn it on.
        let (_, text) = home.typed(line, &[("NUDGE_SECRET_GUARD", "1")]);
        assert!(!text.contains("guard is OFF"), "{line}: {text}");
    }
    let home = Desk::new();
    let (_, text) = home.typed("config", &[("NUDGE_SECRET_GUARD", "0")]);
    assert!(!text.contains("guard is OFF"), "{text}");
}

#[test]
fn a_file_that_others_could_have_written_is_not_used() {
    let home = Desk::with_file("max_hints = 100\n");
    let is_unused = |why: &str| {
        let words = format!("`{}` is not used: {why}", home.file().display());
        let (status, shown) = home.config(&[]);
        assert_eq!(status, 0);
        assert_eq!(shown["alarms"], json!([words]));
        assert_eq!(row(&shown, "max_hints").1, "default");
    };
    for mode in [0o664, 0o646] {
        home.chmod(mode);
        is_unused("others may write to it; `chmod go-w` keeps them out");
    }
    let elsewhere = home.0.path("elsewhere");
    fs::rename(home.file(), &elsewhere).unwrap();
    symlink(&elsewhere, home.file()).unwrap();
    is_unused("it is a link");
    fs::remove_file(home.file()).unwrap();
    fs::create_dir(home.file()).unwrap();
    is_unused("it is not a regular file");
}

#[test]
fn a_file_that_means_nothing_is_told_by_every_command_and_spoils_no_hook() {
    let home = Desk::with_file("max_hint = 5\nlinger = \"soon\"\nmax_components = 3\n");
    let path = home.file().display().to_string();
    let name = format!("`{path}` line 1: there is no setting `max_hint`; write `max_hints = 5000`");
    let value = "line 2: linger is `soon`; make it `session` or a duration such as `2h`, `P7D`, \
                 as in `linger = \"4d\"`";
    assert_eq!(home.typed("ls", &[]), (2, format!("{name}\n")));
    let (status, shown) = home.config(&[]);
    let told = json!([name, format!("`{path}` {value}")]);
    assert_eq!((status, &shown["alarms"]), (2, &told));
    assert_eq!(row(&shown, "max_components"), (json!(3), "config.toml"));
    let (status, text) = home.typed("doctor", &[]);
    let is_told = text.contains(&name) && text.contains(value);
    assert!(status == 2 && is_told, "{text}");
    let (status, text) = home.typed("hook claude SessionStart", &[]);
    assert!(status == 0 && !text.contains("line"), "{text}");
}

#[test]
fn a_setting_is_changed_by_a_command_and_what_means_nothing_is_not_written() {
    let home = Desk::new();
    let (status, text) = home.typed("config before stop", &[]);
    let words = "✔ before = \"stop\" in `";
    assert!(status == 0 && text.starts_with(words), "{text}");
    for line in [
        "config hook-ms 200",
        "config set keep off",
        "config linger 2h",
    ] {
        assert_eq!(home.typed(line, &[]).0, 0, "{line}");
    }
    let written = fs::read_to_string(home.file()).unwrap();
    let said: Vec<&str> = written
        .lines()
        .filter(|it| !it.is_empty() && !it.starts_with('#'))
        .collect();
    let expected = [
        "linger = \"2h\"",
        "keep = false",
        "before = \"stop\"",
        "hook_ms = 200",
    ];
    assert_eq!(said, expected);
    for (line, words) in [
        ("config before maybe", "make it `tell`, `stop` or `off`"),
        ("config max_hints many", "make it a whole number above 0"),
        ("config keeep off", "did you mean `keep`?"),
        ("config nope 1", "`nudge config` shows them all"),
        ("config keep on off", "is a word too many"),
    ] {
        let (status, text) = home.typed(line, &[]);
        assert!(status == 2 && text.contains(words), "{line}: {text}");
    }
    assert_eq!(fs::read_to_string(home.file()).unwrap(), written);
    // What is said twice is changed in its place.
    assert_eq!(home.typed("config keep on", &[]).0, 0);
    let written = fs::read_to_string(home.file()).unwrap();
    assert_eq!(written.matches("\nkeep = true\n").count(), 1);
    let (_, text) = home.typed("config", &[]);
    let path = home.file().display().to_string();
    assert!(text.starts_with(&path), "{text}");
    let (status, text) = home.typed("config keep off", &[("CLAUDECODE", "1")]);
    assert!(status == 2 && text.contains("only the user may"), "{text}");
}

#[test]
fn a_store_that_is_nine_tenths_full_says_so_once_and_whenever_it_is_asked() {
    let runtime = crate::process::folder();
    let mut server = crate::process::serve(runtime.path());
    server.env("NUDGE_MAX_HINTS", "10");
    let _server = crate::process::Server::spawn(server);
    let typed = |words: &[&str]| printed(&mut crate::faults::command(runtime.path(), words)).1;
    let full = "the store is nine tenths full: agents add nothing more; delete";
    for number in 0..9 {
        let said = typed(&["set", "api", &format!("step-{number}"), "make"]);
        assert_eq!(said.contains(full), number == 8, "{number}: {said}");
    }
    assert!(!typed(&["get", "api", "step-0"]).contains(full));
    assert!(typed(&["status"]).contains(full));
    typed(&["set", "api", "step-9", "make"]);
    typed(&["status"]).says("the store is full: nobody adds anything more; delete");
    typed(&["delete", "api", "step-0"]);
    typed(&["delete", "api", "step-1"]);
    assert!(!typed(&["status"]).contains("full: "));
}
