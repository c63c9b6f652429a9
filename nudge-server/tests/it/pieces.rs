//! Exports and imports of any size, and who is answered meanwhile.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use nudge::{Clock, Config, SystemClock};
use nudge_server::primary::Primary;
use parking_lot::{Condvar, Mutex};
use serde_json::json;

use crate::process::{Server, nudge_in, printed, serve};
use crate::served::Served;

/// A payload of so many hints, with what JSON must escape and what takes several bytes.
fn payload(hints: usize) -> String {
    let text = "größe \"x\"\\\n".repeat(300);
    let mut components = serde_json::Map::new();
    for number in 0..hints {
        let component = components
            .entry(format!("service-{}", number / 100))
            .or_insert_with(|| json!({"hints": {}}));
        let hint = json!({"value": format!("{number} {text}"), "meta": {"ttl": "session"}});
        component["hints"][format!("key-{number}")] = hint;
    }
    json!({"schema_version": "1.0", "components": components}).to_string()
}

fn in_folder(folder: &Path) -> Command {
    let mut command = nudge_in(folder);
    command.current_dir(folder);
    command
}

/// A server whose store takes so much.
fn large(folder: &Path) -> Server {
    let mut command = serve(folder);
    command.env("NUDGE_MAX_HINTS", "100000");
    command.env("NUDGE_MAX_COMPONENTS", "1000");
    command.env("NUDGE_SECRET_GUARD", "0");
    Server::spawn(command)
}

/// Imports a file, and gives the status and what a person reads.
fn import(folder: &Path, file: &Path) -> (i32, String) {
    printed(in_folder(folder).arg("import").arg(file))
}

/// The export of a store, without what is said of the store itself.
fn export(folder: &Path, file: &Path) -> String {
    let done = in_folder(folder).args(["export", "-o"]).arg(file).output();
    let done = done.unwrap();
    assert!(done.status.success(), "{done:?}");
    let text = std::fs::read_to_string(file).unwrap();
    let of_store = ["  \"created_at\"", "  \"session_id\""];
    let lines = text.split_inclusive('\n');
    let of_hints = lines.filter(|line| !of_store.iter().any(|it| line.starts_with(it)));
    of_hints.collect()
}

#[test]
fn what_a_store_exports_another_takes_at_any_size() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (_first, _second) = (large(one.path()), large(other.path()));
    let file = one.path().join("hints.json");
    std::fs::write(&file, payload(2500)).unwrap();
    let length = std::fs::metadata(&file).unwrap().len();
    assert!(length > 10_000_000, "{length}");
    let done = (0, "✔ imported 2500 hints, skipped 0\n".to_owned());
    assert_eq!(import(one.path(), &file), done);
    let hints = export(one.path(), &file);
    assert_eq!(import(other.path(), &file), done);
    let again = export(other.path(), &file);
    assert!(hints == again, "an export has changed");
}

/// A clock at which whoever looks waits, once it is stopped, until it goes on.
#[derive(Default)]
struct Held {
    /// How many may look still, if it is stopped, and how many have waited.
    looks: Mutex<(Option<usize>, usize)>,
    changed: Condvar,
}

impl Held {
    fn stop_after(&self, looks: usize) {
        self.looks.lock().0 = Some(looks);
    }

    fn wait_for_somebody(&self) {
        let mut looks = self.looks.lock();
        self.changed.wait_while(&mut looks, |looks| looks.1 == 0);
    }

    fn go_on(&self) {
        self.looks.lock().0 = None;
        self.changed.notify_all();
    }
}

impl Clock for Held {
    fn now(&self) -> DateTime<Utc> {
        let mut looks = self.looks.lock();
        match &mut looks.0 {
            Some(0) => {
                looks.1 += 1;
                self.changed.notify_all();
                self.changed
                    .wait_while(&mut looks, |looks| looks.0.is_some());
            }
            Some(left) => *left -= 1,
            None => {}
        }
        SystemClock.now()
    }
}

#[test]
fn others_are_answered_while_an_import_is_applied() {
    let clock = Arc::new(Held::default());
    let held = Arc::clone(&clock);
    let server = Served::start(|port| Primary::new(Config::default(), held, port));
    let empty = json!({"payload": {"schema_version": "1.0", "components": {}}});
    // The second look is the one of the writer, who then has the store to itself.
    clock.stop_after(1);
    let (mut importer, mut writer) = (server.tcp(), server.tcp());
    importer.say(server.call("nudge.import", &empty));
    clock.wait_for_somebody();
    let set = json!({"component": "api", "key": "build", "value": "make"});
    writer.say(server.call("nudge.set_hint", &set));
    for _ in 0..3 {
        let health = server.tcp().ask(server.get("/health", ""));
        assert_eq!(health.status(), 200);
    }
    clock.go_on();
    assert_eq!(importer.hear().unwrap().json()["result"]["imported"], 0);
    assert_eq!(writer.hear().unwrap().json()["result"]["created"], true);
}

#[test]
fn others_are_answered_while_a_store_is_searched() {
    for by in ["regex", "text"] {
        let clock = Arc::new(Held::default());
        let held = Arc::clone(&clock);
        let server = Served::start(|port| Primary::new(Config::default(), held, port));
        clock.stop_after(0);
        let mut searcher = server.tcp();
        searcher.say(server.call("nudge.query", &json!({by: "make"})));
        clock.wait_for_somebody();
        let health = server.tcp().ask(server.get("/health", ""));
        assert_eq!(health.status(), 200);
        clock.go_on();
        assert_eq!(searcher.hear().unwrap().json()["result"]["total"], 0);
    }
}
