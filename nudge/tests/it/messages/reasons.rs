//! Why a hint was returned, and why another was not.

use nudge::{Bump, Context, GetHint, Os, Scope};

use super::{said, set, store};

/// The reasons for a hint that is returned.
fn reasons(scope: Scope, context: &Context) -> String {
    let (nudge, _) = store();
    nudge.set_hint(set().scope(scope)).unwrap();
    let found = nudge
        .get_hint(GetHint::new("api", "build").context(context))
        .unwrap();
    found.match_explain.reasons().join("\n") + "\n"
}

/// The refusal for a hint that is not, and its other near misses.
fn misses(scope: Scope, context: &Context) -> String {
    let (nudge, _) = store();
    nudge.set_hint(set().scope(scope)).unwrap();
    let got = nudge.get_hint(GetHint::new("api", "build").context(context));
    let misses = got.as_ref().unwrap_err().data().near_misses.clone();
    let miss = |miss: &nudge::NearMiss| {
        let fix = miss.fix.as_deref().unwrap_or("-");
        let actual = miss.actual.as_deref().unwrap_or("-");
        format!(
            "  - {}: {:?}, {actual}, {fix}\n",
            miss.condition, miss.expected
        )
    };
    // The message is of the first.
    said(got) + &misses.iter().skip(1).map(miss).collect::<String>()
}

