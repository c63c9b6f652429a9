//! What a store says when it refuses a request.

use nudge::{Bump, Config, DeleteHint, GetHint, Limits, Nudge, Os, PathValue, Query};
use nudge::{Scope, SetHint, from_json};
use serde_json::json;

use super::{said, set, set_says, store};

#[test]
fn about_names() {
    let say =
        |component: &str, key: &str| said(store().0.set_hint(SetHint::new(component, key, "make")));
    let table = [
        say("", "build"),
        say("api", " build"),
        say("api\u{7}", "build"),
        say("api", &"k".repeat(129)),
        set_says(set().tags(["ci", ""])),
        set_says(set().tags(["ci "])),
        say("api", "a\u{202e}b"),
    ];
    insta::assert_snapshot!(table.concat(), @"
    component is empty; give it 1 to 128 bytes
    key ` build` has white space at an end; trim it
    component holds the control character U+0007; remove it
    key has 129 bytes, more than 128; shorten it
    meta.tags is empty; give it 1 to 64 bytes
    meta.tags `ci ` has white space at an end; trim it
    key holds the invisible or active character U+202E; remove it
    ");
}

#[test]
fn about_values_and_meta() {
    let mut deep = json!("leaf");
    for _ in 0..65 {
        deep = json!([deep]);
    }
    let table = [
        set_says(SetHint::new("api", "build", "x".repeat(9000))),
        set_says(SetHint::new("api", "build", deep)),
        set_says(set().reason("r".repeat(1025))),
        set_says(set().tags((0..17).map(|number| format!("tag-{number}")))),
        set_says(set().priority(11)),
        set_says(set().confidence(f64::NAN)),
        set_says(set().confidence(f64::INFINITY)),
    ];
    insta::assert_snapshot!(table.concat(), @"
    value has 9002 bytes as JSON, more than 8192; store where to find it instead
    value.data is nested deeper than 64; flatten it
    meta.reason has 1025 bytes, more than 1024; shorten it
    meta.tags has 17 tags, more than 16; keep the telling ones
    meta.priority is out of range; give an integer from 1 to 10
    meta.confidence is out of range; give a number from 0.0 to 1.0
    meta.confidence is out of range; give a number from 0.0 to 1.0
    ");
}

#[test]
fn about_paths() {
    let path = |abs: &str, os: &[Os]| {
        let path = PathValue::new(abs).os(os.iter().copied());
        set_says(SetHint::new("api", "directory", path))
    };
    let disjoint = PathValue::new("/code").os([Os::Linux]);
    let table = [
        path("code/api", &[]),
        path("/code/../etc", &[]),
        path("/code", &[Os::Linux, Os::Windows]),
        path(r"c:\code", &[Os::Darwin]),
        path("/co\tde", &[]),
        set_says(SetHint::new("api", "directory", disjoint).os(Os::Darwin)),
    ];
    insta::assert_snapshot!(table.concat(), @r"
    value.abs is not absolute; start it with `/`, a drive such as `c:\`, or `\\server`
    value.abs climbs with `..`; write it resolved
    value.abs is a POSIX path, but it is said to be another system's; give each its own variant
    value.abs is a Windows path, but it is said to be another system's; give each its own variant
    value.abs holds a control character; remove it
    value.os has no system in common with the scope; give the scope the systems of the path
    ");
}

#[test]
fn about_times_to_live() {
    let ttl = |text: &str| {
        let params =
            json!({"component": "api", "key": "build", "value": "make", "meta": {"ttl": text}});
        said(from_json::<SetHint>(params.to_string().as_bytes()))
    };
    let table = [
        ttl("soon"),
        ttl("P1Y"),
        ttl("PT0S"),
        ttl("P3651D"),
        ttl("PT1.5H3M"),
        ttl("forty characters of this are shown, not more of them"),
    ];
    insta::assert_snapshot!(table.concat(), @"
    ttl `soon` is not a duration; write `kept`, `session` or a duration such as `PT2H`, `P7D`
    ttl `P1Y` counts years or months, which have no fixed length; write `kept`, `session` or a duration such as `PT2H`, `P7D`
    ttl `PT0S` is zero; write `kept`, `session` or a duration such as `PT2H`, `P7D`
    ttl `P3651D` is longer than P3650D; write `kept`, `session` or a duration such as `PT2H`, `P7D`
    ttl `PT1.5H3M` has a fraction before its last unit; write `kept`, `session` or a duration such as `PT2H`, `P7D`
    ttl `forty characters of this are shown, not …` is not a duration; write `kept`, `session` or a duration such as `PT2H`, `P7D`
    ");
}

#[test]
fn about_versions_and_variants() {
    let (nudge, _) = store();
    nudge.set_hint(set()).unwrap();
    let version = |version| said(nudge.set_hint(set().if_match_version(version)));
    let mut table = vec![
        version(0),
        version(7),
        said(nudge.set_hint(set().branch("main").if_match_version(1))),
    ];
    nudge.set_hint(set().branch("main")).unwrap();
    let scope = || Scope::new().branch("other");
    table.extend([
        said(nudge.delete_hint(DeleteHint::new("api", "build"))),
        said(nudge.delete_hint(DeleteHint::new("api", "build").scope(scope()))),
        said(nudge.delete_hint(DeleteHint::new("api", "build").scope(scope()).all())),
    ]);
    insta::assert_snapshot!(table.concat(), @"
    the variant exists already, at version 1; get it, then set with that version
    the variant is at version 1, not 7; get it again, then set with that version
    the variant does not exist, so it has no version 1; set it with version 0
    `api/build` has 2 variants; give its `scope`, or a `context` to choose as a get would
    `api/build` has no variant with that scope; a query with `include_ineligible` shows the scopes there are
    several ways to choose a variant are given; give one of `scope`, `context` and `all`
    ");
}

#[test]
fn about_numbers_out_of_range() {
    let (nudge, _) = store();
    let table = [
        said(nudge.get_hint(GetHint::new("api", "build").alternatives(21))),
        said(nudge.query(Query::new().limit(0))),
        said(nudge.query(Query::new().max_tokens(0))),
        said(nudge.bump(Bump::new("api", "build").delta(1001))),
    ];
    insta::assert_snapshot!(table.concat(), @"
    alternatives is out of range; give an integer from 0 to 20
    limit is out of range; give an integer from 1 to 100
    max_tokens is out of range; give an integer from 1 to 100000
    delta is out of range; give an integer from 1 to 1000
    ");
}

#[test]
fn about_regexes() {
    let regex = |text: &str| said(store().0.query(Query::new().regex(text)));
    let table =
        [
            regex("(make"),
            regex("[z-a]"),
            regex(r"(\w{100}){100}"),
            regex("(?=make)"),
            regex(&"x".repeat(513)),
            said(store().0.query(Query::new().text("x".repeat(513)))),
            said(store().0.query(
                Query::new().text((0..33).fold(String::new(), |all, n| format!("{all} {n}"))),
            )),
        ];
    insta::assert_snapshot!(table.concat(), @r"
    regex `(make` cannot be read: unclosed group; escape with `\` what is meant literally
    regex `[z-a]` cannot be read: invalid character class range, the start must be <= the end; escape with `\` what is meant literally
    regex `(\w{100}){100}` is too big once compiled; repeat less
    regex `(?=make)` cannot be read: look-around, including look-ahead and look-behind, is not supported; escape with `\` what is meant literally
    regex has 513 bytes, more than 512; shorten it
    text has 513 bytes, more than 512; shorten it
    text has 33 words, more than 32; give fewer
    ");
}

#[test]
fn about_limits() {
    let limits = |components, hints_per_component, hints| {
        let limits = Limits {
            components,
            hints_per_component,
            hints,
            ..Limits::default()
        };
        let nudge = Nudge::new(Config {
            limits,
            ..Config::default()
        });
        nudge.set_hint(set()).unwrap();
        let component = if components == 1 { "web" } else { "api" };
        said(nudge.set_hint(SetHint::new(component, "run", "make run")))
    };
    let table = [limits(1, 9, 9), limits(9, 1, 9), limits(9, 9, 1)];
    insta::assert_snapshot!(table.concat(), @"
    the store is full: `components` is 1; delete what is not needed or raise the limit
    the store is full: `hints_per_component` is 1; delete what is not needed or raise the limit
    the store is full: `hints` is 1; delete what is not needed or raise the limit
    ");
}

#[test]
fn about_what_is_not_there() {
    let (nudge, clock) = store();
    let get = |component: &str, key: &str| said(nudge.get_hint(GetHint::new(component, key)));
    let mut table = vec![get("api", "build")];
    for key in ["build", "test", "run", "lint", "port", "docs"] {
        nudge
            .set_hint(SetHint::new("http-proxy", key, "make"))
            .unwrap();
    }
    for hint in [set(), SetHint::new("http-proxy", "serve", "make")] {
        nudge.set_hint(hint.ttl("PT1H".parse().unwrap())).unwrap();
    }
    table.extend([get("htp-proxy", "build"), get("http-proxy", "biuld")]);
    // What has expired is not offered instead.
    clock.set("2025-11-04T11:00:00Z".parse().unwrap());
    table.extend([
        get("api", "build"),
        get("api", "bulid"),
        get("http-proxy", "serv"),
    ]);
    insta::assert_snapshot!(table.concat(), @"
    no component `api`; the store is empty, set a hint first
    no component `htp-proxy`; there is `http-proxy`, `api`
    `http-proxy` has no `biuld`; it has `build`, `run`, `lint`, `docs`, `port`
    `api/build` has expired; set it again
    no component `api`; there is `http-proxy`
    `http-proxy` has no `serv`; it has `port`, `test`, `build`, `docs`, `lint`
    ");
}
