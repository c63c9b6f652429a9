//! What is secret shows in no error and in no `Debug`.

use std::fmt::Debug;

use nudge::{Bump, Command, Context, Error, ErrorKind, GetHint, HintValue, Import, Nudge, Os, Ttl};
use nudge::{Export, GetContext, ListProposals, Propose, SetContext};
use nudge::{PathValue, Query, Scope, SetHint, Template, TemplateFormat, WithSecrets, from_json};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use serde::Serialize;
use serde_json::json;

use super::cases;

/// Things that look like a credential wherever they stand.
fn secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Z2-7]{16}".prop_map(|tail| format!("AKIA{tail}")),
        "[A-Za-z0-9]{36}".prop_map(|tail| format!("ghp_{tail}")),
        "[A-Za-z0-9]{20}".prop_map(|tail| format!("glpat-{tail}")),
    ]
}

/// The secret as every type of value.
fn values(secret: &str) -> Vec<HintValue> {
    let mut template = Template::new(TemplateFormat::Mustache, "login {{token}}");
    template.defaults.insert("token".into(), secret.into());
    vec![
        secret.into(),
        Command::new(format!("deploy --token {secret}")).into(),
        PathValue::new(format!("/vault/{secret}")).into(),
        Template::new(TemplateFormat::Jinja, secret).into(),
        template.into(),
        json!({"deep": [{"token": secret}]}).into(),
    ]
}

/// The secret beside the value.
fn besides(secret: &str) -> Vec<SetHint> {
    let set = || SetHint::new("api", "build", "make");
    vec![
        set().reason(format!("it needs {secret}")),
        set().tags(["ci", secret]),
        set().added_by(secret),
        set().scope(Scope::new().env_match("TOKEN", secret)),
        set().branch(secret),
        set().cwd_glob(format!("/work/{secret}/**")),
        SetHint::new(secret, "build", "make"),
        SetHint::new("api", secret, "make"),
    ]
}

/// That a secret is not among what `Debug` shows.
fn hidden(what: &impl Debug, secret: &str) -> Result<(), TestCaseError> {
    for shown in [format!("{what:?}"), format!("{what:#?}")] {
        prop_assert!(!shown.contains(secret), "the secret shows in {}", shown);
    }
    Ok(())
}

/// That a secret is not written but on purpose.
fn masked(what: &impl Serialize, secret: &str) -> Result<(), TestCaseError> {
    let json = serde_json::to_string(what).unwrap();
    prop_assert!(!json.contains(secret), "the secret shows in {}", json);
    let json = serde_json::to_string(&WithSecrets(what)).unwrap();
    prop_assert!(json.contains(secret), "the secret is missing in {}", json);
    // Nothing of that stays.
    let json = serde_json::to_string(what).unwrap();
    prop_assert!(!json.contains(secret), "the secret shows in {}", json);
    Ok(())
}

