//! What a store has from elsewhere: a session that ended, and projects' own files.

use nudge::{
    Bump, Caller, Config, Context, DeleteHint, Event, Export, GetHint, Nudge, SetHint, Ttl, Via,
};
use serde_json::{Value, json};

const REPO: &str = "git:acme/api";

fn at(time: &str) -> Nudge {
    let nudge = Nudge::new(Config {
        keep: true,
        ..Config::default()
    });
    later(&nudge, time);
    nudge
}

fn later(nudge: &Nudge, time: &str) {
    let at = format!("2026-11-04T{time}:00Z");
    nudge.pin_clock(Some(&at)).unwrap();
}

fn here() -> Context {
    let here = Context::new().cwd("/work/api").root("/work/api");
    here.repo(REPO).branch("main")
}

fn set(nudge: &Nudge, key: &str, value: &str) {
    let set = SetHint::new("api", key, value).repo(REPO);
    nudge.set_hint(set).unwrap();
}

fn learn(nudge: &Nudge, session: &str, command: &str) {
    let event = Event::after_command(command).exit_code(0).host("claude");
    let event = event.session(session).context(here());
    nudge.on_event(event).unwrap();
}

fn value(nudge: &Nudge, key: &str) -> Option<String> {
    let found = nudge.get_hint(GetHint::new("api", key).context(here()));
    found.ok().map(|found| found.hint.value.text().into_owned())
}

/// Brings back all that another store has, and says how much of it was taken.
fn bring_back(to: &Nudge, from: &Nudge) -> usize {
    let ended = from.export(Export::new()).unwrap().payload;
    to.bring_back(&Caller::user(), ended).unwrap().imported
}

#[test]
fn a_session_takes_along_what_is_its_own_and_says_whose_that_is() {
    let nudge = at("10:00");
    set(&nudge, "build", "make");
    learn(&nudge, "s1", "npm test");
    let of_repo = |key: &str| SetHint::new("api", key, "x").repo(REPO);
    nudge.set_hint(of_repo("token").secret()).unwrap();
    for (key, ttl) in [
        ("short", "PT2H".parse().unwrap()),
        ("session", Ttl::SESSION),
    ] {
        nudge.set_hint(of_repo(key).ttl(ttl)).unwrap();
    }
    let at = here();
    let agent = Caller::agent("codex").session("a").via(Via::Mcp);
    let agent = agent.repo(REPO).here(&at);
    nudge.ask(&agent, of_repo("tried")).unwrap();
    project(&nudge, &json!({"lint": {"value": "make lint"}}));
    let ending = |by: &Caller<'_>| {
        let it = nudge.ending(by);
        (it.ended, it.kept, it.secrets, it.of_others)
    };
    assert_eq!(ending(&Caller::user()), (3, 3, 1, 0));
    assert_eq!(ending(&agent), (3, 3, 1, 2));
    // Nobody is the user by coming the same way without a name.
    let program = Caller::user().actor(nudge::Actor::Program);
    assert_eq!(ending(&program), (3, 0, 1, 3), "it may read none");
    // What has its own time ends by that.
    later(&nudge, "12:01");
    assert_eq!(ending(&Caller::user()), (3, 2, 1, 0));
}

#[test]
fn of_what_comes_back_the_newer_stays_with_its_history() {
    let first = at("10:00");
    for key in ["build", "test", "lint"] {
        set(&first, key, "old");
    }
    first.bump(Bump::new("api", "build")).unwrap();
    let second = at("11:00");
    set(&second, "test", "new");
    assert_eq!(bring_back(&second, &first), 2);
    let built = second.get_hint(GetHint::new("api", "build").context(here()));
    assert_eq!(built.unwrap().hint.use_count, 1);
    let values = ["build", "test", "lint"].map(|key| value(&second, key).unwrap());
    assert_eq!(values, ["old", "new", "old"]);
    assert_eq!(bring_back(&second, &first), 0, "all of it is there");
}

