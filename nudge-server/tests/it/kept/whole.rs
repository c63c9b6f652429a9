//! The memory as a whole: what the user sees of it from anywhere, what of it would be
//! committed, and how all of it is deleted.

use std::fs;

use super::Desk;

#[test]
fn the_user_sees_everything_from_the_first_command_on() {
    let desk = Desk::new();
    let [api, web] = ["api", "web"].map(|name| desk.repository(name, &[]));
    desk.printed(&api, &["set", "api", "build", "make api"]);
    desk.printed(&web, &["set", "web", "build", "make web"]);
    desk.printed(&web, &["set", "web", "port", "8080", "--ttl", "session"]);
    desk.printed(&web, &["set", "shell", "editor", "vim", "--everywhere"]);
    let listed = "acme/web:\n  web (2 hints)\neverywhere:\n  shell (1 hint)\n";
    let count = "1 hint in 1 place elsewhere; `nudge ls --all` lists them\n";
    assert_eq!(desk.printed(&web, &["ls"]), format!("{listed}{count}"));
    let all = desk.printed(&web, &["ls", "-a"]);
    assert_eq!(all, format!("{listed}acme/api:\n  api (1 hint)\n"));
    assert_eq!(
        desk.printed(&web, &["ls", "--here"]),
        "shell (1 hint)\nweb (2 hints)\n"
    );
    let keys = desk.printed(&web, &["ls", "api"]);
    assert!(keys.starts_with("1 hint in 1 place elsewhere"), "{keys}");
    assert_eq!(
        desk.printed(&web, &["ls", "api", "-a"]),
        "acme/api:\n  api/build\n"
    );

    desk.printed(&web, &["stop", "--yes"]);
    let table = desk.printed(&api, &["ls", "-l"]);
    assert_eq!(table.lines().count(), 4, "{table}");
    let table = desk.printed(&web, &["ls", "-l", "--kept", "web"]);
    assert!(
        table.contains("web/build") && !table.contains("web/port"),
        "{table}"
    );
    let kept = desk.printed(&web, &["kept"]);
    assert_eq!(desk.printed(&web, &["ls", "--kept"]), kept);
    let found = desk.printed(&api, &["search", "make"]);
    assert!(
        found.contains("make web") && found.contains("make api"),
        "{found}"
    );
    let found = desk.printed(&api, &["search", "make", "--here"]);
    assert!(
        !found.contains("make web") && found.contains("make api"),
        "{found}"
    );
    let exported = desk.printed(&api, &["export"]);
    assert!(
        exported.contains("make web") && exported.contains("make api"),
        "{exported}"
    );
    // An agent sees no more than before.
    let mut agent = desk.command(&api, &["search", "make"]);
    let agent = agent.env("CLAUDECODE", "1").output().unwrap();
    assert!(
        !String::from_utf8(agent.stdout)
            .unwrap()
            .contains("make web")
    );
}

#[test]
fn a_seed_is_what_a_person_would_commit() {
    let desk = Desk::new();
    let api = desk.repository("api", &[]);
    desk.printed(
        &api,
        &[
            "set",
            "api",
            "build",
            "make",
            "--tags",
            "ci",
            "--everywhere",
        ],
    );
    desk.printed(
        &api,
        &["set", "api", "token", "s3cr3t-of-mine", "--allow-secret"],
    );
    let seed = desk.printed(&api, &["export", "--seed"]);
    let read: serde_json::Value = serde_json::from_str(&seed).unwrap();
    let hints = serde_json::json!({"build": {"value": "make", "meta": {"tags": ["ci"]}}});
    let components = serde_json::json!({"api": {"hints": hints}});
    assert_eq!(
        read,
        serde_json::json!({"schema_version": "1.0", "components": components})
    );
    fs::write(api.join("seed.json"), seed).unwrap();
    let other = Desk::new();
    let there = other.repository("api", &[]);
    let file = api.join("seed.json").display().to_string();
    other.printed(&there, &["import", &file]);
    assert_eq!(
        other.printed(&there, &["get", "api", "build", "--raw"]),
        "make\n"
    );
}

#[test]
fn purge_all_deletes_the_memory_and_nothing_else() {
    let desk = Desk::new();
    let hints = r#"{"schema_version": "1.0", "components": {}}"#;
    let api = desk.repository("api", &[(".nudge-hints.json", hints)]);
    let config = desk.home().join(".config/nudge-hints/config.toml");
    fs::write(&config, "observe = true\n").unwrap();
    desk.printed(&api, &["set", "api", "build", "make"]);
    desk.starts(&api, "s1");
    desk.ran(&api, "s1", "make all");
    fs::write(desk.runtime().join("nudge.db.damaged-1-wal"), "old").unwrap();
    // Nobody is there to be asked, and an agent is not the user.
    let unasked = desk.run(&api, &["purge", "--all"]);
    assert_eq!(unasked.status.code(), Some(2));
    let mut agent = desk.command(&api, &["purge", "--all", "--yes"]);
    let refused = agent.env("CLAUDECODE", "1").output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(
        said.contains("only the user may use `nudge purge --all`"),
        "{said}"
    );
    assert_eq!(
        desk.printed(&api, &["get", "api", "build", "--raw"]),
        "make\n"
    );

    let said = desk.printed(&api, &["purge", "--all", "--yes"]);
    for name in ["nudge.db\n", "history.db\n", "nudge.db.damaged-1-wal\n"] {
        assert!(said.contains(name), "{said}");
    }
    let left = fs::read_dir(desk.runtime()).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["lock"]);
    assert!(config.exists() && api.join(".nudge-hints.json").exists());
    let again = desk.run(&api, &["purge", "--all", "--yes"]);
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(
        desk.run(&api, &["ls"]).status.code(),
        Some(1),
        "nothing is there"
    );
}
