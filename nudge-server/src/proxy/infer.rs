//! Where a client is: the one place that infers a context, for MCP over stdio and the CLI.
//!
//! Only the process that serves a client may ask this, never a PRIMARY on
//! behalf of another: the facts are those of the process that asks.

use std::path::{Component, Path};

use nudge::{
    Context, ContextUse, Error, ErrorKind, Name, Operation, Projects, component_at, from_json,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::primary::operations::Method;
use crate::project::ProjectFiles;

/// Whether a call is given an inferred context, by the fields that it has: one that gives a
/// context, which may lack a fact, and one that chooses by context, unless it names what it
/// means by a scope.
#[must_use]
pub fn infers(method: Method, has: impl Fn(&str) -> bool) -> bool {
    match method.about().context {
        ContextUse::Inferred => true,
        ContextUse::Selector => has("context") || !has("scope"),
        ContextUse::Optional => has("context"),
        ContextUse::None => false,
    }
}

/// The context that a call gives, what it leaves out filled in with the facts of
/// this process. Of the environment only `env_names` are read.
///
/// A context that cannot be read is refused as the store would refuse it; `null`
/// is none.
pub fn infer(given: Option<&Value>, env_names: &[String]) -> Result<Context, Error> {
    // Read in its place, so that an error names the field as the caller wrote it.
    #[derive(Deserialize)]
    struct Params {
        context: Context,
    }
    let context = match given {
        None | Some(Value::Null) => Context::new(),
        Some(given) => {
            let params = json!({ "context": given }).to_string();
            from_json::<Params>(params.as_bytes())?.context
        }
    };
    context.check()?;
    Ok(context.filled_in(env_names))
}

/// What hosts call the folder of a plugin, in which one of them starts its server.
const PLUGIN_ROOTS: [&str; 2] = ["COPILOT_PLUGIN_ROOT", "PLUGIN_ROOT"];

/// Whether this process is in the folder of its own package, so that nothing is known of where
/// its client is.
pub(crate) fn is_in_plugin() -> bool {
    let here = std::env::current_dir().ok();
    let mut roots = PLUGIN_ROOTS.into_iter().filter_map(std::env::var_os);
    here.is_some_and(|here| roots.any(|root| here == Path::new(&root)))
}

/// Refuses a call that does not say where its client is, where nobody knows.
pub(crate) fn check_folder(given: Option<&Value>) -> Result<(), Error> {
    let is_said = given.is_some_and(|given| given.get("cwd").is_some());
    if is_said || !is_in_plugin() {
        return Ok(());
    }
    let words = "it is not known in which folder you are; pass `context`: \
                 {\"cwd\": \"/absolute/folder\"}";
    Err(Error::new(ErrorKind::Invalid, words))
}

/// A context that states no folder, in the one that a hook told of: hosts do not move the
/// process that serves them. One that is not of the same worktree is another matter.
pub(crate) fn moved(given: Option<&Value>, told: &str) -> Option<Value> {
    let worktree = |cwd: &Path| {
        let mut folders = cwd.ancestors();
        let root = folders.find(|folder| folder.join(".git").exists());
        root.map(Path::to_owned)
    };
    let mut context = match given {
        Some(given) => given.as_object()?.clone(),
        None => Map::new(),
    };
    let is_ours = || Some(worktree(Path::new(told))? == worktree(&std::env::current_dir().ok()?)?);
    if context.contains_key("cwd") || !is_in_plugin() && !is_ours()? {
        return None;
    }
    context.insert("cwd".to_owned(), told.into());
    Some(Value::Object(context))
}

/// The word for the component of the folder where a caller is.
pub(crate) const HERE: &str = ".";

/// The component that it stands for in a place.
pub(crate) fn component(context: &Context) -> Result<Name, Error> {
    let facts = context.facts();
    let here = facts.root.as_deref().zip(facts.cwd.as_deref());
    let folder = here.map(|(root, cwd)| ProjectFiles::default().folder(root, cwd));
    component_at(context, &folder.unwrap_or_default()).ok_or_else(|| {
        let words = "the folder where you are has no name for a component; write one";
        Error::new(ErrorKind::Invalid, words)
    })
}

/// Makes the folder that a client states absolute, and the files that it works on: the others do
/// not know where the client is. What is no text is left for the store to refuse.
pub fn place(method: Method, params: &mut Map<String, Value>) {
    let Ok(here) = std::env::current_dir() else {
        return;
    };
    let mut all: Vec<&mut Value> = Vec::new();
    for (name, value) in params.iter_mut() {
        match &**name {
            "context" => all.extend(value.get_mut("cwd")),
            "sets" if method == Method::Store(Operation::SetContext) => {
                let files = value.get_mut("files").and_then(Value::as_array_mut);
                all.extend(files.into_iter().flatten());
            }
            _ => {}
        }
    }
    for file in all {
        if let Some(placed) = file.as_str().and_then(|file| placed(&here, file)) {
            *file = Value::from(placed);
        }
    }
}

/// A relative path as an absolute one, by its words alone: the file may not be there yet.
fn placed(here: &Path, file: &str) -> Option<String> {
    if file.trim().is_empty() || Path::new(file).is_absolute() {
        return None;
    }
    let mut path = here.to_path_buf();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    path.into_os_string().into_string().ok()
}

#[cfg(test)]
mod tests {
    use nudge::Operation;

    use super::*;

    #[test]
    fn what_a_call_states_stays_and_the_rest_is_filled_in() {
        let given = json!({"cwd": "/nowhere/api", "branch": "dev"});
        let context = infer(Some(&given), &["PATH".to_owned()]).unwrap();
        let facts = context.facts();
        assert_eq!(facts.cwd.as_deref(), Some("/nowhere/api"));
        assert_eq!(facts.branch.as_deref(), Some("dev"));
        assert!(facts.os.is_some());
        assert!(facts.env.keys().eq(["PATH"]));
    }

    #[test]
    fn a_context_that_cannot_be_read_is_refused_by_its_field() {
        for (given, field) in [
            (json!({"barnch": "dev"}), "context.barnch"),
            (json!({"cwd": 7}), "context.cwd"),
            (json!("/work"), "context"),
        ] {
            let error = infer(Some(&given), &[]).unwrap_err();
            assert_eq!(error.data().field.as_deref(), Some(field), "{error}");
        }
    }

    #[test]
    fn a_relative_file_is_where_the_client_is() {
        let here = Path::new("/work/api");
        let placed = |file: &str| placed(here, file);
        for (file, at) in [
            ("src/main.rs", "/work/api/src/main.rs"),
            ("./a b", "/work/api/a b"),
            ("../web/x", "/work/web/x"),
            ("../../../x", "/x"),
        ] {
            assert_eq!(placed(file).as_deref(), Some(at));
        }
        for kept in ["/etc/hosts", "", " "] {
            assert_eq!(placed(kept), None);
        }
    }

    #[test]
    fn only_files_are_placed_and_only_where_there_are_some() {
        let mut params = json!({"sets": {"files": ["a", 7], "tables": ["a"]}});
        place(
            Operation::SetContext.into(),
            params.as_object_mut().unwrap(),
        );
        let file = params["sets"]["files"][0].as_str().unwrap();
        assert!(
            Path::new(file).is_absolute() && file.ends_with("/a"),
            "{file}"
        );
        assert_eq!(params["sets"]["files"][1], 7);
        assert_eq!(params["sets"]["tables"][0], "a");
        for odd in [
            json!({}),
            json!({"sets": []}),
            json!({"sets": {"files": "a"}}),
        ] {
            let mut params = odd.clone();
            place(
                Operation::SetContext.into(),
                params.as_object_mut().unwrap(),
            );
            assert_eq!(params, odd);
        }
    }

    #[test]
    fn only_what_chooses_by_context_is_given_one_unasked() {
        let infers = |operation: Operation, fields: &[&str]| {
            infers(operation.into(), |field| fields.contains(&field))
        };
        for operation in [
            Operation::GetHint,
            Operation::SetHint,
            Operation::Bump,
            Operation::PromptBlock,
        ] {
            assert!(infers(operation, &[]), "{operation:?}");
        }
        assert!(!infers(Operation::Bump, &["scope"]));
        // All that applies in the place is meant.
        assert!(infers(Operation::DeleteHint, &["all"]));
        // The store refuses it, and says so.
        assert!(infers(Operation::Bump, &["scope", "context"]));
        assert!(!infers(Operation::ListComponents, &[]));
        assert!(infers(Operation::ListComponents, &["context"]));
        assert!(!infers(Operation::Export, &["context"]));
    }
}
