//! Reading requests from JSON, with errors that name the field and the fix.

use serde::de::{DeserializeOwned, IgnoredAny};

use crate::model::error::Error;
use crate::model::fix::Fix;
use crate::model::suggest::suggest;
use crate::secret;

/// How much of what serde says is repeated, in characters.
const MAX_QUOTED: usize = 240;

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
    // serde would also take a list of the fields in their order.
    let first = json.trim_ascii_start().first();
    if first.is_some_and(|first| b"[\"0123456789-tfn".contains(first)) {
        let words = "this is not an object; give the fields by name";
        return Err(Error::invalid(".", "type", words));
    }
    serde_json::from_slice(json).map_err(|error| {
        // Asked for only now: serde_json calls a number that stands where a
        // word is due a fault of the JSON.
        if serde_json::from_slice::<IgnoredAny>(json).is_err() {
            return Error::invalid(".", "json", format!("this is not JSON: {error}"));
        }
        let lines = json.split_inclusive(|byte| *byte == b'\n');
        let before: usize = lines
            .take(error.line().saturating_sub(1))
            .map(<[u8]>::len)
            .sum();
        let read = json.get(..before + error.column()).unwrap_or(json);
        let words = error.to_string();
        // The start of a list that stands where a word is due was looked at already.
        let is_list = |_: &&[u8]| words.starts_with("expected value");
        let read = read.strip_suffix(b"[").filter(is_list).unwrap_or(read);
        invalid_field(&path_of_last(read), &words)
    })
}

/// Where a reader of JSON is.
enum Step {
    /// In an object, at the value of this name, if it has come.
    Field(Option<String>),
    /// In a list, at the item of this number.
    Item(usize),
}

/// The path of what was read last, of JSON that was read so far and no further.
fn path_of_last(read: &[u8]) -> String {
    let mut steps: Vec<Step> = Vec::new();
    let mut rest = read;
    while let [byte, after @ ..] = rest {
        rest = after;
        match (byte, steps.last_mut()) {
            (b'"', last) => {
                let mut is_escaped = false;
                let length = after.iter().position(|byte| {
                    let is_end = *byte == b'"' && !is_escaped;
                    is_escaped = *byte == b'\\' && !is_escaped;
                    is_end
                });
                let (text, after) = after.split_at(length.map_or(after.len(), |end| end + 1));
                rest = after;
                // A name that came last is itself at fault, and there is no value of it.
                if let Some(Step::Field(name @ None)) = last
                    && !rest.is_empty()
                {
                    let text = [b"\"", text].concat();
                    *name = serde_json::from_slice(&text).ok();
                }
            }
            (b'{', _) => steps.push(Step::Field(None)),
            (b'[', _) => steps.push(Step::Item(0)),
            (b'}' | b']', _) => drop(steps.pop()),
            (b',', Some(Step::Field(name))) => *name = None,
            (b',', Some(Step::Item(number))) => *number += 1,
            _ => {}
        }
    }
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Field(Some(name)) => {
                path.push_str(if path.is_empty() { "" } else { "." });
                path.push_str(&name);
            }
            Step::Item(number) => path.extend(["[", &number.to_string(), "]"]),
            Step::Field(None) => {}
        }
    }
    path
}

