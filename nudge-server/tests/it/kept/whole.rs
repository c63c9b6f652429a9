//! The memory as a whole: what the user sees of it from anywhere, and how all of it is
//! deleted.

use std::fs;

use super::Desk;
use crate::checkout::names_in;
use crate::says::Says;

#[test]
fn the_user_sees_everything_from_the_first_command_on() {
    let desk = Desk::new();
    let [api, web] = ["api", "web"].map(|name| desk.repository(name, &[]));
    desk.types(&api, "set api build 'make api'");
    desk.types(&web, "set web build 'make web'");
    desk.types(&web, "set web port 8080 --ttl session");
    desk.types(&web, "set shell editor vim --everywhere");
    let listed = "acme/web:\n  web (2 hints)\neverywhere:\n  shell (1 hint)\n";
    let count = "1 hint in 1 place elsewhere; `nudge ls --all` lists them\n";
    assert_eq!(desk.types(&web, "ls"), format!("{listed}{count}"));
    let all = desk.types(&web, "ls -a");
    assert_eq!(all, format!("{listed}acme/api:\n  api (1 hint)\n"));
    let here = desk.types(&web, "ls --here");
    assert_eq!(here, "shell (1 hint)\nweb (2 hints)\n");
    let keys = desk.types(&web, "ls api");
    assert!(keys.starts_with("1 hint in 1 place elsewhere"), "{keys}");
    assert_eq!(desk.types(&web, "ls api -a"), "acme/api:\n  api/build\n");

    desk.types(&web, "stop --yes");
    let table = desk.types(&api, "ls -l");
    assert_eq!(table.lines().count(), 4, "{table}");
    let table = desk.types(&web, "ls -l --kept web");
    table.says("web/build").hides("web/port");
    let kept = desk.types(&web, "kept");
    assert_eq!(desk.types(&web, "ls --kept"), kept);
    for line in ["search make", "export"] {
        desk.types(&api, line).says("make web").says("make api");
    }
    let found = desk.types(&api, "search make --here");
    found.hides("make web").says("make api");
    // An agent sees no more than before.
    desk.agent_ends(&api, "search make").1.hides("make web");
}

#[test]
fn purge_all_deletes_the_memory_and_nothing_else() {
    let desk = Desk::with_config("observe = true\n");
    let hints = r#"{"schema_version": "1.0", "components": {}}"#;
    let api = desk.repository("api", &[(".nudge-hints.json", hints)]);
    desk.types(&api, "set api build make");
    desk.starts(&api, "s1");
    desk.ran(&api, "s1", "make all");
    fs::write(desk.runtime().join("nudge.db.damaged-1-wal"), "old").unwrap();
    // Nobody is there to be asked, and an agent is not the user.
    assert_eq!(desk.status(&api, "purge --all"), 2);
    let (status, said) = desk.agent_ends(&api, "purge --all --yes");
    assert_eq!(status, 2);
    said.says("only the user may use `nudge purge --all`");
    assert_eq!(desk.types(&api, "get api build --raw"), "make\n");

    let said = desk.types(&api, "purge --all --yes");
    for name in ["nudge.db\n", "history.db\n", "nudge.db.damaged-1-wal\n"] {
        said.says(name);
    }
    assert_eq!(names_in(&desk.runtime()), ["lock"]);
    assert!(desk.config().exists() && api.join(".nudge-hints.json").exists());
    assert_eq!(desk.status(&api, "purge --all --yes"), 1);
    assert_eq!(desk.status(&api, "ls"), 1, "nothing is there");
}
