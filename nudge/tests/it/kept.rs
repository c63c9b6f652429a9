//! Layers: which hints are kept, how they are merged, and what a project's file may say.

#![expect(clippy::unwrap_used, reason = "what is set up here is good")]

use nudge::{
    Bump, Caller, Config, Context, DeleteHint, Event, Export, GetHint, Layer, Nudge, SetHint, Via,
};
use serde_json::{Value, json};

const REPO: &str = "git:acme/api";

fn at(time: &str) -> Nudge {
    let nudge = Nudge::new(Config {
        keep: true,
        ..Config::default()
    });
    nudge
        .pin_clock(Some(&format!("2026-11-04T{time}:00Z")))
        .unwrap();
    nudge
}

fn later(nudge: &Nudge, time: &str) {
    nudge
        .pin_clock(Some(&format!("2026-11-04T{time}:00Z")))
        .unwrap();
}

fn repo() -> Layer {
    Layer::Repo(REPO.to_owned())
}

fn here() -> Context {
    Context::new()
        .cwd("/work/api")
        .root("/work/api")
        .repo(REPO)
        .branch("main")
}

fn set(nudge: &Nudge, key: &str, value: &str) {
    let set = SetHint::new("api", key, value).repo(REPO);
    nudge.set_hint(set).unwrap();
}

fn learn(nudge: &Nudge, session: &str, command: &str) {
    let event = Event::after_command(command)
        .exit_code(0)
        .host("claude")
        .session(session);
    nudge.on_event(event.context(here())).unwrap();
}

fn value(nudge: &Nudge, key: &str) -> Option<String> {
    let found = nudge.get_hint(GetHint::new("api", key).context(here()));
    found.ok().map(|found| found.hint.value.text().into_owned())
}

fn file(nudge: &Nudge, layer: &Layer) -> String {
    serde_json::to_string(&nudge.kept(layer)).unwrap()
}

/// The keys of `api` that a layer holds.
fn keys(nudge: &Nudge, layer: &Layer) -> Vec<String> {
    let file: Value = serde_json::from_str(&file(nudge, layer)).unwrap();
    let hints = file["components"]["api"]["hints"].as_object();
    hints.map_or_else(Vec::new, |hints| hints.keys().cloned().collect())
}

#[test]
fn what_the_user_said_and_what_was_seen_to_work_is_kept_and_nothing_else() {
    let nudge = at("10:00");
    set(&nudge, "build", "make");
    learn(&nudge, "s1", "npm test");
    nudge
        .set_hint(SetHint::new("api", "editor", "vim"))
        .unwrap();
    let of_repo = |key: &str| SetHint::new("api", key, "x").repo(REPO);
    nudge.set_hint(of_repo("token").secret()).unwrap();
    nudge
        .set_hint(of_repo("short").ttl("PT2H".parse().unwrap()))
        .unwrap();
    nudge
        .set_hint(of_repo("session").ttl("session".parse().unwrap()))
        .unwrap();
    let agent = Caller::agent("codex").session("a").via(Via::Mcp).repo(REPO);
    nudge.ask(&agent, of_repo("tried")).unwrap();
    nudge.ask(&agent, of_repo("proven")).unwrap();
    let other = Caller::user()
        .actor(nudge::Actor::Hook)
        .client("claude")
        .session("b");
    let bump = Bump::new("api", "proven").scope(nudge::Scope::new().repo(REPO));
    nudge.ask(&other, bump).unwrap();
    assert_eq!(keys(&nudge, &repo()), ["build", "proven", "test"]);
    assert_eq!(keys(&nudge, &Layer::Everywhere), ["editor"]);
    assert_eq!(
        keys(&nudge, &Layer::Repo("git:acme/web".to_owned())),
        [""; 0]
    );
}

#[test]
fn nothing_learned_is_kept_where_there_is_no_remote() {
    let nudge = at("10:00");
    let here = Context::new()
        .cwd("/workspace")
        .repo("file:///workspace")
        .branch("main");
    let event = Event::after_command("npm test")
        .exit_code(0)
        .host("claude")
        .session("s");
    nudge.on_event(event.context(&here)).unwrap();
    nudge
        .set_hint(SetHint::new("workspace", "build", "make").repo("file:///workspace"))
        .unwrap();
    let kept = file(&nudge, &Layer::Repo("file:///workspace".to_owned()));
    assert!(kept.contains("make") && !kept.contains("npm test"));
}

#[test]
fn nothing_that_looks_like_a_credential_is_kept_although_the_guard_is_off() {
    let config = Config {
        secret_guard: false,
        keep: true,
        ..Config::default()
    };
    let nudge = Nudge::new(config);
    set(
        &nudge,
        "login",
        concat!(
            "export GITHUB_TOKEN=ghp_",
            "1234567890abcdefghij1234567890abcdef"
        ),
    );
    set(&nudge, "build", "make");
    assert_eq!(keys(&nudge, &repo()), ["build"]);
}

#[test]
fn what_is_kept_is_there_tomorrow_with_its_history() {
    let today = at("10:00");
    learn(&today, "s1", "npm test");
    later(&today, "11:00");
    learn(&today, "s2", "npm test");
    let tomorrow = at("12:00");
    assert_eq!(
        tomorrow
            .load_layer(&repo(), &file(&today, &repo()), None)
            .unwrap()
            .imported,
        1
    );
    let found = tomorrow
        .get_hint(GetHint::new("api", "test").context(here()))
        .unwrap();
    assert_eq!(found.hint.use_count, 2);
    assert_eq!(found.hint.told_by(), "learned, worked 2×");
    assert_eq!(
        file(&tomorrow, &repo()).replace(tomorrow.session_id(), ""),
        {
            let text = file(&today, &repo()).replace(today.session_id(), "");
            text.replace(
                "2026-11-04T10:00:00.000Z\",\"session_id",
                "2026-11-04T12:00:00.000Z\",\"session_id",
            )
        }
    );
}

