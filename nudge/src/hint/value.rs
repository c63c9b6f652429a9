//! Reading, writing and making `HintValue`s.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::hint::{Command, HintValue, PathValue, Shell, Template, TemplateFormat};
use crate::model::list;
use crate::model::rows::{from, setters};
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
}

setters! { Command:
    /// Says which shell the command is written for.
    shell(shell: Shell) |it| it.shell = Some(shell);
}

impl PathValue {
    /// Makes a path that is meant on every system of its flavour.
    pub fn new(abs: impl Into<Box<str>>) -> PathValue {
        PathValue {
            os: Vec::new(),
            abs: abs.into(),
        }
    }
}

setters! { PathValue:
    /// Says on which systems the path is meant.
    os(os: impl IntoIterator<Item = Os>) |it| it.os.extend(os);
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

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<HintValue, A::Error> {
        list::refused(items, &self)
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
        fn given<T, E: serde::de::Error>(
            field: &mut Option<T>,
            name: &'static str,
        ) -> Result<T, E> {
            field.take().ok_or_else(|| E::missing_field(name))
        }
        let kind = given(&mut self.kind, "type")?;
        let value = match kind {
            Kind::Command => HintValue::from(Command {
                shell: self.shell.take(),
                cmd: given(&mut self.cmd, "cmd")?,
            }),
            Kind::Path => HintValue::from(PathValue {
                os: self.os.take().unwrap_or_default(),
                abs: given(&mut self.abs, "abs")?,
            }),
            Kind::Template => HintValue::from(Template {
                format: given(&mut self.format, "format")?,
                body: given(&mut self.body, "body")?,
                defaults: self.defaults.take().unwrap_or_default(),
            }),
            Kind::Json => HintValue::from(given(&mut self.data, "data")?),
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
    /// Its fields, which are the words an error can offer.
    const fn fields(self) -> &'static [&'static str] {
        match self {
            Kind::Command => &["type", "shell", "cmd"],
            Kind::Path => &["type", "os", "abs"],
            Kind::Template => &["type", "format", "body", "defaults"],
            Kind::Json => &["type", "data"],
        }
    }
}