/// The error for a field that could not be read, in the words of serde.
///
/// For surfaces that do not read JSON: `path` is where, `message` what serde said.
///
/// # Examples
///
/// ```
/// use nudge::invalid_field;
///
/// let error = invalid_field("meta.priority", "invalid type: string \"7\", expected i64");
/// assert_eq!(error.to_string(), "`meta.priority` cannot be the text `7`; give an integer");
/// ```
#[must_use]
pub fn invalid_field(path: &str, message: &str) -> Error {
    let path = if path.is_empty() {
        "."
    } else {
        secret::shown(path)
    };
    // serde_json ends its messages with where in the text it stopped, which
    // says nothing to somebody who wrote no text. They also quote what was
    // given, which may be long, or a secret.
    let end = message.rfind(" at line ").unwrap_or(message.len());
    let message = message.get(..end).unwrap_or(message);
    if secret::find(message).is_some() {
        let words = format!("{path}: what is given here is not what is expected");
        return Error::invalid(path, "type", words);
    }
    let (whole, message) = (message, cut(message));
    if let Some((name, known)) = named_after(message, "unknown field ") {
        let field = child(path, name);
        let words = format!("unknown field `{field}`{}", meant(name, &known));
        return Error::invalid(field, "unknown_field", words);
    }
    if let Some((name, known)) = named_after(message, "unknown variant ") {
        let meant = suggest(name, &known).map(|meant| format!("; did you mean `{meant}`?"));
        let words = format!(
            "{path}: unknown value `{name}`; it is one of `{}`{}",
            known.join("`, `"),
            meant.unwrap_or_default()
        );
        return Error::invalid(path, "unknown_value", words);
    }
    if let Some((name, _)) = named_after(message, "missing field ") {
        let field = child(path, name);
        let words = format!("`{field}` is missing; give it");
        return Error::invalid(field, "missing_field", words);
    }
    if let Some((name, _)) = named_after(message, "duplicate field ") {
        let field = child(path, name);
        let words = format!("`{field}` is given twice; give it once");
        return Error::invalid(field, "duplicate_field", words);
    }
    if let Some(problem) = message.strip_suffix(Fix::WriteDuration.words()) {
        return Error::invalid(path, "duration", problem).fix(Fix::WriteDuration);
    }
    Error::invalid(path, "type", plain_words(path, whole))
}

/// What is repeated of what was given.
fn cut(text: &str) -> &str {
    let end = text.char_indices().nth(MAX_QUOTED);
    end.and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

/// What was given cannot be, and what to give instead, without the names of Rust's types.
fn plain_words(path: &str, message: &str) -> String {
    let invalid = ["invalid type: ", "invalid value: "];
    let rest = invalid.iter().find_map(|start| message.strip_prefix(start));
    let Some((given, expected)) = rest.and_then(|rest| rest.rsplit_once(", expected ")) else {
        let message = match message {
            "expected value" => "expected a string",
            _ => cut(message),
        };
        return match path {
            "." => message.to_owned(),
            _ => format!("{path}: {message}"),
        };
    };
    let given = cut(given);
    let given = match (given, given.split_once(['"', '`'])) {
        ("sequence", _) => "a list".to_owned(),
        ("map", _) => "an object".to_owned(),
        (_, Some(("string ", text))) => format!("the text `{}`", text.trim_end_matches('"')),
        (_, Some((_, value))) => format!("`{value}"),
        (_, None) => given.to_owned(),
    };
    let expected = match expected {
        "i64" => "an integer",
        "u32" | "u64" | "usize" => "an integer from 0",
        // The only one is a priority.
        "u8" => "an integer from 1 to 10",
        "f64" => "a number",
        "a sequence" => "a list",
        _ if expected.starts_with("struct ") => "an object",
        _ => expected,
    };
    match path {
        "." => format!("this cannot be {given}; give {expected}"),
        _ => format!("`{path}` cannot be {given}; give {expected}"),
    }
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
        "." => name.to_owned(),
        _ if path == name || path.ends_with(&format!(".{name}")) => path.to_owned(),
        _ => format!("{path}.{name}"),
    }
}

/// The known name that was meant, as a question, or all of them.
fn meant(name: &str, known: &[&str]) -> String {
    match suggest(name, known) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None if known.is_empty() => "; leave it out".to_owned(),
        None => format!("; the fields are `{}`", known.join("`, `")),
    }
}

/// The known name that is most like another, and how much, from 0 to 1.
pub(crate) fn likest<'n>(name: &str, known: &[&'n str]) -> Option<(&'n str, f64)> {
    let alike = known.iter();
    let alike = alike.map(|known| (*known, strsim::jaro_winkler(name, known)));
    alike.max_by(|a, b| a.1.total_cmp(&b.1))
}
