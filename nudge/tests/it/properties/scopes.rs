//! Scopes and contexts of any shape: who gets in, who stays out.

use std::collections::BTreeSet;

use super::cases;
use super::stage::json;
use nudge::{Context, Export, GetHint, Hint, Nudge, Os, Query, Scope, ScopeMatcher, SetHint};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

const GLOBS: [&str; 13] = [
    "**/api*",
    "/work/**",
    "/work/*/src",
    "/work/{api,web}",
    "!/work/api",
    "**/[a-c]*/**",
    "/work/@(api|db)/**",
    "c:/work/*",
    "/w?rk/web",
    "**",
    "./api/**",
    "!./src",
    "/nas/code/*",
];
const CWDS: [&str; 9] = [
    "/work/api",
    "/work/api/src",
    "/work/web/",
    "/work/./web/../db/src",
    r"C:\Work\api",
    "/",
    "/srv/b/x",
    "work/api",
    r"\\NAS\Code\api",
];
const ROOTS: [&str; 4] = ["/work", "/work/api/", r"c:\work", "/"];
const REPOS: [&str; 5] = [
    "git:acme/api",
    "git@github.com:acme/api.git",
    "https://gitlab.com/acme/api",
    "git:acme/web",
    "file:///work/api",
];
const BRANCHES: [&str; 6] = ["dev", "main", "hotfix/*", "hotfix/7", "hotfix/7/b", "**"];
const SYSTEMS: [Os; 3] = [Os::Linux, Os::Darwin, Os::Windows];
const NAMES: [&str; 3] = ["CI", "MODE", "mode"];
const SETTINGS: [&str; 3] = ["", "dev", "test"];

fn scope() -> impl Strategy<Value = Scope> {
    let texts = |from: &'static [&'static str]| of(vec(select(from).prop_map(str::to_owned), 1..3));
    let settings = vec(select(&SETTINGS[..]).prop_map(str::to_owned), 1..3);
    let names = select(&NAMES[..]).prop_map(str::to_owned);
    (
        texts(&GLOBS),
        texts(&REPOS),
        texts(&BRANCHES),
        of(vec(select(&SYSTEMS[..]), 1..3)),
        texts(&NAMES),
        of(proptest::collection::btree_map(names, settings, 1..3)),
    )
        .prop_map(|(cwd_glob, repo, branch, os, env_required, env_match)| {
            let mut scope = Scope::new();
            scope.cwd_glob = cwd_glob;
            scope.repo = repo;
            scope.branch = branch;
            scope.os = os;
            scope.env_required = env_required;
            scope.env_match = env_match;
            scope
        })
}

fn context() -> impl Strategy<Value = Context> {
    let env = vec((select(&NAMES[..]), of(select(&SETTINGS[..]))), 0..3);
    (
        of(select(&CWDS[..])),
        of(select(&ROOTS[..])),
        vec(select(&REPOS[..]), 0..3),
        of(select(&BRANCHES[..])),
        of(select(&SYSTEMS[..])),
        env,
    )
        .prop_map(|(cwd, root, repos, branch, os, env)| {
            let mut context = repos.iter().fold(Context::new(), Context::repo);
            if let Some(cwd) = cwd {
                context = context.cwd(cwd);
            }
            if let Some(root) = root {
                context = context.root(root);
            }
            if let Some(branch) = branch {
                context = context.branch(branch);
            }
            if let Some(os) = os {
                context = context.os(os);
            }
            env.iter()
                .fold(context, |context, (name, value)| context.env(*name, *value))
        })
}

/// A scope with one condition of another beside its own.
fn with_one_more(scope: &Scope, other: &Scope, condition: usize) -> Scope {
    let mut more = scope.clone();
    match condition {
        0 => more.cwd_glob = more.cwd_glob.or(other.cwd_glob.clone()),
        1 => more.repo = more.repo.or(other.repo.clone()),
        2 => more.branch = more.branch.or(other.branch.clone()),
        3 => more.os = more.os.or(other.os.clone()),
        4 => more.env_required = more.env_required.or(other.env_required.clone()),
        _ => more.env_match = more.env_match.or(other.env_match.clone()),
    }
    more
}

