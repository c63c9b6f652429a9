//! The flags that say what a value is.

use clap::{Args, ValueEnum};
use nudge::{Error, invalid_field};
use serde_json::{Map, Value};

use super::flags::{List, Params, items, list, pair};

/// What a value is; whether it may be so is for the store to say.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "What the value is")]
pub(crate) struct ValueFlags {
    /// command, path, template or json; plain text when left out
    #[arg(long = "type", value_name = "TYPE", hide_possible_values = true)]
    kind: Option<Kind>,
    /// The shell a command is for: bash, sh, zsh, fish, powershell or cmd
    #[arg(long)]
    shell: Option<String>,
    /// The language of a template: mustache, handlebars, jinja or interpolate
    #[arg(long)]
    format: Option<String>,
    /// A value for a blank of a template; repeat it for more
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    default: Vec<(String, String)>,
    /// The systems that a path is for: linux, darwin, windows
    #[arg(long, value_name = "SYSTEMS", value_parser = list)]
    path_os: Vec<List>,
}

/// What a value is, when it is not plain text.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    Command,
    Path,
    Template,
    Json,
}

impl ValueFlags {
    /// The value that the flags make of a text.
    pub(crate) fn value(&self, text: String) -> Result<Value, Error> {
        let Some(kind) = self.kind() else {
            return Ok(text.into());
        };
        let value = Params::default();
        let value = match kind {
            Kind::Command => value.with("type", Some("command")).with("cmd", Some(text)),
            Kind::Path => value.with("type", Some("path")).with("abs", Some(text)),
            Kind::Template => value
                .with("type", Some("template"))
                .with("body", Some(text)),
            Kind::Json => {
                let data: Value = serde_json::from_str(&text).map_err(|error| {
                    invalid_field("value", &format!("this is not JSON: {error}"))
                })?;
                value.with("type", Some("json")).with("data", Some(data))
            }
        };
        let defaults = self.default.iter();
        let defaults: Map<String, Value> = defaults
            .map(|(name, value)| (name.clone(), value.as_str().into()))
            .collect();
        let value = value
            .with("shell", self.shell.as_deref())
            .with("format", self.format.as_deref())
            .with("defaults", (!defaults.is_empty()).then_some(defaults))
            .with("os", items(&self.path_os));
        Ok(value.into())
    }

    /// The type that was given, or that another flag implies.
    fn kind(&self) -> Option<Kind> {
        let template = self.format.is_some() || !self.default.is_empty();
        let implied = [
            (self.shell.is_some(), Kind::Command),
            (template, Kind::Template),
            (!self.path_os.is_empty(), Kind::Path),
        ];
        let implied = implied.into_iter().find(|(given, _)| *given);
        self.kind.or_else(|| implied.map(|(_, kind)| kind))
    }
}
