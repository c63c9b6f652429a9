//! Large tables of cases, each played through the public face of the library.

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, TimeDelta, Utc};
use nudge::{Context, ErrorKind, GetHint, HintValue, ManualClock, Nudge, Os, Scope, SetHint};
use serde_json::Value;

/// The cases of a table, without those that are there for information only.
fn cases(table: &str) -> Vec<Value> {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus");
    let text = fs::read_to_string(tables.join(table)).unwrap();
    let cases = text.lines().filter(|line| !line.is_empty());
    let cases = cases.map(|line| serde_json::from_str::<Value>(line).unwrap());
    let cases: Vec<Value> = cases.filter(|case| case["scored"] != false).collect();
    assert!(cases.len() > 20, "{table} is all but empty");
    cases
}

/// Plays each case and shows all that went wrong.
fn play(table: &str, verdict: impl Fn(&Value) -> Result<(), String>) {
    let wrong = |case: &Value| Some(format!("{}: {}", case["id"], verdict(case).err()?));
    let wrong: Vec<String> = cases(table).iter().filter_map(wrong).collect();
    assert!(
        wrong.is_empty(),
        "{} wrong in {table}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Whether a hint with a scope is returned where somebody is; `None` when the
/// scope is refused as the contract says.
fn is_returned(scope: Scope, context: &Context) -> Option<bool> {
    let nudge = Nudge::default();
    match nudge.set_hint(SetHint::new("api", "build", "make").scope(scope)) {
        Ok(_) => {}
        Err(error) => {
            assert!([ErrorKind::ScopeInvalid, ErrorKind::Invalid].contains(&error.kind()));
            return None;
        }
    }
    match nudge.get_hint(GetHint::new("api", "build").context(context)) {
        Ok(_) => Some(true),
        Err(error) => {
            assert_eq!(error.data().detail.as_deref(), Some("out_of_scope"));
            Some(false)
        }
    }
}

#[test]
fn globs_match_as_the_table_says() {
    play("globs.jsonl", |case| {
        let patterns = match &case["pattern"] {
            Value::Array(several) => several.clone(),
            one => vec![one.clone()],
        };
        let patterns = patterns.iter().map(|pattern| pattern.as_str().unwrap());
        let scope = patterns.fold(Scope::new(), Scope::cwd_glob);
        let mut context = Context::new().cwd(case["path"].as_str().unwrap());
        if !case["os"].is_null() {
            context = context.os(serde_json::from_value::<Os>(case["os"].clone()).unwrap());
        }
        let answers = ["expect_common", "expect_dot", "expect"].map(|name| case[name].as_bool());
        let expected = answers.into_iter().flatten().next().unwrap();
        match is_returned(scope, &context) {
            Some(matched) if matched == expected => Ok(()),
            None if case["accept_error"] == true => Ok(()),
            got => Err(format!("{} on {}: {got:?}", case["pattern"], case["path"])),
        }
    });
}

#[test]
fn repos_are_known_under_all_their_remotes() {
    play("repos.jsonl", |case| {
        let remote = case["remote"].as_str().unwrap();
        let context = Context::new().repo(remote);
        for repo in &context.facts().repos {
            if let Some(never) = case["never"].as_str()
                && repo.as_str().starts_with(never)
            {
                return Err(format!("{remote} is taken for {repo}"));
            }
        }
        let accepted = case["accept"].as_array().cloned().unwrap_or_default();
        let accepted: Vec<&str> = accepted.iter().filter_map(Value::as_str).collect();
        let matches = |scope: &str| is_returned(Scope::new().repo(scope), &context) == Some(true);
        for name in ["canonical", "canonical_host"] {
            let Some(scope) = case[name].as_str() else {
                continue;
            };
            if !matches(scope) && !accepted.iter().any(|scope| matches(scope)) {
                return Err(format!("{scope} does not match {remote}"));
            }
        }
        Ok(())
    });
}

#[test]
fn a_context_means_the_same_repo_after_it_went_through_json() {
    let remotes = cases("repos.jsonl");
    let remotes = remotes.iter().map(|case| case["remote"].as_str().unwrap());
    let dotless = [
        "ssh://gitbox/a/b",
        "git@gitbox:a/b.git.git",
        "http://x/a%20b",
    ];
    for remote in remotes.chain(dotless) {
        let context = Context::new().repo(remote);
        let json = serde_json::to_string(&context).unwrap();
        let again: Context = serde_json::from_str(&json).unwrap();
        assert_eq!(again.facts().repos, context.facts().repos, "{remote}");
    }
}

#[test]
fn repos_of_different_groups_are_different() {
    let cases = cases("repos.jsonl");
    let context = |case: &Value| Context::new().repo(case["remote"].as_str().unwrap());
    let contexts: Vec<Context> = cases.iter().map(context).collect();
    for one in &cases {
        let Some(scope) = one["canonical_host"].as_str() else {
            continue;
        };
        let scope = nudge::Repo::parse(scope).unwrap();
        let others = cases.iter().zip(&contexts);
        // A context without a host may be on any.
        let others = others.filter(|(other, _)| !other["host"].is_null());
        for (other, context) in others.filter(|(other, _)| other["group"] != one["group"]) {
            let repos = context.facts().repos.iter();
            let matched = repos.filter(|repo| scope.allows(repo)).count();
            assert_eq!(matched, 0, "{} is taken for {}", other["id"], one["id"]);
        }
    }
}

#[test]
fn durations_last_as_long_as_the_table_says() {
    let start: DateTime<Utc> = "2025-11-04T10:00:00Z".parse().unwrap();
    play("durations.jsonl", |case| {
        let text = case["text"].as_str().unwrap();
        let clock = Arc::new(ManualClock::at(start));
        let nudge = Nudge::default().with_clock(Arc::clone(&clock));
        let set = text
            .parse()
            .and_then(|ttl| nudge.set_hint(SetHint::new("api", "build", "make").ttl(ttl)));
        match (set, case["valid"] == true) {
            (Ok(_), true) => {}
            (Err(error), false) if error.kind() == ErrorKind::Invalid => return Ok(()),
            (set, _) => {
                return Err(format!(
                    "{text}: {:?}",
                    set.map(|set| set.hint.meta.ttl.clone())
                ));
            }
        }
        let Some(seconds) = case["seconds"].as_f64() else {
            return Ok(());
        };
        #[expect(
            clippy::cast_possible_truncation,
            reason = "ten years are few milliseconds"
        )]
        let end = start + TimeDelta::milliseconds((seconds * 1e3).ceil() as i64);
        let lives_at = |now| {
            clock.set(now);
            nudge.get_hint(GetHint::new("api", "build")).is_ok()
        };
        let ends = lives_at(end - TimeDelta::milliseconds(1)) && !lives_at(end);
        ends.then_some(())
            .ok_or(format!("{text} does not end after {seconds} s"))
    });
}

