//! What a call may take, whatever a store holds and a caller states.

use nudge::{Context, Error, ErrorKind, GetHint, Name, Nudge, Query, SetContext, SetHint};

/// A path of one long name, and a pattern that takes long with it.
fn endless() -> (String, String) {
    let path = format!("/{}", "a".repeat(2000));
    (path, format!("/{}b", "+(a|aa|?)".repeat(16)))
}

fn near_misses(error: &Error) -> Vec<Option<&str>> {
    let misses = error.data().near_misses.iter();
    misses.map(|miss| miss.fix.as_deref()).collect()
}

#[test]
fn what_is_too_large_to_be_a_fact_is_refused_by_every_call() {
    let nudge = Nudge::default();
    let variables = (0..1001).fold(Context::new(), |context, number| {
        context.env(format!("V{number}"), "")
    });
    let files = (0..1001).fold(Context::new(), |context, number| {
        context.file_open(format!("/f{number}"))
    });
    let repos = (0..1001).fold(Context::new(), |context, number| {
        context.repo(format!("git:acme/r{number}"))
    });
    for (context, field) in [
        (Context::new().cwd("/a".repeat(257)), "cwd"),
        (Context::new().cwd("a".repeat(4097)), "cwd"),
        (Context::new().root("/a".repeat(257)), "root"),
        (Context::new().branch("b".repeat(1025)), "branch"),
        (Context::new().repo("r".repeat(1025)), "repo"),
        (Context::new().env("V", &*"v".repeat(65_536)), "env"),
        (Context::new().file_open("a".repeat(4097)), "files_open"),
        (variables, "env"),
        (files, "files_open"),
        (repos, "repo"),
    ] {
        let get = GetHint::new("api", "build").context(&context);
        let refusals = [
            nudge.get_hint(get).map(drop),
            nudge.query(Query::new().context(&context)).map(drop),
            nudge
                .set_hint(SetHint::new("api", "build", "make").context(&context))
                .map(drop),
        ];
        for refused in refusals {
            let refused = refused.unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Invalid, "{field}");
            let at = format!("context.{field}");
            assert_eq!(refused.data().field.as_deref(), Some(&*at), "{refused}");
        }
    }
}

#[test]
fn a_near_miss_looks_at_32_folders_above() {
    let nudge = Nudge::default();
    let set = SetHint::new("api", "build", "make").cwd_glob("/work");
    nudge.set_hint(set).unwrap();
    for (depth, is_seen) in [(32, true), (33, false)] {
        let context = Context::new().cwd(format!("/work{}", "/a".repeat(depth)));
        let missed = nudge.get_hint(GetHint::new("api", "build").context(context));
        let missed = missed.unwrap_err();
        assert_eq!(near_misses(&missed)[0].is_some(), is_seen, "{depth}");
    }
}

#[test]
fn a_call_gives_up_on_patterns_and_says_so() {
    let (path, pattern) = endless();
    let nudge = Nudge::default();
    for number in 0..150 {
        let set = SetHint::new("api", format!("k{number}"), "make");
        nudge.set_hint(set.cwd_glob(&pattern)).unwrap();
    }
    // By name it is behind all of those.
    let plain = SetHint::new("web", "build", "make").cwd_glob("/a*");
    nudge.set_hint(plain).unwrap();
    let context = Context::new().cwd(&path);
    let got = nudge.get_hint(GetHint::new("web", "build").context(&context));
    assert!(got.is_ok(), "what others hold is of no account for a get");
    let query = Query::new().context(&context).include_ineligible();
    let found = nudge.query(query.limit(100)).unwrap();
    assert_eq!(found.total + found.scoped_out, 151);
    let ineligible = found.ineligible.unwrap();
    let fixes = ineligible
        .iter()
        .map(|one| one.near_misses[0].fix.as_deref());
    let is_said = |fix: Option<&str>| fix.is_some_and(|fix| fix.contains("too long"));
    assert!(fixes.into_iter().all(is_said));
    // The next call has as much as this one had.
    let got = nudge.get_hint(GetHint::new("web", "build").context(&context));
    assert!(got.is_ok());
}

#[test]
fn a_slot_with_endless_variants_answers_with_the_others() {
    let (path, pattern) = endless();
    let nudge = Nudge::default();
    for number in 0..100 {
        let set = SetHint::new("api", "build", "make").cwd_glob(format!("{pattern}{number}"));
        nudge.set_hint(set).unwrap();
    }
    let context = Context::new().cwd(&path);
    let missed = nudge.get_hint(GetHint::new("api", "build").context(&context));
    let missed = missed.unwrap_err();
    let fixes = near_misses(&missed);
    assert_eq!(fixes.len(), 20);
    let is_said = |fix: Option<&str>| fix.is_some_and(|fix| fix.contains("too long"));
    assert!(fixes.iter().copied().all(is_said), "{fixes:?}");
}

#[test]
fn lists_that_nobody_can_mean_are_refused_or_read_once() {
    let nudge = Nudge::default();
    let same = vec![Name::from("a"); 100_000];
    let set = SetHint::new("api", "build", "make").tags(same.clone());
    let set = nudge.set_hint(set).unwrap();
    assert_eq!(set.hint.meta.tags[..], [Name::from("a")]);
    let query = same.iter().cloned().fold(Query::new(), Query::tag);
    let found = nudge.query(query).unwrap();
    assert_eq!(found.total, 1);
    let sets = SetContext::new("files", vec!["a"; 100_000]);
    let refused = nudge.set_context(sets).unwrap_err();
    assert_eq!(refused.data().detail, Some("too_many"));
}
