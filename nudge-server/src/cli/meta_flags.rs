//! The flags that say what is known about a hint.

use clap::Args;
use nudge::Error;
use serde_json::Value;

use super::flags::{List, Params, items, number};
use super::place_flags::ScopeFlags;
use super::terminal::misuse;
use crate::config::short_ttl::spelled_out;

/// What can be forgotten.
const FIELDS: &str =
    "reason tags priority confidence pin ttl sensitivity scope source added_by anchors";

/// What is known about a hint; what is left out stays as it is.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is known about it (what is left out stays)")]
// The conditions have the names that hands know them by, too.
#[command(mut_arg("scope_repo", |arg| arg.visible_alias("repo")))]
#[command(mut_arg("scope_branch", |arg| arg.visible_alias("branch").visible_short_alias('b')))]
#[command(mut_arg("scope_os", |arg| arg.visible_alias("os")))]
#[command(mut_arg("scope_env", |arg| arg.visible_alias("env")))]
pub(crate) struct MetaFlags {
    /// Tags, split at commas
    #[arg(short, long, visible_alias = "tag")]
    tags: Vec<List>,
    /// From 1 to 10; 5 when never given
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    priority: Option<Value>,
    /// From 0.0 to 1.0; 0.5 when never given
    #[arg(long, value_name = "N", value_parser = number, allow_negative_numbers = true)]
    confidence: Option<Value>,
    /// Tell it to agents before all others
    #[arg(long)]
    pin: bool,
    /// How long it lives: kept, session, or a duration such as 2h, 30m, PT2H
    #[arg(long)]
    ttl: Option<String>,
    /// Why the hint is right
    #[arg(short = 'm', long)]
    reason: Option<String>,
    /// Who it comes from: user, agent, tool-output or file-import
    #[arg(long)]
    source: Option<String>,
    /// Who adds it
    #[arg(long, value_name = "WHO")]
    added_by: Option<String>,
    /// secret or normal
    #[arg(long, value_name = "WHAT")]
    sensitivity: Option<String>,
    /// Store it although it looks like a credential; it is masked from then on
    #[arg(long, conflicts_with = "sensitivity")]
    allow_secret: bool,
    /// Fields to forget, such as reason,tags
    #[arg(long, value_name = "FIELDS")]
    clear: Vec<List>,
    #[command(flatten)]
    scope: ScopeFlags,
}

impl MetaFlags {
    pub(crate) fn is_everywhere(&self) -> bool {
        self.scope.everywhere
    }

    /// What the flags give, and `null` for what they clear.
    pub(crate) fn given(&self) -> Result<Params, Error> {
        let ttl = self.ttl.as_deref();
        let is_zero = |ttl: &&str| {
            let digits = || ttl.chars().filter(char::is_ascii_digit);
            let is_short = spelled_out(ttl) != **ttl;
            is_short && digits().all(|digit| digit == '0')
        };
        if let Some(ttl) = ttl.filter(is_zero) {
            let words =
                format!("`--ttl` cannot be `{ttl}`; a duration is above zero, such as `2h`");
            return Err(misuse(words));
        }
        let secret = self.allow_secret.then_some("secret");
        let given = Params::default()
            .with("reason", self.reason.as_deref())
            .with("tags", items(&self.tags))
            .with("priority", self.priority.clone())
            .with("confidence", self.confidence.clone())
            .with("pin", self.pin.then_some(true))
            .with("ttl", ttl.map(spelled_out))
            .with("sensitivity", self.sensitivity.as_deref().or(secret))
            .with("scope", self.scope.given())
            .with("source", self.source.as_deref())
            .with("added_by", self.added_by.as_deref());
        let mut cleared = items(&self.clear).unwrap_or_default().into_iter();
        cleared.try_fold(given, |given, field| {
            if FIELDS.split(' ').any(|known| known == field) {
                return Ok(given.with(&field, Some(Value::Null)));
            }
            let known = FIELDS.replace(' ', "`, `");
            let words = format!("`--clear` does not know `{field}`; the fields are `{known}`");
            Err(misuse(words))
        })
    }
}
