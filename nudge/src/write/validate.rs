//! What a hint must be like to be stored, by whichever way it comes.

use std::sync::Arc;

use serde_json::Value;

use crate::api::caller::Caller;
use crate::config::Config;
use crate::hint::{Command, Hint, HintMeta, HintValue};
use crate::model::anchor::Anchor;
use crate::model::error::{Error, ErrorKind};
use crate::model::fix::Fix;
use crate::model::name::{Name, check_length, check_path, check_text};
use crate::model::number::in_range;
use crate::model::ttl::Ttl;
use crate::scope::path;
use crate::secret;

/// The longest reason, in bytes.
pub(crate) const MAX_REASON_BYTES: usize = 1024;

/// The most tags, and the longest, in bytes.
const MAX_TAGS: usize = 16;
const MAX_TAG_BYTES: usize = 64;

/// The longest `added_by`, in bytes.
const MAX_ADDED_BY_BYTES: usize = 128;

/// The most anchors, and the longest parts of one, in bytes.
const MAX_ANCHORS: usize = 8;
const MAX_ANCHOR_BYTES: usize = 256;
const MAX_SLICE_BYTES: usize = 64;

/// How deep a JSON value may be nested.
const MAX_DEPTH: usize = 64;

/// Checks a hint that is to stand under names that are good.
pub(crate) fn check_hint(
    component: &Name,
    key: &Name,
    hint: &Hint,
    config: &Config,
    by: &Caller<'_>,
) -> Result<(), Error> {
    check_value(&hint.value)?;
    let max = config.limits.value_bytes;
    config.limits.check_value(json_bytes(&hint.value, max))?;
    check_meta(&hint.meta)?;
    if hint.is_secret() && hint.meta.ttl == Some(Ttl::KEPT) {
        let words =
            "a secret is never kept; leave the ttl out, or store a reference such as `$NAME`";
        return Err(Error::invalid("meta.ttl", "secret", words));
    }
    if !config.secret_guard || hint.is_secret() {
        return Ok(());
    }
    match find_secret(component, key, hint) {
        None => Ok(()),
        Some((field, rule)) => {
            let error = rejected(field, rule);
            // Nobody else is told the way round.
            Err(if by.is_user() {
                error.fix(Fix::StoreSecret)
            } else {
                error
            })
        }
    }
}

/// Checks a text that a caller gives, such as a sentence or an item of a context set.
pub(crate) fn check_said(
    text: &str,
    field: &str,
    most: usize,
    config: &Config,
) -> Result<(), Error> {
    check_path(text, field, most)?;
    match secret::find_in_short(text).filter(|_| config.secret_guard) {
        None => Ok(()),
        Some(rule) => Err(rejected(field, rule)),
    }
}

fn check_value(value: &HintValue) -> Result<(), Error> {
    match value {
        HintValue::Path(path) => path::check_absolute(&path.abs, &path.os),
        HintValue::Json(data) if !is_shallow(data, MAX_DEPTH) => {
            let words = format!("value.data is nested deeper than {MAX_DEPTH}; flatten it");
            Err(Error::invalid("value.data", "too_deep", words))
        }
        _ => Ok(()),
    }
}

fn is_shallow(data: &Value, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return !data.is_array() && !data.is_object();
    };
    match data {
        Value::Array(items) => items.iter().all(|item| is_shallow(item, depth)),
        Value::Object(fields) => fields.values().all(|field| is_shallow(field, depth)),
        _ => true,
    }
}

/// The size of a value as JSON, or anything below `max` if it surely is.
///
/// Written out only where it matters: a byte becomes at most six, and the
/// fields around a command take less than 64.
fn json_bytes(value: &HintValue, max: usize) -> usize {
    if let HintValue::Text(text) | HintValue::Command(Command { cmd: text, .. }) = value
        && text.len() * 6 + 64 <= max
    {
        return text.len();
    }
    serde_json::to_string(value).map_or(usize::MAX, |json| json.len())
}

