//! A project's own files: what they add to the start of a session and to a get. And what it
//! takes to load the memory.

use std::fs;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use nudge::{Clock, Context, GetHint, Nudge, SetHint, SystemClock};
use nudge_server::project::ProjectFiles;
use nudge_server::store::Memory;
use serde_json::json;

use crate::Outcome;
use crate::hook::times;
use crate::measure::{Way, number, take_turns};
use crate::place::Place;
use crate::process::Process;
use crate::table::{Asked, Unit, block, pair};

const ROUNDS: usize = 21;
const RUNS: u32 = 20;
const GETS: u32 = 20_000;

/// How many files the large repository has.
const FILES: usize = 50_000;

/// What may be added: to the start of a session, and to a get with an anchor.
const START: f64 = 0.025;
const ANCHOR: f64 = 0.000_005;

/// How many hints are loaded, and what that may take.
const LOADS: [(usize, f64); 2] = [(5_000, 0.015), (50_000, 0.150)];

pub(crate) fn project(place: &Place) -> Outcome<()> {
    start(place)?;
    anchor(place)?;
    load()
}

/// The hook at the start of a session in a large repository, which scans its manifests. Each
/// time one of them is new.
fn start(place: &Place) -> Outcome<()> {
    let root = place.repository.clone();
    for number in 0..FILES {
        let folder = root.join(format!("src/{}/{}", number / 1000, number / 50 % 20));
        if number % 50 == 0 {
            fs::create_dir_all(&folder)?;
        }
        fs::write(folder.join(format!("{number}.ts")), "")?;
    }
    let manifest = |round: usize| {
        let scripts =
            json!({"test": "vitest run", "lint": "eslint .", "build": format!("tsc -p {round}")});
        fs::write(
            root.join("package.json"),
            json!({"scripts": scripts}).to_string(),
        )
    };
    fs::write(root.join("Makefile"), "build:\n\ttrue\n")?;
    let runtime = place.roomy()?;
    let server = Process::open(place.serve(runtime.path()))?;
    let event = runtime.path().join("event.json");
    let told = json!({"session_id": "s", "cwd": root, "hook_event_name": "SessionStart", "source": "startup"});
    fs::write(&event, told.to_string())?;
    let mut hook = place.nudge(runtime.path());
    hook.args(["hook", "claude"]);
    let mut nothing = Command::new("/bin/true");
    let mut round = 0;
    let mut ways = [
        Way::new("nudge hook", || {
            round += 1;
            manifest(round)?;
            times(&mut hook, &event, RUNS)
        }),
        Way::new("/bin/true", || times(&mut nothing, &event, RUNS)),
    ];
    take_turns(&mut ways, ROUNDS);
    let title = "the start of a session among 50,000 files, as a process";
    block(title, Unit::Seconds, 1, &ways, &[Asked::Adds(START)]);
    drop(server);
    Ok(())
}

/// A get of a hint with one anchor, beside one without.
fn anchor(place: &Place) -> Outcome<()> {
    let nudge = Nudge::default().with_projects(ProjectFiles::default());
    let root = place.repository.to_string_lossy().into_owned();
    let here = Context::new().cwd(&root).root(&root);
    let mut anchored = SetHint::new("api", "anchored", "make build");
    let anchor = serde_json::from_value(json!({"at": "Makefile#build"}))?;
    anchored.meta.anchors = nudge::Patch::Set([anchor].into());
    nudge.set_hint(anchored)?;
    nudge.set_hint(SetHint::new("api", "plain", "make build"))?;
    // A file that was changed a moment ago is read each time, as git does.
    std::thread::sleep(std::time::Duration::from_secs(3));
    let gets = |key: &'static str| {
        let start = Instant::now();
        for _ in 0..GETS {
            black_box(nudge.get_hint(GetHint::new("api", key).context(&here))?);
        }
        Ok(vec![start.elapsed().as_secs_f64() / number(GETS.into())])
    };
    let ways = [
        Way::new("with an anchor", || gets("anchored")),
        Way::new("without", || gets("plain")),
    ];
    pair("a get with one anchor", ways, ROUNDS, Asked::Adds(ANCHOR));
    Ok(())
}

/// What a new PRIMARY does before it answers: reads all that is stored and makes its store again.
fn load() -> Outcome<()> {
    for (hints, may_take) in LOADS {
        let folder = tempfile::tempdir()?;
        let config = || {
            let mut config = nudge::Config::default();
            config.limits.hints = hints;
            config
        };
        let open = || {
            let opened = Memory::open(folder.path(), SystemClock.now());
            opened.map_err(|refusal| refusal.to_string())
        };
        let full = Nudge::new(config()).with_sink(open()?.0);
        for number in 0..hints {
            let (component, key) = (format!("c{}", number / 50), format!("k{}", number % 50));
            let hint = SetHint::new(component, key, format!("make target-{number}"));
            full.set_hint(hint.repo(format!("git:example.com/acme/{}", number / 1000)))?;
        }
        drop(full);
        let ways = [
            Way::new("load", || {
                let start = Instant::now();
                let (memory, loaded) = open()?;
                let nudge = Nudge::new(config());
                nudge.replay_kinds(loaded.changes);
                let took = start.elapsed().as_secs_f64();
                drop((memory, black_box(nudge)));
                Ok(vec![took])
            }),
            Way::new("an empty folder", || {
                let empty = tempfile::tempdir()?;
                let start = Instant::now();
                let opened = Memory::open(empty.path(), SystemClock.now());
                let took = start.elapsed().as_secs_f64();
                drop(opened.map_err(|refusal| refusal.to_string())?);
                Ok(vec![took])
            }),
        ];
        let title = format!("loading {hints} hints");
        pair(&title, ways, ROUNDS, Asked::Adds(may_take));
    }
    Ok(())
}
