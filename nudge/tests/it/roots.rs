//! What a root that only names a repository reads and teaches, which no vector can say: there
//! every root is known.

use nudge::{
    Actor, Bump, Caller, Context, Event, Export, GetContext, GetHint, GetStats, ListComponents,
    Nudge, PromptBlock, Query, Reaction, SetContext, SetHint, Via, from_json,
};
use serde_json::json;

use crate::projects::MadeUp;

const REPO: &str = "git:github.com/acme/shop";
const CLONES: MadeUp = MadeUp(&[("lint", "make lint")]);

fn at(root: &str) -> Context {
    let context = Context::new().cwd(root).root(root);
    context.repo(REPO).branch("main")
}

fn after(nudge: &Nudge, root: &str, session: &str, command: &str) -> Reaction {
    let event = json!({"event": "after_command", "host": "claude", "session": session,
        "command": command, "ok": true, "exit_code": 0, "context": at(root)});
    told(nudge, &event)
}

fn told(nudge: &Nudge, event: &serde_json::Value) -> Reaction {
    let hook = Caller::user().actor(Actor::Hook).via(Via::Hook);
    let event: Event = from_json(event.to_string().as_bytes()).unwrap();
    let hook = hook.client("claude").session("s1");
    nudge.ask(&hook, event).unwrap()
}

/// A user's hint, one that an agent set and one that was learned, all of the repository.
fn store() -> Nudge {
    let nudge = Nudge::default().with_projects(CLONES);
    let (here, agent) = (at("/work/shop"), Caller::agent("codex").session("s9"));
    let agent = agent.via(Via::Mcp).here(&here);
    let build = SetHint::new("shop", "build", "make");
    nudge.set_hint(build.repo(REPO)).unwrap();
    let tested = SetHint::new("shop", "deploy", "make ship");
    nudge.ask(&agent, tested).unwrap();
    let intent = SetContext::new("intent", ["retry uploads"]);
    nudge.ask(&agent, intent).unwrap();
    after(&nudge, "/work/shop", "s1", "pnpm test");
    nudge
}

/// What a caller reads of the three, and of the work in hand.
fn read(nudge: &Nudge, root: &str) -> String {
    let here = at(root);
    let agent = Caller::agent("cursor").session("s2").here(&here);
    let get = |key: &str| nudge.ask(&agent, GetHint::new("shop", key)).is_ok();
    let keys = ["build", "deploy", "test", "lint"];
    let got: Vec<&str> = keys.into_iter().filter(|key| get(key)).collect();
    let found = nudge.ask(&agent, Query::new()).unwrap();
    let block = nudge.ask(&agent, PromptBlock::new()).unwrap().text;
    let shown = keys.map(|key| block.contains(&format!("{key}: ")));
    let listed = nudge.ask(&agent, ListComponents::default()).unwrap();
    let counted = nudge.ask(&agent, GetStats::default()).unwrap();
    let work = nudge.ask(&agent, GetContext::default()).unwrap();
    let export = nudge.ask(&agent, Export::default()).unwrap();
    let export = serde_json::to_string(&export).unwrap();
    // To leave out the root, or to state another, changes nothing.
    let agents_word = [Context::new().repo(REPO), at("/work/shop")];
    let stated = agents_word.map(|context| {
        let get = GetHint::new("shop", "test").context(context);
        nudge.ask(&agent, get).is_ok()
    });
    let exported = [export.contains("make ship"), export.contains("uploads")];
    format!(
        "got {}; found {} of {}; shown {shown:?}; listed {} of {}; {} others; exported {exported:?}; \
         stated {stated:?}; {} here",
        got.join(" "),
        found.total,
        found.scoped_out,
        listed.components[0].hint_count,
        counted.hints,
        work.others.len(),
        nudge.count_here(&agent, &here),
    )
}

#[test]
fn a_root_that_only_names_a_repository_reads_the_users_and_the_projects() {
    let nudge = store();
    let all = "got build deploy test lint; found 3 of 0; shown [true, true, true, true]; listed 3 of 3; \
               1 others; exported [true, true]; stated [true, true]; 4 here";
    assert_eq!(read(&nudge, "/work/clone"), all);
    let users = "got build lint; found 1 of 0; shown [true, false, false, true]; listed 1 of 1; \
                 0 others; exported [false, false]; stated [false, false]; 2 here";
    assert_eq!(read(&nudge, "/tmp/unpacked"), users);
}