#[test]
fn the_newer_one_stays_and_of_equals_the_one_that_was_used_later() {
    let first = at("10:00");
    set(&first, "build", "make");
    let text = file(&first, &repo());
    let second = at("11:00");
    second.load_layer(&repo(), &text, None).unwrap();
    second.bump(Bump::new("api", "build")).unwrap();
    first
        .load_layer(&repo(), &file(&second, &repo()), None)
        .unwrap();
    let uses = |nudge: &Nudge| {
        let found = nudge.get_hint(GetHint::new("api", "build").context(here()));
        found.unwrap().hint.use_count
    };
    assert_eq!(uses(&first), 1);
    second.load_layer(&repo(), &text, None).unwrap();
    assert_eq!(uses(&second), 1, "what is older takes nothing away");
    set(&second, "build", "ninja");
    later(&first, "12:00");
    first
        .load_layer(&repo(), &file(&second, &repo()), None)
        .unwrap();
    second.load_layer(&repo(), &text, None).unwrap();
    assert_eq!(
        (value(&first, "build"), value(&second, "build")),
        (Some("ninja".into()), Some("ninja".into()))
    );
}

#[test]
fn what_the_user_deleted_stays_deleted_until_it_is_set_again() {
    let nudge = at("10:00");
    learn(&nudge, "s1", "npm test");
    let old = file(&nudge, &repo());
    later(&nudge, "10:05");
    nudge.delete_hint(DeleteHint::new("api", "test")).unwrap();
    nudge.load_layer(&repo(), &old, None).unwrap();
    assert_eq!(value(&nudge, "test"), None);
    // The mark is kept where nothing else is, and obeyed by whoever loads it.
    let marked = file(&nudge, &repo());
    let other = at("10:10");
    other.load_layer(&repo(), &old, None).unwrap();
    other.load_layer(&repo(), &marked, None).unwrap();
    assert_eq!(value(&other, "test"), None);
    learn(&other, "s2", "npm test");
    assert_eq!(value(&other, "test"), None);
    later(&other, "10:20");
    set(&other, "test", "npm test");
    other.load_layer(&repo(), &marked, None).unwrap();
    assert_eq!(value(&other, "test"), Some("npm test".into()));
    nudge
        .load_layer(&repo(), &file(&other, &repo()), None)
        .unwrap();
}

#[test]
fn what_was_taken_away_here_is_not_loaded_again_from_what_was_known() {
    let nudge = at("10:00");
    learn(&nudge, "s1", "npm test");
    let (known, text) = (nudge.kept(&repo()), file(&nudge, &repo()));
    let event = Event::after_command("npm test")
        .exit_code(127)
        .host("claude")
        .session("s2");
    nudge.on_event(event.context(here())).unwrap();
    assert_eq!(value(&nudge, "test"), None);
    nudge.load_layer(&repo(), &text, Some(&known)).unwrap();
    assert_eq!(value(&nudge, "test"), None);
    // What somebody else has set since is news.
    let other = at("11:00");
    learn(&other, "s3", "npm test");
    later(&nudge, "11:05");
    nudge
        .load_layer(&repo(), &file(&other, &repo()), Some(&known))
        .unwrap();
    assert_eq!(value(&nudge, "test"), Some("npm test".into()));
}

fn project(nudge: &Nudge, hints: &Value) {
    let text =
        json!({"schema_version": "1.0", "components": {"api": {"hints": hints}}}).to_string();
    nudge
        .load_layer(&Layer::Project("/work/api".to_owned()), &text, None)
        .unwrap();
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
    assert_eq!(
        (built.told_by(), built.use_count),
        ("project".to_owned(), 0)
    );
    assert!(get("build", "/work/other").is_none() && get("build", "/work").is_none());
    assert!(get("lint", "/work/api/web/a").is_some() && get("lint", "/work/api").is_none());
    for key in ["away", "above"] {
        assert!(get(key, "/elsewhere/x").is_none() && get(key, "/work/api").is_none());
    }
}

#[test]
fn a_project_replaces_what_it_said_before_and_is_nobody_elses_to_keep() {
    let nudge = at("10:00");
    project(
        &nudge,
        &json!({"build": {"value": "make"}, "test": {"value": "make test"}}),
    );
    project(&nudge, &json!({"build": {"value": "ninja"}}));
    assert_eq!(
        (value(&nudge, "build"), value(&nudge, "test")),
        (Some("ninja".into()), None)
    );
    assert_eq!(keys(&nudge, &repo()), [""; 0]);
    assert_eq!(keys(&nudge, &Layer::Everywhere), [""; 0]);
    let exported = serde_json::to_string(&nudge.export(Export::new()).unwrap()).unwrap();
    assert!(!exported.contains("ninja"));
    let standing = nudge.standing(|changes| serde_json::to_string(&changes).unwrap());
    assert!(!standing.contains("ninja"));
    // The user's own for the place goes before it, and the user's others after.
    nudge
        .set_hint(SetHint::new("api", "build", "everywhere").everywhere())
        .unwrap();
    assert_eq!(value(&nudge, "build"), Some("ninja".into()));
    set(&nudge, "build", "mine");
    assert_eq!(value(&nudge, "build"), Some("mine".into()));
    let place = here();
    let agent = Caller::agent("codex").here(&place);
    let agent = nudge.ask(&agent, SetHint::new("api", "build", "cmake").repo(REPO));
    assert!(agent.unwrap().proposal.is_some());
}