#[test]
fn what_is_met_is_named() {
    let here = Context::new()
        .cwd(r"/work/http-proxy/")
        .repo("git@github.com:acme/http-proxy.git")
        .branch("hotfix/7")
        .os(Os::Linux)
        .env("CI", "")
        .env("MODE", "test");
    let everything = Scope::new()
        .cwd_glob("/srv/**")
        .cwd_glob("**/http-proxy*")
        .repo("git:acme/http-proxy")
        .branch("main")
        .branch("hotfix/*")
        .os(Os::Linux)
        .os(Os::Darwin)
        .env_required("CI")
        .env_match("MODE", "dev")
        .env_match("MODE", "test");
    let token = format!("ghp_{}", "a1B2c3D4e".repeat(4));
    let secret = Scope::new().env_required("TOKEN");
    let table = [
        reasons(everything, &here),
        reasons(Scope::new(), &here),
        reasons(secret, &Context::new().env("TOKEN", &*token)),
    ];
    insta::assert_snapshot!(table.join("\n"), @"
    cwd matched **/http-proxy*
    repo=git:acme/http-proxy allowed
    branch=hotfix/7 allowed
    os=linux allowed
    env CI is set
    env MODE=test allowed

    applies everywhere

    env TOKEN is set
    ");
}

#[test]
fn the_last_use_is_told_as_people_tell_it() {
    let (nudge, clock) = store();
    nudge.set_hint(set()).unwrap();
    nudge.bump(Bump::new("api", "build")).unwrap();
    let at = |time: &str| {
        clock.set(time.parse().unwrap());
        let found = nudge.get_hint(GetHint::new("api", "build")).unwrap();
        format!("{time} {}\n", found.match_explain.reasons().join(", "))
    };
    let table = [
        at("2025-11-04T10:00:00Z"),
        at("2025-11-04T10:00:59Z"),
        at("2025-11-04T10:03:00Z"),
        at("2025-11-04T15:59:59Z"),
        at("2025-11-05T10:00:00Z"),
        at("2025-11-05T10:00:01Z"),
        at("2025-12-24T18:00:00Z"),
    ];
    insta::assert_snapshot!(table.concat(), @"
    2025-11-04T10:00:00Z applies everywhere, recently used (0s ago)
    2025-11-04T10:00:59Z applies everywhere, recently used (59s ago)
    2025-11-04T10:03:00Z applies everywhere, recently used (3m ago)
    2025-11-04T15:59:59Z applies everywhere, recently used (5h ago)
    2025-11-05T10:00:00Z applies everywhere, recently used (1d ago)
    2025-11-05T10:00:01Z applies everywhere, last used (1d ago)
    2025-12-24T18:00:00Z applies everywhere, last used (50d ago)
    ");
}

#[test]
fn what_is_not_met_is_named_with_its_mend() {
    let nowhere = Context::new();
    let elsewhere = Context::new()
        .cwd("/work/http-proxy/src")
        .repo("git:acme/web")
        .branch("main")
        .os(Os::Windows)
        .env("MODE", "prod");
    let scopes = [
        Scope::new().cwd_glob("**/http-proxy*"),
        Scope::new().cwd_glob("/srv/**"),
        Scope::new().cwd_glob("./web/**"),
        Scope::new().repo("git:acme/http-proxy"),
        Scope::new().branch("dev").branch("hotfix/*"),
        Scope::new().os(Os::Linux).os(Os::Darwin),
        Scope::new().env_required("CI").env_required("TOKEN"),
        Scope::new()
            .env_match("MODE", "dev")
            .env_match("MODE", "test"),
        Scope::new().branch("dev").os(Os::Linux),
    ];
    let table: Vec<String> = scopes
        .iter()
        .flat_map(|scope| [&nowhere, &elsewhere].map(|context| misses(scope.clone(), context)))
        .collect();
    insta::assert_snapshot!(table.concat(), @r#"
    `api/build` does not apply here: cwd_glob must match `**/http-proxy*`, but is not known; state `cwd` in the context
    `api/build` does not apply here: cwd_glob must match `**/http-proxy*`, but is `/work/http-proxy/src`; cwd is below /work/http-proxy, which matches: add `**/http-proxy*/**`
    `api/build` does not apply here: cwd_glob must match `/srv/**`, but is not known; state `cwd` in the context
    `api/build` does not apply here: cwd_glob must match `/srv/**`, but is `/work/http-proxy/src`; set a variant for here, or ask from where it applies
    `api/build` does not apply here: cwd_glob must match `./web/**`, but is not known; state `cwd` and `root` in the context
    `api/build` does not apply here: cwd_glob must match `./web/**`, but is `/work/http-proxy/src`; state the `root`, too
    `api/build` does not apply here: repo must match `git:acme/http-proxy`, but is not known; state `repo` in the context
    `api/build` does not apply here: repo must match `git:acme/http-proxy`, but is `git:acme/web`; set a variant for here, or ask from where it applies
    `api/build` does not apply here: branch must match `dev` or `hotfix/*`, but is not known; state `branch` in the context
    `api/build` does not apply here: branch must match `dev` or `hotfix/*`, but is `main`; set a variant for here, or ask from where it applies
    `api/build` does not apply here: os must match `darwin` or `linux`, but is not known; state `os` in the context
    `api/build` does not apply here: os must match `darwin` or `linux`, but is `windows`; set a variant for here, or ask from where it applies
    `api/build` does not apply here: env_required must match `CI`, but is not known; set CI, or state it in the context
      - env_required: ["TOKEN"], -, set TOKEN, or state it in the context
    `api/build` does not apply here: env_required must match `CI`, but is not known; set CI, or state it in the context
      - env_required: ["TOKEN"], -, set TOKEN, or state it in the context
    `api/build` does not apply here: env_match must match `MODE=dev` or `MODE=test`, but is not known; set MODE=dev
    `api/build` does not apply here: env_match must match `MODE=dev` or `MODE=test`, but is `MODE=prod`; set MODE=dev
    `api/build` does not apply here: branch must match `dev`, but is not known; state `branch` in the context
      - os: ["linux"], -, state `os` in the context
    `api/build` does not apply here: branch must match `dev`, but is `main`; set a variant for here, or ask from where it applies
      - os: ["linux"], windows, -
    "#);
}

#[test]
fn a_value_that_looks_like_a_secret_is_masked() {
    let token = format!("ghp_{}", "a1B2c3D4e".repeat(4));
    let scope = Scope::new().env_match("TOKEN", "none");
    let said = misses(scope, &Context::new().env("TOKEN", &*token));
    assert_eq!(
        said,
        "`api/build` does not apply here: env_match must match `TOKEN=none`, but is `TOKEN=***`; set TOKEN=none\n"
    );
}
