//! Reading, writing and making `HintValue`s.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::hint::{Command, HintValue, PathValue, Shell, Template, TemplateFormat};
use crate::model::rows::from;
use crate::model::scope::Os;

impl HintValue {
    /// The value when it is plain text.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            HintValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text a person means by the value: the text, the command line, the
    /// path, the template's body, or the JSON written out.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            HintValue::Text(text) => Cow::Borrowed(text),
            HintValue::Command(command) => Cow::Borrowed(&command.cmd),
            HintValue::Path(path) => Cow::Borrowed(&path.abs),
            HintValue::Template(template) => Cow::Borrowed(&template.body),
            HintValue::Json(data) => Cow::Owned(data.to_string()),
        }
    }

    /// The systems that the value itself is meant for; none is all of them.
    pub(crate) fn systems(&self) -> &[Os] {
        match self {
            HintValue::Path(path) => &path.os,
            _ => &[],
        }
    }
}

impl Command {
    /// Makes a command for no particular shell.
    pub fn new(cmd: impl Into<Box<str>>) -> Command {
        Command {
            shell: None,
            cmd: cmd.into(),
        }
    }

    /// Says which shell the command is written for.
    #[must_use]
    pub fn shell(mut self, shell: Shell) -> Command {
        self.shell = Some(shell);
        self
    }
}

impl PathValue {
    /// Makes a path that is meant on every system of its flavour.
    pub fn new(abs: impl Into<Box<str>>) -> PathValue {
        PathValue {
            os: Vec::new(),
            abs: abs.into(),
        }
    }

    /// Says on which systems the path is meant.
    #[must_use]
    pub fn os(mut self, os: impl IntoIterator<Item = Os>) -> PathValue {
        self.os.extend(os);
        self
    }
}

impl Template {
    /// Makes a template without defaults.
    pub fn new(format: TemplateFormat, body: impl Into<Box<str>>) -> Template {
        Template {
            format,
            body: body.into(),
            defaults: BTreeMap::new(),
        }
    }
}

from! { HintValue:
    text: &str => HintValue::Text(text.into());
    text: String => HintValue::Text(text.into());
    command: Command => HintValue::Command(command);
    path: PathValue => HintValue::Path(Box::new(path));
    template: Template => HintValue::Template(Box::new(template));
    /// Makes a `json` hint of any JSON value, a string included.
    data: Value => HintValue::Json(Box::new(data));
}

impl fmt::Debug for HintValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HintValue::Text(text) => write!(f, "Text(<{} bytes>)", text.len()),
            HintValue::Command(command) => command.fmt(f),
            HintValue::Path(path) => path.fmt(f),
            HintValue::Template(template) => template.fmt(f),
            HintValue::Json(_) => f.write_str("Json(<data>)"),
        }
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Command(<{} bytes>)", self.cmd.len())
    }
}

impl fmt::Debug for PathValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path(<{} bytes>)", self.abs.len())
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Template(<{} bytes>)", self.body.len())
    }
}

