//! What went wrong, in words for a terminal.

use nudge::{Error, ErrorKind, Fix, Ineligible, NearMiss, Scope};
use serde::Serialize;
use serde_json::Value;

use super::output::{Exit, Page};
use super::terminal::Asked;
use crate::wire::Fault;
use crate::wire::escape::shown;

pub(crate) fn exit(error: &Error) -> Exit {
    match error.kind() {
        ErrorKind::NotFound => Exit::Nothing,
        ErrorKind::Unavailable => Exit::NoServer,
        _ => Exit::Refused,
    }
}

/// Whether nothing applies here, though it does elsewhere.
pub(crate) fn is_out_of_scope(error: &Error) -> bool {
    error.data().detail.as_deref() == Some("out_of_scope")
}

/// Whether there is no such hint, here or elsewhere.
pub(crate) fn is_missing(fault: &Fault) -> bool {
    let error = Error::from(fault);
    error.kind() == ErrorKind::NotFound && !is_out_of_scope(&error)
}

/// One sentence, what is behind it, and what to type next.
pub(crate) fn write(page: &mut Page, error: &Error, asked: &Asked) {
    page.line(&shown(&sentence(error)));
    let data = error.data();
    // The sentence itself tells of the first one.
    for miss in data.near_misses.iter().skip(1) {
        page.line(&format!("  {}", describe(miss)));
    }
    for scope in &data.scopes {
        page.line(&format!("  - {}", describe_scope(scope)));
    }
    let is_away = is_out_of_scope(error);
    if let Some(context) = asked.context.as_ref().filter(|_| is_away) {
        page.dim(&format!("you are at {}", describe_scope(context)));
    }
    // What to type next, where the words of the store speak of fields.
    match (&asked.slot, data.detail.as_deref(), &data.limit) {
        // Only a delete takes a pattern.
        (Some(slot), _, _) if is_away && slot.contains(['*', '?']) => {
            page.dim("`--everywhere` takes those too");
        }
        (Some(slot), _, _) if is_away => {
            page.dim(&format!("`nudge why {slot}` explains every variant"));
        }
        (_, Some(limit), Some(_)) if error.kind() == ErrorKind::Quota && limit != "proposals" => {
            let flag = limit.replace('_', "-");
            page.dim(&format!("`nudge restart --max-{flag} N` raises it"));
        }
        _ => {}
    }
}

/// What went wrong and how to fix it, in the words of a command line.
fn sentence(error: &Error) -> String {
    let (data, problem) = (error.data(), error.problem());
    let miss = data.near_misses.first();
    let stated = miss.and_then(|miss| Some((problem.strip_suffix(&**miss.fix.as_ref()?)?, miss)));
    if let Some((problem, miss)) = stated {
        return format!("{problem}{}", fixed(miss).unwrap_or_default());
    }
    let field = data.field.as_deref().unwrap_or_default();
    // The store names it whole or from one of its parts on, in backticks or without.
    let parts = field
        .match_indices('.')
        .filter_map(|(at, _)| field.get(at + 1..));
    let rest = [field].into_iter().chain(parts).find_map(|part| {
        let quoted = problem
            .strip_prefix('`')
            .and_then(|rest| rest.strip_prefix(part));
        let quoted = quoted.and_then(|rest| rest.strip_prefix('`'));
        quoted.or_else(|| problem.strip_prefix(part))
    });
    let problem = match rest {
        Some(rest) if !field.is_empty() => spelled(field) + rest,
        _ => problem.to_owned(),
    };
    let is_everywhere = data.scopes.first().is_none_or(Scope::is_everywhere);
    let fix = match data.fix {
        Some(Fix::ChooseVariant) => "; name one by its `--scope-…` flags",
        Some(Fix::ShowScopes) => "; `nudge why` shows those there are",
        Some(Fix::ChooseOnce) => "; give `--scope-…` flags, flags of where you are, or `--all`",
        Some(Fix::NameScope) if !is_everywhere => {
            "; give `--everywhere` and its `--scope-…` flags if it is meant"
        }
        Some(Fix::NameScope | Fix::SayEverywhere) => "; give `--everywhere` if it is meant",
        Some(Fix::StoreSecret) => ", or give `--allow-secret` to keep it all the same",
        Some(Fix::LeaveOutSecrets) => "; leave out `--include-secrets`",
        Some(Fix::ListProposals) => "; `nudge proposals` lists those that do",
        Some(Fix::WriteDuration) => "; write `kept`, `session` or a duration such as `2h`, `7d`",
        Some(fix) => fix.words(),
        None => "",
    };
    problem + fix
}