/// That a secret is not among what an error says, in whichever way.
fn unsaid(error: &Error, secret: &str) -> Result<(), TestCaseError> {
    hidden(error, secret)?;
    for text in [error.to_string(), serde_json::to_string(error).unwrap()] {
        prop_assert!(!text.contains(secret), "the secret shows in {}", text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn what_the_guard_refuses_shows_in_no_error(secret in secret()) {
        let nudge = Nudge::default();
        let values = values(&secret).into_iter();
        let sets = values.map(|value| SetHint::new("api", "build", value));
        for set in sets.chain(besides(&secret)) {
            let shown = serde_json::to_string(&set).unwrap();
            let refused = nudge.set_hint(set);
            prop_assert!(refused.is_err(), "{}", shown);
            let error = refused.unwrap_err();
            prop_assert_eq!(error.kind(), ErrorKind::SecretRejected, "{}", shown);
            unsaid(&error, &secret)?;
        }
        prop_assert_eq!(nudge.stats().hints, 0);
        hidden(&nudge, &secret)?;
    }

    #[test]
    fn what_is_refused_beside_hints_shows_in_no_error(secret in secret()) {
        let nudge = Nudge::default();
        let hint = || SetHint::new("api", "build", "make");
        for request in [
            SetContext::new("endpoints", [&*secret]),
            SetContext::new("endpoints", [format!("https://x/?token={secret}")]),
        ] {
            hidden(&request, &secret)?;
            unsaid(&nudge.set_context(request).unwrap_err(), &secret)?;
        }
        unsaid(&nudge.set_context(SetContext::new(&*secret, ["a"])).unwrap_err(), &secret)?;
        let get = GetContext::default().name(&*secret);
        unsaid(&nudge.get_context(get).unwrap_err(), &secret)?;
        let why = Propose::new(hint(), format!("it needs {secret}"));
        hidden(&why, &secret)?;
        unsaid(&nudge.propose(why).unwrap_err(), &secret)?;
        for value in values(&secret) {
            let open = Propose::new(SetHint::new("api", "build", value.clone()), "it worked");
            hidden(&open, &secret)?;
            unsaid(&nudge.propose(open).unwrap_err(), &secret)?;
            let marked = Propose::new(SetHint::new("api", "build", value).secret(), "it worked");
            hidden(&nudge.propose(marked).unwrap(), &secret)?;
        }
        hidden(&nudge.list_proposals(ListProposals::default()).unwrap(), &secret)?;
        hidden(&nudge, &secret)?;
    }

    #[test]
    fn a_request_shows_no_secret(secret in secret()) {
        for value in values(&secret) {
            hidden(&value, &secret)?;
            hidden(&SetHint::new("api", "build", value), &secret)?;
        }
        // Names are what logs are read by, so they are left alone.
        for set in besides(&secret).into_iter().take(6) {
            hidden(&set, &secret)?;
        }
    }

    #[test]
    fn a_stored_secret_shows_in_nothing_but_answers(secret in secret()) {
        for value in values(&secret) {
            let nudge = Nudge::default();
            let set = SetHint::new("api", "build", value).branch("dev").secret();
            let set = nudge.set_hint(set).unwrap();
            hidden(&set, &secret)?;
            masked(&set, &secret)?;
            let here = Context::new().branch("dev");
            let found = nudge.get_hint(GetHint::new("api", "build").context(&here)).unwrap();
            hidden(&found, &secret)?;
            masked(&found, &secret)?;
            hidden(&found.hint, &secret)?;
            hidden(&nudge.query(Query::new().context(&here)).unwrap(), &secret)?;
            hidden(&nudge.bump(Bump::new("api", "build")).unwrap(), &secret)?;
            hidden(&nudge, &secret)?;
            unsaid(&nudge.get_hint(GetHint::new("api", "build")).unwrap_err(), &secret)?;
            let again = SetHint::new("api", "build", "make").if_match_version(7);
            unsaid(&nudge.set_hint(again).unwrap_err(), &secret)?;
            let export = nudge.export(Export::new().include_secrets()).unwrap();
            hidden(&export, &secret)?;
            let text = serde_json::to_string(&WithSecrets(&export.payload)).unwrap();
            masked(&export, &secret)?;
            hidden(&Import::new(export.payload), &secret)?;
            hidden(&Import::new(text), &secret)?;
            let shown = serde_json::to_string(&nudge.export(Export::new()).unwrap()).unwrap();
            prop_assert!(!shown.contains(&*secret));
        }
    }

    #[test]
    fn what_stands_beside_a_stored_secret_is_hidden_as_well(secret in secret()) {
        for set in besides(&secret).into_iter().take(6) {
            let nudge = Nudge::default();
            let set = nudge.set_hint(set.os(Os::Linux).secret()).unwrap();
            hidden(&set.hint, &secret)?;
            unsaid(&nudge.get_hint(GetHint::new("api", "build")).unwrap_err(), &secret)?;
        }
    }

    #[test]
    fn an_import_names_no_secret_that_it_leaves_behind(secret in secret()) {
        for value in values(&secret) {
            let payload = json!({
                "schema_version": "1.0",
                "components": {"api": {"hints": {"build": {"value": value}}}},
            });
            let nudge = Nudge::default();
            let imported = nudge.import(Import::new(payload.to_string())).unwrap();
            let problems = imported.problems.iter();
            let reasons: Vec<&str> = problems.map(|problem| &*problem.reason).collect();
            prop_assert_eq!(reasons, ["E_SECRET_REJECTED"]);
            hidden(&imported, &secret)?;
            let replace = Import::new(payload.to_string()).replace();
            unsaid(&nudge.import(replace).unwrap_err(), &secret)?;
        }
    }
}

#[test]
fn a_secret_in_the_wrong_place_is_not_repeated() {
    let secret = ["ghp", "_Kx82nfWq77aZpL3mT9vB1cD4eF6gH8jK0lM2"].concat();
    let nudge = Nudge::default();
    let read = |json: String| {
        from_json::<SetHint>(json.as_bytes())
            .unwrap_err()
            .to_string()
    };
    let seed = format!(
        r#"{{"schema_version": "1.0", "components": {{"{secret}": {{"hints": {{"k": {{"value": "v"}}}}}}}}}}"#
    );
    let told = [
        read(format!(
            r#"{{"component": "a", "key": "b", "value": "c", "{secret}": 1}}"#
        )),
        read(format!(
            r#"{{"component": "a", "key": "b", "value": "c", "meta": {{"priority": "{secret}"}}}}"#
        )),
        read(format!(
            r#"{{"component": "a", "key": "b", "value": "c", "meta": {{"source": "{secret}"}}}}"#
        )),
        nudge
            .get_hint(GetHint::new(&*secret, "b"))
            .unwrap_err()
            .to_string(),
        nudge
            .query(Query::new().regex(format!("({secret}")))
            .unwrap_err()
            .to_string(),
        secret.parse::<Ttl>().unwrap_err().to_string(),
        serde_json::to_string(&nudge.import(Import::new(seed)).unwrap()).unwrap(),
    ];
    for told in told {
        assert!(!told.contains(&secret), "{told}");
    }
}