fn check_meta(meta: &HintMeta) -> Result<(), Error> {
    let reason = meta.reason.as_deref().unwrap_or_default();
    check_length(reason, "meta.reason", MAX_REASON_BYTES)?;
    let (tags, anchors) = (meta.tags.len(), meta.anchors.len());
    if tags > MAX_TAGS {
        let words =
            format!("meta.tags has {tags} tags, more than {MAX_TAGS}; keep the telling ones");
        return Err(Error::invalid("meta.tags", "too_many", words));
    }
    for tag in meta.tags.iter() {
        check_text(tag, "meta.tags", MAX_TAG_BYTES)?;
    }
    if let Some(priority) = meta.priority {
        in_range("meta.priority", priority.into(), 1, 10)?;
    }
    if !(0.0..=1.0).contains(&meta.confidence.unwrap_or_default()) {
        let words = "meta.confidence is out of range; give a number from 0.0 to 1.0";
        return Err(Error::invalid("meta.confidence", "range", words));
    }
    if let Some(who) = &meta.added_by {
        check_text(who, "meta.added_by", MAX_ADDED_BY_BYTES)?;
    }
    if anchors > MAX_ANCHORS {
        let words =
            format!("meta.anchors has {anchors} anchors, more than {MAX_ANCHORS}; keep the first");
        return Err(Error::invalid("meta.anchors", "too_many", words));
    }
    meta.anchors.iter().try_for_each(check_anchor)
}

/// Checks that an anchor is in the project, and is a short text.
fn check_anchor(anchor: &Anchor) -> Result<(), Error> {
    let field = "meta.anchors";
    check_text(&anchor.at, field, MAX_ANCHOR_BYTES)?;
    let slice = anchor.slice.as_ref();
    slice.map_or(Ok(()), |slice| check_text(slice, field, MAX_SLICE_BYTES))?;
    let file = anchor.at.split('#').next().unwrap_or_default();
    let is_above = file.split(['/', '\\']).any(|part| part == "..");
    if file.is_empty()
        || is_above
        || path::normalize(file).starts_with('/')
        || path::is_windows(file)
    {
        let words =
            "an anchor is a path from the project's root, such as `package.json#scripts.test`";
        return Err(Error::invalid(field, "path", words));
    }
    Ok(())
}

/// The field and the rule of the first thing that looks like a credential.
fn find_secret(component: &Name, key: &Name, hint: &Hint) -> Option<(&'static str, &'static str)> {
    let find = |field, text: &str| Some((field, secret::find_in_short(text)?));
    find("component", component)
        .or_else(|| find("key", key))
        .or_else(|| Some(("value", find_in_value(key, &hint.value)?)))
        .or_else(|| find("meta.reason", hint.meta.reason.as_deref()?))
        .or_else(|| hint.meta.tags.iter().find_map(|tag| find("meta.tags", tag)))
        .or_else(|| find("meta.added_by", hint.meta.added_by.as_deref()?))
        .or_else(|| {
            let field = "meta.anchors";
            let mut anchors = hint.meta.anchors.iter();
            anchors.find_map(|anchor| {
                let in_slice = || secret::find_named("hash", anchor.slice.as_deref()?);
                find(field, &anchor.at).or_else(|| Some((field, in_slice()?)))
            })
        })
        .or_else(|| Some(("meta.scope", hint.meta.scope.as_ref()?.finding()?)))
}

fn find_in_value(key: &Name, value: &HintValue) -> Option<&'static str> {
    match value {
        HintValue::Text(text) => secret::find_named(key, text),
        HintValue::Command(command) => secret::find_in_short(&command.cmd),
        HintValue::Path(path) => secret::find_in_short(&path.abs),
        HintValue::Template(template) => secret::find_in_short(&template.body).or_else(|| {
            let mut defaults = template.defaults.iter();
            defaults.find_map(|(name, default)| {
                secret::find_in_short(name).or_else(|| secret::find_named(name, default))
            })
        }),
        HintValue::Json(data) => secret::find_in_json(data),
    }
}

fn rejected(field: &str, rule: &'static str) -> Error {
    let words = format!(
        "{field} looks like a credential (rule `{rule}`); store a reference such as `$NAME`"
    );
    let error = Error::of(ErrorKind::SecretRejected, "secret", words).at(field);
    error.and(|data| data.rule = Some(rule.into()))
}

/// Checks what the writer believes the version to be.
pub(crate) fn check_version(
    expected: Option<u64>,
    before: Option<&Arc<Hint>>,
) -> Result<(), Error> {
    let current = before.map_or(0, |hint| hint.version);
    let Some(expected) = expected.filter(|expected| *expected != current) else {
        return Ok(());
    };
    let words = match (expected, current) {
        (0, _) => format!(
            "the variant exists already, at version {current}; get it, then set with that version"
        ),
        (_, 0) => format!(
            "the variant does not exist, so it has no version {expected}; set it with version 0"
        ),
        _ => format!(
            "the variant is at version {current}, not {expected}; get it again, then set with that version"
        ),
    };
    let error = Error::of(ErrorKind::Conflict, "version", words).at("if_match_version");
    Err(error.and(|data| data.current_version = Some(current)))
}
