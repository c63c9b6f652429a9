//! Reading requests from JSON, with errors that name the field and the mend.

use serde::de::DeserializeOwned;

use crate::error::Error;

/// Reads a request from JSON.
///
/// The error says which field is at fault and, for a field that does not
/// exist, which one was probably meant.
///
/// # Examples
///
/// ```
/// use nudge::{GetHint, from_json};
///
/// let request: GetHint = from_json(br#"{"component": "api", "key": "build"}"#)?;
/// assert_eq!(request.component, "api");
///
/// let error = from_json::<GetHint>(br#"{"component": "api", "kye": "build"}"#).unwrap_err();
/// assert_eq!(error.to_string(), "unknown field `kye`; did you mean `key`?");
/// assert_eq!(error.data().field.as_deref(), Some("kye"));
/// # Ok::<(), nudge::Error>(())
/// ```
pub fn from_json<T: DeserializeOwned>(json: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(json).map_err(|error| {
        // Keeping track of the path costs; it is done only once something failed.
        let mut reader = serde_json::Deserializer::from_slice(json);
        match serde_path_to_error::deserialize::<_, T>(&mut reader) {
            Err(at) if at.inner().is_data() => {
                let path = at.path().to_string();
                invalid_field(&path, &at.into_inner().to_string())
            }
            _ => Error::invalid("", "json", format!("this is not JSON: {error}")),
        }
    })
}

/// The error for a field that could not be read, in the words of serde.
///
/// For doors that do not read JSON: `path` is where, `message` what serde said.
///
/// # Examples
///
/// ```
/// use nudge::invalid_field;
///
/// let error = invalid_field("meta.priority", "invalid type: string \"7\", expected i64");
/// assert_eq!(error.to_string(), "meta.priority: invalid type: string \"7\", expected i64");
/// ```
#[must_use]
pub fn invalid_field(path: &str, message: &str) -> Error {
    let path = if path == "." { "" } else { path };
    // serde_json ends its messages with where in the text it stopped, which
    // says nothing to somebody who wrote no text.
    let message = message
        .rfind(" at line ")
        .and_then(|end| message.get(..end))
        .unwrap_or(message);
    if let Some((name, known)) = named_after(message, "unknown field ") {
        let field = child(path, name);
        return Error::invalid(
            field,
            "unknown_field",
            format!("unknown field `{name}`{}", meant(name, &known)),
        );
    }
    if let Some((name, known)) = named_after(message, "unknown variant ") {
        let words = format!(
            "{path}: unknown value `{name}`; it is one of {}",
            known.join(", ")
        );
        return Error::invalid(path, "unknown_value", words);
    }
    if let Some((name, _)) = named_after(message, "missing field ") {
        let field = child(path, name);
        let words = format!("`{field}` is missing; give it");
        return Error::invalid(field, "missing_field", words);
    }
    let words = if path.is_empty() {
        message.to_owned()
    } else {
        format!("{path}: {message}")
    };
    Error::invalid(path, "type", words)
}

/// The name that serde quotes after `start`, and the names it offers instead.
fn named_after<'m>(message: &'m str, start: &str) -> Option<(&'m str, Vec<&'m str>)> {
    let rest = message.strip_prefix(start)?.strip_prefix('`')?;
    let (name, rest) = rest.split_once('`')?;
    let offered = rest.split('`').skip(1).step_by(2).collect();
    Some((name, offered))
}

/// The path of a field; serde stops sometimes at it and sometimes above it.
fn child(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        _ if path == name || path.ends_with(&format!(".{name}")) => path.to_owned(),
        _ => format!("{path}.{name}"),
    }
}

/// The nearest known name, as a question, or all of them.
fn meant(name: &str, known: &[&str]) -> String {
    let nearest = known.iter().max_by(|a, b| {
        let likeness = |known: &str| strsim::jaro_winkler(name, known);
        likeness(a).total_cmp(&likeness(b))
    });
    match nearest {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => "; leave it out".to_owned(),
    }
}
