//! What went wrong, in words for a terminal.

use serde::Deserialize;
use serde_json::Value;

use super::escape::shown;
use super::in_flags::in_flags;
use super::output::{Exit, Page};
use crate::wire::Fault;

/// An error object, as far as a person is told about it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Failure {
    code: i64,
    message: String,
    data: Data,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Data {
    reason: String,
    detail: String,
    field: String,
    limit: String,
    near_misses: Vec<Miss>,
    scopes: Vec<Value>,
}

/// A condition that failed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Miss {
    pub(crate) scope: Value,
    condition: String,
    expected: Vec<String>,
    actual: Option<String>,
    fix: Option<String>,
}

impl Failure {
    pub(crate) fn of(fault: &Fault) -> Failure {
        let object = serde_json::to_value(fault).unwrap_or_default();
        Failure::deserialize(object).unwrap_or_default()
    }

    /// What went wrong, in one sentence.
    pub(crate) fn message(&self) -> &str {
        &self.message
    }

    /// The status that the command ends with.
    pub(crate) fn exit(&self) -> Exit {
        match self.data.reason.as_str() {
            "E_NOT_FOUND" => Exit::Nothing,
            "E_UNAVAILABLE" => Exit::NoServer,
            _ => Exit::Refused,
        }
    }

    /// Whether nothing applies here, though it does elsewhere.
    pub(crate) fn is_out_of_scope(&self) -> bool {
        self.data.detail == "out_of_scope"
    }

    /// One sentence, what is behind it, and what to type next.
    pub(crate) fn write(&self, page: &mut Page, slot: Option<&str>, context: Option<&Value>) {
        page.line(&shown(&in_flags(&self.message)));
        // The sentence itself tells of the first one.
        for miss in self.data.near_misses.iter().skip(1) {
            page.line(&format!("  {}", miss.describe()));
        }
        for scope in &self.data.scopes {
            page.line(&format!("  - {}", describe_scope(scope)));
        }
        if let Some(context) = context.filter(|_| self.is_out_of_scope()) {
            page.dim(&format!("you are at {}", describe_scope(context)));
        }
        if let Some(next) = self.next(slot) {
            page.line(&next);
        }
    }

    /// What to type next, where the words of the store speak of fields.
    fn next(&self, slot: Option<&str>) -> Option<String> {
        let data = &self.data;
        match (data.reason.as_str(), data.detail.as_str(), slot) {
            ("E_NOT_FOUND", "out_of_scope", Some(slot)) => {
                Some(format!("`nudge why {slot}` explains every variant"))
            }
            ("E_QUOTA", limit, _) if !data.limit.is_empty() && limit != "proposals" => {
                let flag = limit.replace('_', "-");
                Some(format!("`nudge restart --max-{flag} N` raises it"))
            }
            _ => None,
        }
    }
}

impl Miss {
    /// The condition, what it asks for, what there is, and what would fix it.
    pub(crate) fn describe(&self) -> String {
        let expected: Vec<_> = self.expected.iter().map(|want| shown(want)).collect();
        let actual = match &self.actual {
            Some(actual) => format!("is `{}`", shown(actual)),
            None => "is not known".to_owned(),
        };
        let fix = self.fix.as_deref().map(in_flags);
        let fix = fix.map(|fix| format!("; {}", shown(&fix)));
        let fix = fix.unwrap_or_default();
        format!(
            "{} must match `{}`, but {actual}{fix}",
            shown(&self.condition),
            expected.join("` or `")
        )
    }
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
pub(crate) fn describe_scope(scope: &Value) -> String {
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

/// The names of the conditions that a scope states.
pub(crate) fn conditions(scope: &Value) -> Vec<&'static str> {
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