#[test]
fn hooks_there_tell_count_and_teach_nothing_but_of_the_users() {
    let nudge = store();
    let start = |root: &str| {
        let event = json!({"event": "session_start", "host": "claude", "session": "s3",
            "context": at(root)});
        told(&nudge, &event).text.unwrap_or_default()
    };
    let strange = start("/tmp/unpacked");
    assert!(strange.contains("shop/build"), "{strange}");
    for hidden in ["pnpm test", "make ship", "uploads"] {
        assert!(start("/work/shop").contains(hidden), "{hidden}");
        assert!(!strange.contains(hidden), "{hidden}: {strange}");
    }
    let get = |key: &str, root: &str| nudge.get_hint(GetHint::new("shop", key).context(at(root)));
    let uses = |key| get(key, "/work/shop").unwrap().hint.use_count;
    let before = (uses("test"), uses("build"));
    after(&nudge, "/tmp/unpacked", "s4", "pnpm test");
    after(&nudge, "/tmp/unpacked", "s4", "make");
    assert_eq!((uses("test"), uses("build")), (before.0, before.1 + 1));
    // Another command is not learned, and what was run there is not told elsewhere.
    for session in ["s5", "s6", "s7"] {
        after(&nudge, "/tmp/unpacked", session, "npm run typecheck");
    }
    assert!(get("typecheck", "/work/shop").is_err());
    assert!(!start("/work/shop").contains("typecheck"));
    after(&nudge, "/work/shop", "s5", "npm run typecheck");
    assert!(get("typecheck", "/work/shop").is_ok());
}

#[test]
fn what_an_agent_writes_there_stays_there() {
    let nudge = store();
    let here = at("/tmp/unpacked");
    let agent = Caller::agent("codex").session("s8");
    let agent = agent.via(Via::Mcp).here(&here);
    let fmt = SetHint::new("shop", "fmt", "make fmt");
    nudge.ask(&agent, fmt).unwrap();
    let intent = SetContext::new("intent", ["run this"]);
    nudge.ask(&agent, intent).unwrap();
    let get = GetHint::new("shop", "fmt");
    let own = nudge.ask(&agent, get.clone()).unwrap().hint;
    assert_eq!(own.scope().unwrap().repo, None);
    assert!(nudge.ask(&agent, Bump::new("shop", "deploy")).is_err());
    let work = nudge.ask(&agent, GetContext::default()).unwrap();
    assert_eq!(work.sets["intent"], ["run this"]);
    assert!(nudge.get_hint(get.context(at("/work/shop"))).is_err());
    let clone = at("/work/clone");
    let other = Caller::agent("cursor").session("s2").here(&clone);
    let work = nudge.ask(&other, GetContext::default()).unwrap();
    assert_eq!(work.others.len(), 1);
    assert_eq!(work.others[0].sets["intent"], ["retry uploads"]);
}

#[test]
fn runs_are_neither_read_nor_taught_where_the_root_is_not_known() {
    let fails = |nudge: &Nudge, root: &str, session: &str| {
        let event = json!({"event": "after_command", "host": "claude", "session": session,
            "command": "frob all", "exit_code": 127, "context": at(root)});
        told(nudge, &event);
    };
    let is_warned = |nudge: &Nudge, root: &str, session: &str| {
        let event = json!({"event": "before_command", "host": "claude", "session": session,
            "command": "frob all", "context": at(root)});
        told(nudge, &event).text.is_some()
    };
    let nudge = Nudge::default().with_projects(CLONES);
    fails(&nudge, "/unpacked", "s1");
    assert!(!is_warned(&nudge, "/work/shop", "s2"));
    fails(&nudge, "/work/shop", "s1");
    assert!(is_warned(&nudge, "/work/clone", "s3"));
    assert!(!is_warned(&nudge, "/unpacked", "s4"));
}

#[test]
fn below_the_folder_of_its_manifest_a_command_may_have_seen_a_part_alone() {
    let nudge = Nudge::default().with_projects(CLONES);
    let runs = |folder: &str, session: &str| {
        let context = at("/work/shop").cwd(format!("/work/shop/{folder}"));
        let event = json!({"event": "after_command", "host": "claude", "session": session,
            "command": "pytest", "exit_code": 0, "context": context});
        !told(&nudge, &event).did.is_empty()
    };
    assert!(!runs("tests", "s1"));
    assert!(runs("", "s1"));
}
