//! Where a client is: the one place that infers a context, for MCP over stdio and the CLI.
//!
//! Only the process that serves a client may ask this, never a PRIMARY on
//! behalf of another: the facts are those of the process that asks.

use nudge::{Context, Error, from_json};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::door::rpc::Answer;

/// Whether a method is given an inferred context: a read that chooses by
/// context always, the others when the call gives one that may lack a fact.
#[must_use]
pub fn infers(method: &str, gives_context: bool) -> bool {
    match method.strip_prefix("nudge.").unwrap_or(method) {
        "get_hint" | "query" => true,
        "bump" | "delete_hint" | "list_components" => gives_context,
        _ => false,
    }
}

/// The context that a call gives, what it leaves out filled in with the facts of
/// this process. Of the environment only `env_names` are read.
///
/// A context that cannot be read is refused as the store would refuse it; `null`
/// is none.
pub fn infer(given: Option<&RawValue>, env_names: &[String]) -> Result<Context, Error> {
    // Read in its place, so that an error names the field as the caller wrote it.
    #[derive(Deserialize)]
    struct Params {
        context: Context,
    }
    let context = match given.map(RawValue::get) {
        None | Some("null") => Context::new(),
        Some(json) => {
            let params = format!(r#"{{"context":{json}}}"#);
            from_json::<Params>(params.as_bytes())?.context
        }
    };
    Ok(context.filled_in(env_names))
}

/// Whether asking again could choose otherwise, because a live scope names a
/// variable of this process that `context` does not state.
#[must_use]
pub fn lacks(context: &Context, env_names: &[String]) -> bool {
    let stated = &context.facts().env;
    let unstated = |name: &&String| !stated.contains_key(*name);
    env_names
        .iter()
        .filter(unstated)
        .any(|name| std::env::var_os(name).is_some())
}

/// The repository that a write is scoped to under `NUDGE_SCOPE_WRITES=repo`, if
/// it names no scope: that of this process, when the write would be the first of
/// its slot. What the slot holds is known by the answer to a get without a context.
#[must_use]
pub fn scoped_to(found: &Answer) -> Option<String> {
    let fault = found.as_ref().err()?;
    let error = serde_json::to_value(fault).ok()?;
    let detail = error.pointer("/data/detail").and_then(Value::as_str)?;
    if !matches!(detail, "no_slot" | "expired") {
        return None;
    }
    let here = Context::here();
    here.facts()
        .repos
        .first()
        .map(|repo| repo.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use nudge::{GetHint, Nudge, SetHint};

    use super::*;
    use crate::door::rpc::Fault;

    #[test]
    fn only_the_first_hint_of_a_slot_is_scoped_unasked() {
        let nudge = Nudge::default();
        let set = |key: &str, branch: &str| SetHint::new("api", key, "make").branch(branch);
        nudge.set_hint(set("elsewhere", "dev")).unwrap();
        let found = |key: &str| -> Answer {
            let found = nudge.get_hint(GetHint::new("api", key));
            let found = found.map_err(Fault::from)?;
            Ok(serde_json::value::to_raw_value(&found).unwrap())
        };
        // What this process is in, the tests of the CLI and of MCP say; here it
        // may be anything, but the same for every empty slot.
        let here = Context::here();
        let repo = here.facts().repos.first();
        let repo = repo.map(|repo| repo.as_str().to_owned());
        assert_eq!(scoped_to(&found("build")), repo);
        assert_eq!(scoped_to(&found("elsewhere")), None);
        nudge
            .set_hint(SetHint::new("api", "build", "make"))
            .unwrap();
        assert_eq!(scoped_to(&found("build")), None);
        assert_eq!(scoped_to(&Err(Fault::Params)), None);
    }

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    #[test]
    fn what_a_call_states_stays_and_the_rest_is_filled_in() {
        let given = raw(r#"{"cwd": "/nowhere/api", "branch": "dev"}"#);
        let context = infer(Some(&given), &["PATH".to_owned()]).unwrap();
        let facts = context.facts();
        assert_eq!(facts.cwd.as_deref(), Some("/nowhere/api"));
        assert_eq!(facts.branch.as_deref(), Some("dev"));
        assert!(facts.os.is_some());
        assert!(facts.env.keys().eq(["PATH"]));
    }

    #[test]
    fn no_context_and_null_are_the_process_alone() {
        let process = infer(None, &[]).unwrap();
        assert!(process.facts().cwd.is_some());
        assert!(process.facts().env.is_empty());
        assert_eq!(infer(Some(&raw("null")), &[]).unwrap(), process);
    }

    #[test]
    fn a_context_that_cannot_be_read_is_refused_by_its_field() {
        for (given, field) in [
            (r#"{"barnch": "dev"}"#, "context.barnch"),
            (r#"{"cwd": 7}"#, "context.cwd"),
            (r#""/work""#, "context"),
        ] {
            let error = infer(Some(&raw(given)), &[]).unwrap_err();
            assert_eq!(error.data().field.as_deref(), Some(field), "{error}");
        }
    }

    #[test]
    fn a_call_is_repeated_only_for_a_variable_that_is_set_and_was_not_stated() {
        let names = |name: &str| vec![name.to_owned()];
        let context = Context::new();
        assert!(lacks(&context, &names("PATH")));
        assert!(!lacks(&context, &names("NUDGE_TEST_NO_SUCH_VARIABLE")));
        assert!(!lacks(&context.env("PATH", "/bin"), &names("PATH")));
    }

    #[test]
    fn only_what_chooses_by_context_is_given_one_unasked() {
        assert!(infers("nudge.get_hint", false));
        assert!(infers("nudge.query", false));
        assert!(!infers("nudge.bump", false));
        assert!(infers("nudge.bump", true));
        assert!(!infers("nudge.set_hint", true));
    }
}
