//! What a store says when it refuses a scope, or what the guard has seen.

use nudge::{Caller, Nudge, Scope, SetHint, Via};
use serde_json::{Value, json};

use super::{set, set_says};

#[test]
fn about_globs() {
    let glob = |text: &str| set_says(set().cwd_glob(text));
    let table = [
        glob("../x"),
        glob("/work/{a,b"),
        glob("/work/@(a|b"),
        glob("/work/[a"),
        glob("/work/a\\"),
        glob("!"),
        glob(&("{a,".repeat(17) + &"}".repeat(17))),
        glob("/work/{1..5000}"),
        glob("/work/{1..99999999999}"),
        glob(""),
        glob(&"x".repeat(257)),
    ];
    insta::assert_snapshot!(table.concat(), @r"
    glob `../x` climbs out of its root; write it from the root, as in `**/x`
    glob `/work/{a,b` cannot be read: `{` is never closed; close it, or write `\{`
    glob `/work/@(a|b` cannot be read: `(` is never closed; close it, or write `\(`
    glob `/work/[a` cannot be read: `[` is never closed; close it, or write `\[`
    glob `/work/a\` cannot be read: the backslash at its end escapes nothing; remove it or write `\\`
    glob `!` cannot be read: nothing follows `!`; write what is not to match
    glob `{a,{a,{a,{a,{a,{a,{a,{a,{a,{a,{a,{a,{a,{a,{a,{a,{a,}}}}}}}}}}}}}}}}}` cannot be read: it has more than 16 groups; use fewer
    glob `/work/{1..5000}` cannot be read: a range has more than 1,000 items; use `*` instead
    glob `/work/{1..99999999999}` cannot be read: a number of a range is too large; use `*` instead
    scope.cwd_glob is empty; give it 1 to 256 bytes
    scope.cwd_glob has 257 bytes, more than 256; shorten it
    ");
}

#[test]
fn about_scopes() {
    let scope = |json: Value| set_says(set().scope(serde_json::from_value(json).unwrap()));
    let many: Vec<String> = (0..65).map(|number| format!("branch-{number}")).collect();
    let table = [
        scope(json!({"branch": []})),
        scope(json!({"env_match": {"MODE": []}})),
        scope(json!({"env_match": {"MODE": "m".repeat(257)}})),
        scope(json!({"branch": many})),
        scope(json!({"repo": "../mailer"})),
        scope(json!({"repo": "https://ola:hunter2@"})),
        scope(json!({"env_required": ["CI=1"]})),
    ];
    insta::assert_snapshot!(table.concat(), @"
    scope.branch is empty and could match nothing; leave it out to match everything
    scope.env_match is empty and could match nothing; leave it out to match everything
    scope.env_match has 257 bytes, more than 256; shorten it
    scope lists 65 patterns, more than 64; use a glob that covers several
    scope.repo names no repository; write it as `git:org/repo` or `git:host/org/repo`
    scope.repo names no repository; write it as `git:org/repo` or `git:host/org/repo`
    `CI=1` is not the name of a variable; put values into `env_match`
    ");
}

#[test]
fn about_secrets() {
    let token = format!("ghp_{}", "a1B2c3D4e".repeat(4));
    let table = [
        set_says(SetHint::new("api", "token", &*token)),
        set_says(set().reason(format!("with {token}"))),
        set_says(set().tags([&*token])),
        set_says(set().scope(Scope::new().env_match("TOKEN", &*token))),
        set_says(SetHint::new("api", &*token, "make")),
    ];
    insta::assert_snapshot!(table.concat().replace(&token, "(THE SECRET)"), @"
    value looks like a credential (rule `github-token`); store a reference such as `$NAME`, or set meta.sensitivity to `secret` to keep it all the same
    meta.reason looks like a credential (rule `github-token`); store a reference such as `$NAME`, or set meta.sensitivity to `secret` to keep it all the same
    meta.tags looks like a credential (rule `github-token`); store a reference such as `$NAME`, or set meta.sensitivity to `secret` to keep it all the same
    meta.scope looks like a credential (rule `github-token`); store a reference such as `$NAME`, or set meta.sensitivity to `secret` to keep it all the same
    key looks like a credential (rule `github-token`); store a reference such as `$NAME`, or set meta.sensitivity to `secret` to keep it all the same
    ");
}

#[test]
fn only_the_user_is_told_how_to_store_a_secret_all_the_same() {
    let token = format!("{}{}", "ghp", "_R7x2Kq9LmZ4vTn8WbY3cJd6HfPs1Gu5AeVoQ");
    let refused = |by: Caller<'_>| {
        let set = SetHint::new("api", "token", &*token);
        Nudge::default().ask(&by, set).unwrap_err().to_string()
    };
    assert!(refused(Caller::user()).contains("meta.sensitivity"));
    for by in [
        Caller::agent("codex/1"),
        Caller::agent("codex").via(Via::Cli),
    ] {
        let words = refused(by);
        assert!(words.contains("`$NAME`"), "{words}");
        assert!(
            !words.contains("sensitivity") && !words.contains("allow-secret"),
            "{words}"
        );
    }
}