fn matcher(scope: &Scope) -> ScopeMatcher {
    serde_json::from_value(json(scope)).unwrap()
}

fn applies(hint: &Hint, context: &Context) -> bool {
    let scope = hint.meta.scope.as_ref();
    scope.is_none_or(|matcher| matcher.holds(context))
}

/// Every hint of a store, from its export.
fn everything(nudge: &Nudge) -> Vec<(String, Hint)> {
    let export = json(&nudge.export(Export::new()).unwrap());
    let slots = export["payload"]["components"]["api"]["hints"].as_object();
    let slots = slots.cloned().unwrap_or_default().into_iter();
    let hints = slots.flat_map(|(key, slot)| {
        let several = slot.as_array().cloned().unwrap_or(vec![slot]);
        several
            .into_iter()
            .map(move |hint| (key.clone(), serde_json::from_value(hint).unwrap()))
    });
    hints.collect()
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn what_is_returned_applies_and_what_applies_is_found(
        hints in vec((0..4_usize, scope()), 0..12),
        context in context(),
    ) {
        let nudge = Nudge::default();
        for (key, scope) in hints {
            let set = SetHint::new("api", format!("key-{key}"), "make").scope(scope);
            nudge.set_hint(set).unwrap();
        }
        let all = everything(&nudge);
        let found = nudge.query(Query::new().context(&context).limit(100)).unwrap();
        for ranked in &found.hints {
            prop_assert!(applies(&ranked.hint, &context));
        }
        let (inside, outside): (Vec<_>, Vec<_>) =
            all.iter().partition(|(_, hint)| applies(hint, &context));
        // Of the user's variants a query shows the one that a get would choose.
        let slots: BTreeSet<&String> = inside.iter().map(|(key, _)| key).collect();
        prop_assert_eq!(found.hints.len(), slots.len());
        prop_assert_eq!((found.total, found.scoped_out), (slots.len(), outside.len()));
        for key in slots {
            let got = nudge.get_hint(GetHint::new("api", key).context(&context)).unwrap();
            let is_it = |ranked: &&nudge::Ranked| ranked.key == **key && ranked.hint == got.hint;
            prop_assert_eq!(found.hints.iter().filter(is_it).count(), 1);
        }
        for (key, _) in &all {
            let got = nudge.get_hint(GetHint::new("api", key).context(&context));
            let any = inside.iter().any(|(other, _)| other == key);
            prop_assert_eq!(got.is_ok(), any);
            prop_assert!(got.is_ok_and(|got| applies(&got.hint, &context)) == any);
        }
    }

    #[test]
    fn one_more_condition_never_lets_anybody_in(
        scope in scope(),
        other in scope(),
        condition in 0..6_usize,
        context in context(),
    ) {
        let more = matcher(&with_one_more(&scope, &other, condition));
        prop_assert!(!more.holds(&context) || matcher(&scope).holds(&context));
    }

    #[test]
    fn a_canonical_scope_is_its_own_canonical_form(scope in scope(), context in context()) {
        let once = matcher(&scope);
        let twice = matcher(&once);
        prop_assert_eq!(json(&once).to_string(), json(&twice).to_string());
        prop_assert_eq!(once.holds(&context), twice.holds(&context));
    }

    #[test]
    fn a_context_means_the_same_after_a_trip_through_json(
        scope in scope(),
        context in context(),
    ) {
        let again: Context = serde_json::from_value(json(&context)).unwrap();
        prop_assert_eq!(&again, &context);
        let matcher = matcher(&scope);
        prop_assert_eq!(matcher.holds(&again), matcher.holds(&context));
    }
}
