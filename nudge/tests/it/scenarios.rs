//! The five scenarios of the specification, as a program would live them.

use std::sync::Arc;

use nudge::{Bump, Command, Context, ErrorKind, GetHint, Import, ManualClock, Nudge, Os, Query};
use nudge::{SetHint, Shell};

#[test]
fn a_warm_start() {
    let nudge = Nudge::default();
    nudge
        .set_hint(
            SetHint::new(
                "http-proxy",
                "build",
                Command::new("docker compose build router").shell(Shell::Bash),
            )
            .tags(["build", "docker"])
            .priority(7)
            .cwd_glob("**/http-proxy*")
            .branch("dev")
            .branch("main")
            .os(Os::Linux)
            .os(Os::Darwin),
        )
        .unwrap();

    let here = Context::new()
        .cwd("/work/minerva/http-proxy")
        .branch("dev")
        .os(Os::Linux);
    let get = || {
        let request = GetHint::new("http-proxy", "build").context(&here);
        nudge.get_hint(request).unwrap()
    };
    let first = get();
    assert_eq!(first.hint.value.text(), "docker compose build router");
    assert_eq!(
        first.match_explain.reasons(),
        [
            "cwd matched **/http-proxy*",
            "branch=dev allowed",
            "os=linux allowed"
        ]
    );

    // It worked, so it is worth more.
    let bump = Bump::new("http-proxy", "build").context(&here);
    assert_eq!(nudge.bump(bump).unwrap().hint.use_count, 1);
    assert!(get().match_explain.score > first.match_explain.score);
}

#[test]
fn b_a_failed_build() {
    let nudge = Nudge::default();
    let set = |key: &str, value: &str| SetHint::new("http-proxy", key, value).tags(["build"]);
    nudge
        .set_hint(set("build", "docker compose build router").priority(8))
        .unwrap();
    nudge
        .set_hint(set("clean", "docker compose down --volumes"))
        .unwrap();
    nudge
        .set_hint(set("msbuild", "msbuild proxy.sln").os(Os::Windows))
        .unwrap();
    nudge
        .set_hint(SetHint::new("http-proxy", "test", "cargo test").tags(["test"]))
        .unwrap();

    let here = Context::new().cwd("/work/minerva/http-proxy").os(Os::Linux);
    let query = Query::new()
        .component("http-proxy")
        .tag("build")
        .context(&here)
        .limit(3);
    let found = nudge.query(query).unwrap();
    let keys: Vec<&str> = found.hints.iter().map(|ranked| &*ranked.key).collect();
    assert_eq!(keys, ["build", "clean"]);
    assert_eq!((found.total, found.scoped_out), (2, 1));
}

#[test]
fn c_paths_that_differ_between_systems() {
    let nudge = Nudge::default();
    let set = |path: &str, os| SetHint::new("http-proxy", "directory", path).os(os);
    nudge
        .set_hint(set(r"c:\code\http-proxy", Os::Windows))
        .unwrap();
    let second = nudge
        .set_hint(set("/Users/dev/code/http-proxy", Os::Darwin))
        .unwrap();
    assert_eq!((second.created, second.variants), (true, 2));

    let get = |os| {
        let context = Context::new().os(os);
        nudge.get_hint(GetHint::new("http-proxy", "directory").context(context))
    };
    assert_eq!(
        get(Os::Windows).unwrap().hint.value.as_str(),
        Some(r"c:\code\http-proxy")
    );
    assert_eq!(
        get(Os::Darwin).unwrap().hint.value.as_str(),
        Some("/Users/dev/code/http-proxy")
    );
    let error = get(Os::Linux).unwrap_err();
    assert_eq!(error.data().detail.as_deref(), Some("out_of_scope"));
    assert_eq!(error.data().near_misses.len(), 2);
}

#[test]
fn d_a_toggle_for_two_hours() {
    let clock = Arc::new(ManualClock::at("2025-11-04T10:00:00Z".parse().unwrap()));
    let nudge = Nudge::default().with_clock(Arc::clone(&clock));
    let toggle = SetHint::new("api", "env.FEATURE_X", "1")
        .ttl("PT2H".parse().unwrap())
        .tags(["env", "test"])
        .branch("hotfix/*");
    nudge.set_hint(toggle).unwrap();

    let get = |branch: &str| {
        let context = Context::new().branch(branch);
        nudge.get_hint(GetHint::new("api", "env.FEATURE_X").context(context))
    };
    clock.set("2025-11-04T11:59:59.999Z".parse().unwrap());
    assert!(get("hotfix/17").is_ok());
    assert!(get("main").is_err());
    assert!(get("hotfix/17/retry").is_err());

    clock.set("2025-11-04T12:00:00Z".parse().unwrap());
    let error = get("hotfix/17").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(error.data().detail.as_deref(), Some("expired"));
    assert_eq!(nudge.sweep().unwrap(), 1);
}

#[test]
fn e_a_seed_that_somebody_wrote_by_hand() {
    let seed = r#"{
        "schema_version": "1.0",
        "components": {
            "http-proxy": {"hints": {
                "build": {"value": {"type": "command", "cmd": "docker compose build router"},
                          "meta": {"tags": ["build"], "scope": {"branch": "dev"}}},
                "port": {"value": "8080"}
            }},
            "api": {"hints": {"test": {"value": "cargo test -p api"}}}
        }
    }"#;
    let nudge = Nudge::default();
    let imported = nudge.import(Import::new(seed)).unwrap();
    assert_eq!((imported.imported, imported.skipped), (3, 0));

    let here = Context::new().branch("dev");
    let found = nudge
        .get_hint(GetHint::new("http-proxy", "build").context(&here))
        .unwrap();
    assert_eq!(found.hint.value.text(), "docker compose build router");
    let source = serde_json::to_value(found.hint.meta.source).unwrap();
    assert_eq!(source, "file-import");
}