#[test]
fn what_the_user_deleted_does_not_come_back_until_it_is_set_again() {
    let nudge = at("10:00");
    learn(&nudge, "s1", "npm test");
    let old = at("10:00");
    learn(&old, "s1", "npm test");
    later(&nudge, "10:05");
    nudge.delete_hint(DeleteHint::new("api", "test")).unwrap();
    assert_eq!((bring_back(&nudge, &old), value(&nudge, "test")), (0, None));
    later(&nudge, "10:20");
    set(&nudge, "test", "npm test");
    bring_back(&nudge, &old);
    assert_eq!(value(&nudge, "test"), Some("npm test".into()));
}

#[test]
fn what_is_released_leaves_nothing_against_it() {
    let nudge = at("10:00");
    set(&nudge, "build", "make");
    let scope = nudge::Scope::new().repo(REPO);
    let names = || ("api".into(), "build".into());
    nudge.release(&Caller::user(), names(), None).unwrap();
    assert_eq!(value(&nudge, "build"), Some("make".into()), "another scope");
    let user = Caller::user();
    nudge.release(&user, names(), Some(&scope)).unwrap();
    assert_eq!(value(&nudge, "build"), None);
    project(&nudge, &json!({"build": {"value": "make"}}));
    assert_eq!(value(&nudge, "build"), Some("make".into()));
}

fn project(nudge: &Nudge, hints: &Value) {
    let text =
        json!({"schema_version": "1.0", "components": {"api": {"hints": hints}}}).to_string();
    nudge.load_project("/work/api", &text).unwrap();
}

#[test]
fn a_projects_hints_apply_below_its_root_whatever_they_say() {
    let nudge = at("10:00");
    project(
        &nudge,
        &json!({
            "build": {"value": "make", "use_count": 900, "meta": {"source": "user"}},
            "lint": {"value": "make lint", "meta": {"scope": {"cwd_glob": ["./web/**"]}}},
            "away": {"value": "x", "meta": {"scope": {"cwd_glob": ["/elsewhere/**"]}}},
            "above": {"value": "x", "meta": {"scope": {"cwd_glob": ["/**"]}}},
        }),
    );
    let get = |key: &str, cwd: &str| {
        let here = Context::new().cwd(cwd).root("/work/api").repo(REPO);
        nudge.get_hint(GetHint::new("api", key).context(here)).ok()
    };
    let built = get("build", "/work/api/src").unwrap().hint;
    assert_eq!((&*built.told_by(), built.use_count), ("project", 0));
    assert!(get("build", "/work/other").is_none() && get("build", "/work").is_none());
    assert!(get("lint", "/work/api/web/a").is_some() && get("lint", "/work/api").is_none());
    for key in ["away", "above"] {
        assert!(get(key, "/elsewhere/x").is_none() && get(key, "/work/api").is_none());
    }
}

#[test]
fn a_project_replaces_what_it_said_before_and_is_nobody_elses_to_keep() {
    let nudge = at("10:00");
    let both = json!({"build": {"value": "make"}, "test": {"value": "make test"}});
    project(&nudge, &both);
    project(&nudge, &json!({"build": {"value": "ninja"}}));
    let values = (value(&nudge, "build"), value(&nudge, "test"));
    assert_eq!(values, (Some("ninja".into()), None));
    let exported = serde_json::to_string(&nudge.export(Export::new()).unwrap()).unwrap();
    assert!(!exported.contains("ninja"));
    let standing = nudge.standing(|changes| serde_json::to_string(&changes).unwrap());
    assert!(!standing.contains("ninja"));
    // The user's own for the place goes before it, and the user's others after.
    let everywhere = SetHint::new("api", "build", "everywhere");
    nudge.set_hint(everywhere.everywhere()).unwrap();
    assert_eq!(value(&nudge, "build"), Some("ninja".into()));
    set(&nudge, "build", "mine");
    assert_eq!(value(&nudge, "build"), Some("mine".into()));
    let place = here();
    let agent = Caller::agent("codex").here(&place);
    let agent = nudge.ask(&agent, SetHint::new("api", "build", "cmake").repo(REPO));
    assert!(agent.unwrap().proposal.is_some());
}