/// A value as JSON has it.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
#[schemars(deny_unknown_fields)]
pub(crate) enum Written<'a> {
    /// A command line. It is data; nothing is executed.
    Command(&'a Command),
    /// A path.
    Path(&'a PathValue),
    /// A template. It is data; nothing is filled in.
    Template(&'a Template),
    /// Any JSON value.
    Json {
        /// The value.
        data: &'a Value,
    },
    /// Plain text.
    #[serde(untagged)]
    Text(&'a str),
}

impl Serialize for HintValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = match self {
            HintValue::Text(text) => Written::Text(text),
            HintValue::Command(command) => Written::Command(command),
            HintValue::Path(path) => Written::Path(path),
            HintValue::Template(template) => Written::Template(template),
            HintValue::Json(data) => Written::Json { data },
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for HintValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HintValue, D::Error> {
        deserializer.deserialize_any(ValueVisitor::<true>)
    }
}

/// Reads a value as an import does, passing over fields it does not know.
pub(crate) fn lenient<'de, D: Deserializer<'de>>(deserializer: D) -> Result<HintValue, D::Error> {
    deserializer.deserialize_any(ValueVisitor::<false>)
}

/// The fields of each type of value, which are the words an error can offer.
const COMMAND: &[&str] = &["type", "shell", "cmd"];
const PATH: &[&str] = &["type", "os", "abs"];
const TEMPLATE: &[&str] = &["type", "format", "body", "defaults"];
const JSON: &[&str] = &["type", "data"];

struct ValueVisitor<const STRICT: bool>;

/// Every field that some type of value has, as far as it was given.
#[derive(Default)]
struct Fields {
    kind: Option<Kind>,
    shell: Option<Shell>,
    cmd: Option<Box<str>>,
    os: Option<Vec<Os>>,
    abs: Option<Box<str>>,
    format: Option<TemplateFormat>,
    body: Option<Box<str>>,
    defaults: Option<BTreeMap<String, String>>,
    data: Option<Value>,
    unknown: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Command,
    Path,
    Template,
    Json,
}

impl<'de, const STRICT: bool> Visitor<'de> for ValueVisitor<STRICT> {
    type Value = HintValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, or an object with `type` `command`, `path`, `template` or `json`")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<HintValue, E> {
        Ok(HintValue::from(text))
    }

    fn visit_string<E: serde::de::Error>(self, text: String) -> Result<HintValue, E> {
        Ok(HintValue::from(text))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<HintValue, A::Error> {
        let mut fields = Fields::default();
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            match &*name {
                "type" => fields.kind = Some(map.next_value()?),
                "shell" => fields.shell = map.next_value()?,
                "cmd" => fields.cmd = Some(map.next_value()?),
                "os" => fields.os = Some(map.next_value()?),
                "abs" => fields.abs = Some(map.next_value()?),
                "format" => fields.format = Some(map.next_value()?),
                "body" => fields.body = Some(map.next_value()?),
                "defaults" => fields.defaults = Some(map.next_value()?),
                "data" => fields.data = Some(map.next_value()?),
                _ => {
                    fields.unknown.get_or_insert_with(|| name.into_owned());
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        fields.into_value::<A::Error>(STRICT)
    }
}

impl Fields {
    fn into_value<E: serde::de::Error>(mut self, strict: bool) -> Result<HintValue, E> {
        let kind = self.kind.ok_or_else(|| E::missing_field("type"))?;
        let value = match kind {
            Kind::Command => HintValue::from(Command {
                shell: self.shell.take(),
                cmd: self.cmd.take().ok_or_else(|| E::missing_field("cmd"))?,
            }),
            Kind::Path => HintValue::from(PathValue {
                os: self.os.take().unwrap_or_default(),
                abs: self.abs.take().ok_or_else(|| E::missing_field("abs"))?,
            }),
            Kind::Template => HintValue::from(Template {
                format: self
                    .format
                    .take()
                    .ok_or_else(|| E::missing_field("format"))?,
                body: self.body.take().ok_or_else(|| E::missing_field("body"))?,
                defaults: self.defaults.take().unwrap_or_default(),
            }),
            Kind::Json => {
                HintValue::from(self.data.take().ok_or_else(|| E::missing_field("data"))?)
            }
        };
        if strict && let Some(left) = self.left_over() {
            return Err(E::unknown_field(left, kind.fields()));
        }
        Ok(value)
    }

    /// A field that the type of value does not have.
    fn left_over(&self) -> Option<&str> {
        let known = [
            ("shell", self.shell.is_some()),
            ("cmd", self.cmd.is_some()),
            ("os", self.os.is_some()),
            ("abs", self.abs.is_some()),
            ("format", self.format.is_some()),
            ("body", self.body.is_some()),
            ("defaults", self.defaults.is_some()),
            ("data", self.data.is_some()),
        ];
        let other = known.into_iter().find(|(_, given)| *given);
        self.unknown.as_deref().or(other.map(|(name, _)| name))
    }
}

impl Kind {
    const fn fields(self) -> &'static [&'static str] {
        match self {
            Kind::Command => COMMAND,
            Kind::Path => PATH,
            Kind::Template => TEMPLATE,
            Kind::Json => JSON,
        }
    }
}