#[test]
fn the_guard_tells_secrets_from_ordinary_text() {
    play("secrets.jsonl", |case| {
        let word = if is_refused(case) { "caught" } else { "passed" };
        let is_right = (word == "caught") == (case["secret"] == true);
        is_right.then_some(()).ok_or(format!("it {word}"))
    });
}

/// Whether the guard refuses the text of a case.
fn is_refused(case: &Value) -> bool {
    let value = match case["value_b64"].as_str() {
        Some(coded) => serde_json::from_slice::<HintValue>(&decoded(coded)).unwrap(),
        None => String::from_utf8(decoded(case["text_b64"].as_str().unwrap()))
            .unwrap()
            .into(),
    };
    match Nudge::default().set_hint(SetHint::new("api", "note", value)) {
        Ok(_) => false,
        Err(error) => {
            let (id, rule) = (&case["id"], error.data().rule.as_deref());
            assert_eq!(error.kind(), ErrorKind::SecretRejected, "{id}: {error}");
            assert_eq!(case["rule"].as_str().or(rule), rule, "{id}");
            true
        }
    }
}

/// Reads base64, in which the tables keep their texts from other people's scanners.
fn decoded(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap()
}

/// The texts of the table of secrets that are one, or that are none.
pub(crate) fn texts(secret: bool) -> Vec<String> {
    let cases = cases("secrets.jsonl").into_iter();
    let cases = cases.filter(|case| case["secret"] == secret);
    let text = |case: Value| decoded(case["text_b64"].as_str().unwrap());
    cases
        .map(|case| String::from_utf8(text(case)).unwrap())
        .collect()
}

#[test]
fn no_secret_of_the_table_survives_redaction() {
    let is_taken = |text: &str| {
        let set = SetHint::new("api", "note", text);
        Nudge::default().set_hint(set).is_ok()
    };
    let redacted = Cell::new(0);
    play("secrets.jsonl", |case| {
        let text = String::from_utf8(decoded(case["text_b64"].as_str().unwrap())).unwrap();
        let left = nudge::redact(&text);
        if is_taken(&text) {
            let is_same = (left == text).then_some(());
            return is_same.ok_or(format!("changed to {left}"));
        }
        redacted.set(redacted.get() + 1);
        match random_word(&left) {
            Some(word) => Err(format!("{word} is left in {left}")),
            None if !is_taken(&left) => Err(format!("refused still: {left}")),
            None => Ok(()),
        }
    });
    let redacted = redacted.get();
    assert!(redacted > 600, "only {redacted} texts were redacted");
}

/// A word that is long and has letters of both cases and digits, as credentials do.
fn random_word(text: &str) -> Option<&str> {
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.find(|word| {
        let has = |kind: fn(&u8) -> bool| word.as_bytes().iter().any(kind);
        let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase);
        word.len() >= 12 && mixed && has(u8::is_ascii_uppercase)
    })
}

#[test]
fn no_credential_survives_what_stands_before_it() {
    let value = concat!("xK92", "mQp7Lw");
    let befores = ["/usr/bin/", "sudo ", "cd x && ", "time "];
    let told = texts(true).into_iter().flat_map(|text| {
        let whole = befores.map(|before| format!("{before}{text}"));
        whole.map(|whole| nudge::redact(&whole).into_owned())
    });
    let left: Vec<String> = told.filter(|left| left.contains(value)).collect();
    assert!(left.is_empty(), "{}", left.join("\n"));
}