/// What a hand types for a field of a request; the field itself where that is no flag.
fn spelled(field: &str) -> String {
    let typed = |name: &str| format!("`--{}`", name.replace('_', "-"));
    let plain = field.split('[').next().unwrap_or_default();
    match plain {
        "value.abs" | "value.cmd" | "value.body" | "value.data" => "the value".to_owned(),
        "value.os" => typed("path_os"),
        "value.defaults" => typed("default"),
        "meta.scope" => typed("scope_…"),
        "meta.scope.env_required" | "meta.scope.env_match" => typed("scope_env"),
        "context.files_open" => typed("file"),
        "id" => "`ID`".to_owned(),
        "payload" => "the file".to_owned(),
        "payload.schema_version" => "`schema_version`".to_owned(),
        "ttl" | "limit" | "max_tokens" | "alternatives" | "delta" | "outcome" | "regex"
        | "mode" | "format" | "if_match_version" => typed(plain),
        _ => match plain
            .strip_prefix("meta.")
            .unwrap_or(plain)
            .strip_prefix("scope.")
        {
            Some(name) => typed(&format!("scope_{name}")),
            None => ["meta.", "value.", "context."]
                .iter()
                .find_map(|start| plain.strip_prefix(start))
                .map_or_else(|| field.to_owned(), typed),
        },
    }
}

/// What would make a condition hold, in the same words.
fn fixed(miss: &NearMiss) -> Option<String> {
    let fix = miss.fix.as_ref()?;
    let wanted = miss.expected.first().map_or("", String::as_str);
    Some(match (&*miss.condition, &miss.actual) {
        ("env_required", _) => format!("set {wanted}, or give it by `--env`"),
        ("cwd_glob", None) => "give `--cwd`".to_owned(),
        (fact @ ("repo" | "branch" | "os"), None) => format!("give `--{fact}`"),
        _ => fix.clone(),
    })
}

pub(crate) fn misses(page: &mut Page, away: &Ineligible, indent: &str) {
    for miss in &away.near_misses {
        page.line(&format!("{indent}{}", describe(miss)));
    }
}

pub(crate) fn scope_of(away: &Ineligible) -> Option<&Scope> {
    away.near_misses.first().map(|miss| &miss.scope)
}

/// A condition that failed, what it asks for, what there is, and what would fix it.
fn describe(miss: &NearMiss) -> String {
    let expected: Vec<_> = miss.expected.iter().map(|want| shown(want)).collect();
    let actual = match &miss.actual {
        Some(actual) => format!("is `{}`", shown(actual)),
        None => "is not known".to_owned(),
    };
    let fix = fixed(miss).map(|fix| format!("; {}", shown(&fix)));
    let (condition, expected) = (shown(&miss.condition), expected.join("` or `"));
    let fix = fix.unwrap_or_default();
    format!("{condition} must match `{expected}`, but {actual}{fix}")
}

/// The fields of scopes and contexts, in the order in which they are shown.
const ORDER: [&str; 10] = [
    "cwd",
    "root",
    "cwd_glob",
    "repo",
    "branch",
    "os",
    "env",
    "env_required",
    "env_match",
    "files_open",
];

/// A scope or a context in one line, such as `branch=dev,main os=linux`.
pub(crate) fn describe_scope(scope: &impl Serialize) -> String {
    let scope = serde_json::to_value(scope).unwrap_or_default();
    let fields = ORDER
        .iter()
        .filter_map(|name| Some((*name, scope.get(name)?)))
        // Most are at their root.
        .filter(|(name, value)| *name != "root" || scope.get("cwd") != Some(value));
    let fields: Vec<_> = fields
        .map(|(name, value)| match value {
            // The values of variables are no business of a screen.
            Value::Object(names) if name == "env" => {
                let names: Vec<_> = names.keys().map(|name| shown(name)).collect();
                format!("env={}", names.join(","))
            }
            Value::Object(names) => {
                let pair = |(name, value): (&String, &Value)| {
                    format!("{}={}", shown(name), describe_value(value))
                };
                let pairs: Vec<_> = names.iter().map(pair).collect();
                format!("{name}={}", pairs.join(","))
            }
            _ => format!("{name}={}", describe_value(value)),
        })
        .collect();
    if fields.is_empty() {
        return "everywhere".to_owned();
    }
    fields.join(" ")
}

pub(crate) fn conditions(scope: &impl Serialize) -> Vec<&'static str> {
    let scope = serde_json::to_value(scope).unwrap_or_default();
    let names = ORDER.into_iter();
    names.filter(|name| scope.get(name).is_some()).collect()
}

fn describe_value(value: &Value) -> String {
    match value {
        Value::String(text) => shown(text).into_owned(),
        Value::Array(items) => items
            .iter()
            .map(describe_value)
            .collect::<Vec<_>>()
            .join(","),
        other => other.to_string(),
    }
}
