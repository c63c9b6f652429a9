//! The flags that say what a value is.

use clap::{Args, ValueEnum};
use nudge::{Error, invalid_field};
use serde_json::Value;

use super::flags::{List, Params, items, named, pair};

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
    #[arg(long, value_name = "SYSTEMS")]
    path_os: Vec<List>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    Command,
    Path,
    Template,
    Json,
}

impl ValueFlags {
    pub(crate) fn value(&self, text: String) -> Result<Value, Error> {
        let Some(kind) = self.kind() else {
            return Ok(text.into());
        };
        let (kind, field) = match kind {
            Kind::Command => ("command", "cmd"),
            Kind::Path => ("path", "abs"),
            Kind::Template => ("template", "body"),
            Kind::Json => ("json", "data"),
        };
        let text = match kind {
            "json" => serde_json::from_str(&text)
                .map_err(|error| invalid_field("value", &format!("this is not JSON: {error}")))?,
            _ => Value::from(text),
        };
        let value = Params::default()
            .with("type", Some(kind))
            .with(field, Some(text))
            .with("shell", self.shell.as_deref())
            .with("format", self.format.as_deref())
            .with("defaults", named(&self.default))
            .with("os", items(&self.path_os));
        Ok(value.some().unwrap_or_default())
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
