//! Every sentence about a hint's life, played against the store. What a command says is read by a
//! few patterns, and what it promises must be what is there, then and after whatever comes
//! next. A sentence that no pattern knows fails.
//!
//! `life.txt` has the stories: a name with what is set in the environment, and what is typed;
//! after a `#` stands what becomes of the machine, and what others do.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::Command;

use chrono::{DateTime, FixedOffset, Utc};
use serde_json::{Value, json};

use crate::client::posted;
use crate::kept::Desk;
use crate::mcp::host::{Ends, Host};
use crate::process::{end_server, primary, printed, until};
use crate::says::Says;

/// What a sentence about a life means, in one spelling: `kept everywhere`, `kept for acme/shop`,
/// `session`, `memory`, and with the time of day `until 16:40` or `session 16:40`.
fn meaning(sentence: &str) -> String {
    let time = |end: &str| end.rsplit(' ').next().unwrap().to_owned();
    let bounded = sentence.strip_prefix("for this session, until ");
    let bounded = bounded.and_then(|rest| rest.strip_suffix(" at most"));
    match (sentence, bounded, sentence.strip_prefix("until ")) {
        ("for this session", ..) => "session".to_owned(),
        ("in memory alone; it ends with this session and its server", ..) => "memory".to_owned(),
        ("kept everywhere" | "kept for acme/shop", ..) => sentence.to_owned(),
        (_, Some(end), _) => format!("session {}", time(end)),
        (_, _, Some(end)) => format!("until {}", time(end)),
        _ => panic!("nobody knows what {sentence:?} means"),
    }
}

/// Whether what has such a life stays when the session ends.
fn stays(life: &str) -> bool {
    life.starts_with("kept ") || life.starts_with("until ")
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Plays a story, and knows what was said.
struct Player {
    desk: Desk,
    cwd: PathBuf,
    variables: Vec<(&'static str, &'static str)>,
    values: BTreeMap<String, String>,
    living: BTreeMap<String, String>,
    /// What `nudge restore` is said to bring back.
    ended: BTreeMap<String, String>,
    /// What `nudge undo` is said to bring back.
    deleted: Vec<(String, String)>,
    /// Values that are said to be nowhere on the disk.
    nowhere: Vec<String>,
}

impl Player {
    /// Somebody in a repository, with what a title sets.
    fn new(title: &'static str) -> Player {
        let variables = title.split(' ').filter_map(|word| word.split_once('='));
        let desk = Desk::bare();
        Player {
            cwd: desk.repository("shop", &[]),
            desk,
            variables: variables.collect(),
            values: BTreeMap::new(),
            living: BTreeMap::new(),
            ended: BTreeMap::new(),
            deleted: Vec::new(),
            nowhere: Vec::new(),
        }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.desk.command(&self.cwd, words);
        command.envs(self.variables.iter().copied());
        command
    }

    /// What is printed, first to stdout.
    fn printed(&self, words: &[&str]) -> String {
        printed(&mut self.command(words)).1
    }

    fn json(&self, words: &[&str]) -> Value {
        let output = self.command(words).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{words:?}: {output:?}"))
    }

    fn play(&mut self, step: &str) {
        let words: Vec<&str> = step.split(' ').collect();
        match words[..] {
            ["nudge", ref typed @ ..] => {
                let said = self.printed(typed);
                return self.hear(typed, &said);
            }
            [_, who @ ("agent" | "program"), component, key] => {
                let life = self.stored(&self.others_set(who, component, key));
                return self.note(component, key, &format!("{who}-{key}"), life);
            }
            [_, "kill"] => end_server(&self.desk.runtime()),
            [_, "restart"] => drop(self.printed(&["restart", "--yes"])),
            [_, "expire", name] => self.expire(name),
            _ => panic!("{step}"),
        }
        // What is in memory alone ends with its server, and so does what can be undone.
        self.living.retain(|_, life| life != "memory");
        self.deleted.clear();
    }

    /// Takes down what a command said.
    fn hear(&mut self, typed: &[&str], said: &str) {
        let name = || format!("{}/{}", typed[1], typed[2]);
        let ended = self.ended.len();
        match typed[0] {
            "set" => {
                // `✔ set api/build for acme/shop: make`, and below it for how long.
                let place = said.strip_prefix(&format!("✔ set {} ", name()));
                let place = place.and_then(|rest| rest.split_once(": ")).unwrap().0;
                let life = match said.lines().last().unwrap() {
                    "kept" => meaning(&format!("kept {place}")),
                    sentence => meaning(sentence),
                };
                self.note(typed[1], typed[2], typed[3], life);
            }
            "stop" => self.hear_stop(typed.contains(&"--purge"), said),
            "restore" if ended == 0 => assert!(said.starts_with("no session has ended"), "{said}"),
            "restore" => {
                let is = if ended == 1 { "is" } else { "are" };
                assert_eq!(said, format!("✔ {ended} hint{} {is} back\n", plural(ended)));
                self.living.append(&mut self.ended);
            }
            "delete" => {
                let words = format!("✔ deleted {}\n", name());
                assert!(said.starts_with(&words), "{said}");
                let deleted = self.living.remove_entry(&name());
                self.deleted.extend(deleted);
            }
            "undo" => match self.deleted.pop() {
                None => _ = said.says("remembered until the server ends\n"),
                Some((name, life)) => {
                    assert!(said.starts_with(&format!("✔ {name} is back: ")), "{said}");
                    self.living.insert(name, life);
                }
            },
            "keep" if said.starts_with("keeping is off; ") => {}
            "keep" => {
                let words = format!("✔ kept {} for every project: ", name());
                assert!(said.starts_with(&words), "{said}");
                self.living.insert(name(), "kept everywhere".to_owned());
            }
            // It does not speak of a life, and `why` does.
            "bump" => drop(self.living.insert(name(), self.why(&name()))),
            other => panic!("nobody knows what `nudge {other}` says"),
        }
    }

    /// Somebody was told that a hint was set, and how long it lives.
    fn note(&mut self, component: &str, key: &str, value: &str, life: String) {
        // Every variable but the time zone's says that nothing is kept.
        let is_off = self.variables.iter().any(|(name, _)| *name != "TZ");
        assert!(!is_off || !stays(&life), "{key}: {life}");
        if life == "memory" {
            self.nowhere.push(value.to_owned());
        }
        let name = format!("{component}/{key}");
        self.values.insert(name.clone(), value.to_owned());
        self.living.insert(name, life);
    }

    /// `✔ stopped; 54 kept hints stay, 2 of this session ended (nudge restore)`
    fn hear_stop(&mut self, purges: bool, said: &str) {
        until("the server ends", || {
            primary(&self.desk.runtime()).is_none()
        });
        let mut ends = std::mem::take(&mut self.living);
        self.living = ends.extract_if(.., |_, life| stays(life)).collect();
        let (stay, all) = (self.living.len(), ends.len());
        let is_kept = |life: &String| !life.contains(':');
        let kept = ["", " kept"][usize::from(self.living.values().all(is_kept))];
        let secrets = ends.extract_if(.., |_, life| life == "memory").count();
        let end = match (all, purges) {
            (0, _) => String::new(),
            (_, true) => format!(", {all} of this session deleted for good"),
            (_, _) if all == secrets => format!(", {all} of this session ended"),
            _ => format!(", {all} of this session ended (nudge restore)"),
        };
        let verb = if stay == 1 { "stays" } else { "stay" };
        let lost = match secrets {
            1 if !purges => "  1 secret cannot be brought back\n",
            _ => "",
        };
        let s = plural(stay);
        let words = format!("✔ stopped; {stay}{kept} hint{s} {verb}{end}\n{lost}");
        assert_eq!(said, words);
        self.deleted.clear();
        if purges {
            // As the help says, also what ended before.
            let names = ends.keys().chain(self.ended.keys());
            let values = names.map(|name| self.values[name].clone());
            self.nowhere.extend(values);
            self.ended.clear();
        } else if !ends.is_empty() {
            self.ended = ends;
        }
    }

    /// The time of a hint has come.
    fn expire(&mut self, name: &str) {
        end_server(&self.desk.runtime());
        let file = self.desk.runtime().join("nudge.db");
        let file = rusqlite::Connection::open(file).unwrap();
        let sql = "UPDATE hints SET hint = json_set(hint, '$.expires_at',
            '2020-01-01T00:00:00.000Z') WHERE component || '/' || key = ?1 AND NOT has_ended";
        assert_eq!(file.execute(sql, [name]).unwrap(), 1);
        assert!(self.living.remove(name).unwrap().contains(':'));
    }

    /// The hint that is answered to an agent over MCP, or to a program over HTTP.
    fn others_set(&self, who: &str, component: &str, key: &str) -> Value {
        let set = json!({"component": component, "key": key, "value": format!("{who}-{key}")});
        if who == "program" {
            self.printed(&["ls"]);
            let call =
                json!({"jsonrpc": "2.0", "id": 1, "method": "nudge.set_hint", "params": set});
            let socket = self.desk.runtime().join("nudge.sock");
            return posted(&socket, "", &call)["result"]["hint"].clone();
        }
        let mut host = Host::run(self.command(&["serve"]), Ends::Pipes).opened();
        let mut call = json!({"name": "nudge_set_hint", "arguments": set});
        call["arguments"]["full"] = json!(true);
        let said = host.request("tools/call", call);
        host.hang_up();
        said["result"]["structuredContent"]["hint"].clone()
    }

    /// The life of a hint as the store has it, for somebody who is here.
    fn stored(&self, hint: &Value) -> String {
        let is_east = self.variables.iter().any(|(_, value)| *value == "JST-9");
        let here = FixedOffset::east_opt(if is_east { 9 * 3600 } else { 0 }).unwrap();
        let end = hint["expires_at"].as_str();
        let end = end.map(|end| end.parse::<DateTime<Utc>>().unwrap().with_timezone(&here));
        let end = end.map(|end| end.format(" %R").to_string());
        let repo = hint["meta"]["scope"]["repo"][0].as_str();
        match hint["lifetime"].as_str().unwrap() {
            "kept" if repo == Some("git:github.com/acme/shop") => "kept for acme/shop".to_owned(),
            "kept" if repo.is_none() => "kept everywhere".to_owned(),
            "session" if hint["meta"]["sensitivity"] == "secret" => "memory".to_owned(),
            word => word.to_owned() + &end.unwrap_or_default(),
        }
    }

    fn why(&self, name: &str) -> String {
        let (component, key) = name.split_once('/').unwrap();
        let why = self.printed(&["why", component, key]);
        let mut lines = why.lines();
        let words = lines.find_map(|line| line.strip_prefix("  lifetime: "));
        meaning(words.unwrap_or_else(|| panic!("{why}")))
    }

    /// Fails where something else is there than was said.
    fn compare(&self, after: &str) {
        let listed = self.json(&["--json", "ls", "-l"]);
        let stored = listed["hints"].as_array().unwrap().iter().map(|row| {
            let [component, key] = ["component", "key"].map(|name| row[name].as_str().unwrap());
            (format!("{component}/{key}"), self.stored(&row["hint"]))
        });
        assert_eq!(self.living, stored.collect(), "after {after}");
        let [table, kept] = [&["ls", "-l"][..], &["kept"]].map(|words| self.printed(words));
        let exported = self.json(&["export"]);
        for (name, value) in &self.values {
            let (component, key) = name.split_once('/').unwrap();
            let life = self.living.get(name).map_or("", |life| life);
            let got = self.printed(&["get", component, key, "--raw"]).trim_end() == value;
            assert_eq!(got, !life.is_empty(), "get {name} after {after}");
            let hints = &exported["components"][component]["hints"];
            let goes_out = got && life != "memory";
            let exported = hints.get(key).is_some();
            assert_eq!(exported, goes_out, "export {name} after {after}");
            let kept = kept.contains(&format!("{name}: {value}\n"));
            assert_eq!(kept, stays(life), "kept {name} after {after}");
            if got {
                assert_eq!(self.why(name), life, "why {name} after {after}");
                let said = match life.split_once(' ') {
                    Some(("kept", _)) => "kept",
                    Some((_, end)) => end,
                    None => "session",
                };
                let mut rows = table.lines();
                let row = rows.find(|row| row.starts_with(&format!("{name} ")));
                assert!(row.unwrap().contains(said), "{table} after {after}");
            }
        }
        for value in &self.nowhere {
            let mut grep = Command::new("grep");
            let folders = [self.desk.runtime(), self.desk.home()];
            let found = grep.args(["-rqaF", value]).args(folders).status().unwrap();
            let is_nowhere = found.code() == Some(1);
            assert!(is_nowhere, "{value} is on the disk after {after}");
        }
    }
}

#[test]
fn what_is_said_of_a_hints_life_is_so() {
    for story in include_str!("life.txt").split("\n\n") {
        let (title, steps) = story.split_once('\n').unwrap();
        let mut player = Player::new(title);
        for step in steps.lines().map(str::trim_start) {
            player.play(step);
            player.compare(step);
        }
    }
}

#[test]
fn what_is_not_so_is_noticed() {
    for said in [
        "✔ stopped the server; its session has ended, and 1 hint with it\n",
        "✔ stopped; 0 kept hints stay, 1 of this session ended (nudge restore)\n",
        "✔ stopped; 2 kept hints stay\n",
        "kept until `nudge stop`, or 4 days without use\n",
        "kept everywhere\n",
        "for this session\n",
        "until 12:00\n",
    ] {
        let mut player = Player::new("kept");
        player.play("nudge set api build make");
        let mut typed = &["set", "api", "build", "make"][..];
        if said.starts_with('✔') {
            typed = &["stop"];
            player.printed(typed);
        }
        let heard = catch_unwind(AssertUnwindSafe(|| {
            player.hear(typed, said);
            player.compare(said);
        }));
        assert!(heard.is_err(), "{said}");
    }
}
