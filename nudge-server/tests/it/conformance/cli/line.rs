//! A call as a command line.

use serde_json::{Map, Value};

use super::fields::{Fields, Unsaid, kind};

/// A command as somebody would type it.
#[derive(Default)]
pub(super) struct Line {
    pub(super) arguments: Vec<String>,
    /// What stands behind all flags, where nothing is taken for one.
    words: Vec<String>,
    pub(super) input: Option<String>,
}

impl Line {
    pub(super) fn of(method: &str, params: &Value) -> Result<Line, Unsaid> {
        let Value::Object(fields) = params.clone() else {
            return Err("params are made of flags".into());
        };
        let mut fields = Fields(fields, "");
        let mut line = Line::default();
        match method {
            "set_hint" => line.set(&mut fields)?,
            "get_hint" => {
                line.slot("get", &mut fields)?;
                line.option("--alternatives", fields.number("alternatives")?);
                line.context(&mut fields)?;
            }
            "query" => line.query(&mut fields)?,
            "delete_hint" => {
                line.slot("delete", &mut fields)?;
                line.scope(&mut fields)?;
                line.context(&mut fields)?;
                line.switch("--all", fields.switch("all")?);
                line.switch("--everywhere", fields.switch("everywhere")?);
            }
            "bump" => {
                line.slot("bump", &mut fields)?;
                line.option("--delta", fields.number("delta")?);
                line.option("--outcome", fields.text("outcome")?);
                line.scope(&mut fields)?;
                line.context(&mut fields)?;
            }
            "list_components" => {
                line.arguments.push("ls".into());
                line.words.extend(fields.text("component")?);
                line.chosen_context(&mut fields)?;
            }
            "export" => {
                line.arguments.push("export".into());
                line.option("--format", fields.text("format")?);
                line.option("--component", fields.text("component")?);
                line.options("--tags", fields.list("tags")?);
                line.switch("--include-secrets", fields.switch("include_secrets")?);
                line.switch("--seed", fields.switch("seed")?);
            }
            "import" => {
                line.arguments.push("import".into());
                let payload = fields.take("payload").ok_or("a file is always given")?;
                line.words.push("-".into());
                line.input = Some(payload.to_string());
                line.option("--mode", fields.text("mode")?);
                line.switch("--dry-run", fields.switch("dry_run")?);
            }
            "set_context" => line.set_context(&mut fields)?,
            "get_context" => {
                line.arguments.push("context".into());
                line.words.extend(fields.text("name")?);
            }
            "list_proposals" => line.arguments.push("proposals".into()),
            "accept" | "reject" => {
                line.arguments.push(method.into());
                let id = fields.number("id")?;
                line.words.push(id.ok_or("`id` is always given")?);
            }
            "prompt_block" => return Err("`nudge prime` shows it as text".into()),
            "stats" => return Err("`nudge status` shows the counts".into()),
            "merge" => return Err("`nudge sync` merges".into()),
            "propose" => return Err("a terminal is the user's, who sets".into()),
            "on_event" => return Err("an event comes from a host's hook".into()),
            other => panic!("no method {other:?}"),
        }
        fields.end()?;
        line.arguments.push("--".into());
        line.arguments.append(&mut line.words);
        Ok(line)
    }

    fn option(&mut self, flag: &str, value: Option<String>) {
        self.arguments
            .extend(value.map(|value| format!("{flag}={value}")));
    }

    fn options(&mut self, flag: &str, values: Vec<String>) {
        let values = values.into_iter().map(|value| format!("{flag}={value}"));
        self.arguments.extend(values);
    }

    fn switch(&mut self, flag: &str, on: bool) {
        self.arguments.extend(on.then(|| flag.to_owned()));
    }

    fn slot(&mut self, command: &str, fields: &mut Fields) -> Result<(), Unsaid> {
        self.arguments.push(command.into());
        for name in ["component", "key"] {
            let word = fields.text(name)?;
            self.words
                .push(word.ok_or_else(|| format!("`{name}` is always given"))?);
        }
        Ok(())
    }

    fn query(&mut self, fields: &mut Fields) -> Result<(), Unsaid> {
        self.arguments.push("query".into());
        self.option("--component", fields.text("component")?);
        self.options("--key", fields.list("keys")?);
        self.options("--tags", fields.list("tags")?);
        match fields.text("tags_mode")?.as_deref() {
            None | Some("any") => {}
            Some("all") => self.switch("--all-tags", true),
            Some(other) => return Err(format!("`tags_mode` is a switch, not `{other}`")),
        }
        self.option("--regex", fields.text("regex")?);
        self.words.extend(fields.text("text")?);
        self.option("--limit", fields.number("limit")?);
        self.option("--max-tokens", fields.number("max_tokens")?);
        self.switch("--include-ineligible", fields.switch("include_ineligible")?);
        self.switch("--anywhere", fields.switch("anywhere")?);
        self.context(fields)
    }

    fn context(&mut self, fields: &mut Fields) -> Result<(), Unsaid> {
        let Some(context) = fields.object("context")? else {
            return Ok(());
        };
        let mut context = Fields(context, "context.");
        self.option("--cwd", context.text("cwd")?);
        self.option("--root", context.text("root")?);
        self.options("--repo", context.list("repo")?);
        self.option("--branch", context.text("branch")?);
        self.option("--os", context.text("os")?);
        for (name, value) in context.object("env")?.unwrap_or_default() {
            match value {
                // What is not set is not typed either.
                Value::Null => {}
                Value::String(value) if !name.contains('=') => {
                    self.option("--env", Some(format!("{name}={value}")));
                }
                _ => return Err(format!("`context.env.{name}` is no variable with a value")),
            }
        }
        let files = context.list("files_open")?;
        // A file's name may hold a comma, so this list is not one text.
        self.options(
            "--file",
            files.into_iter().filter(|file| !file.is_empty()).collect(),
        );
        context.end()
    }

    /// The context of a command that takes one only when it is given.
    fn chosen_context(&mut self, fields: &mut Fields) -> Result<(), Unsaid> {
        let is_given = fields.0.get("context").is_some_and(Value::is_object);
        self.switch("--here", is_given);
        self.context(fields)
    }

    fn scope(&mut self, fields: &mut Fields) -> Result<(), Unsaid> {
        let Some(scope) = fields.object("scope")? else {
            return Ok(());
        };
        self.switch("--everywhere", scope.is_empty());
        let mut scope = Fields(scope, "scope.");
        self.options("--scope-cwd-glob", scope.list("cwd_glob")?);
        self.options("--scope-repo", scope.list("repo")?);
        self.options("--scope-branch", scope.list("branch")?);
        self.options("--scope-os", scope.list("os")?);
        for name in scope.list("env_required")? {
            if name.contains('=') || name.is_empty() {
                return Err("`--scope-env` names a variable".into());
            }
            self.option("--scope-env", Some(name));
        }
        let matching = scope.object("env_match")?;
        if matching.as_ref().is_some_and(Map::is_empty) {
            return Err("`--scope-env` names a variable".into());
        }
        for (name, values) in matching.unwrap_or_default() {
            let values = match values {
                Value::Array(values) if !values.is_empty() => values,
                Value::String(value) => vec![Value::String(value)],
                _ => return Err("`--scope-env NAME=VALUE` gives a value".into()),
            };
            for value in values {
                match value {
                    Value::String(value) if !name.contains('=') => {
                        self.option("--scope-env", Some(format!("{name}={value}")));
                    }
                    _ => return Err("`scope.env_match` has text as values".into()),
                }
            }
        }
        scope.end()
    }

    fn set_context(&mut self, fields: &mut Fields) -> Result<(), Unsaid> {
        self.arguments.push("context".into());
        match fields.text("mode")?.as_deref() {
            None | Some("replace") => {}
            Some("merge") => self.switch("--merge", true),
            Some(other) => return Err(format!("`mode` is a switch, not `{other}`")),
        }
        let sets = fields.object("sets")?.unwrap_or_default();
        let mut sets = sets.into_iter();
        let (Some((name, items)), None) = (sets.next(), sets.next()) else {
            return Err("one set is always given".into());
        };
        self.words.push(name);
        let Value::Array(items) = items else {
            return Err(format!("items are typed one by one, not {}", kind(&items)));
        };
        self.switch("--clear", items.is_empty());
        for item in items {
            match item {
                Value::String(text) => self.words.push(text),
                Value::Number(number) if number.is_i64() => self.words.push(number.to_string()),
                other => return Err(format!("an item is text, not {}", kind(&other))),
            }
        }
        Ok(())
    }

    fn set(&mut self, fields: &mut Fields) -> Result<(), Unsaid> {
        self.slot("set", fields)?;
        self.option("--if-match-version", fields.number("if_match_version")?);
        self.meta(fields)?;
        // Who types is always somewhere, and says so if that is not meant.
        let is_nowhere = !fields.0.get("context").is_some_and(Value::is_object);
        let is_said = self.arguments.iter().any(|said| said == "--everywhere");
        self.switch("--everywhere", is_nowhere && !is_said);
        let context = fields.object("context")?.map(Value::Object);
        self.option("--context", context.map(|context| context.to_string()));
        // The terminal asks whether an empty one is meant.
        self.switch("--force", true);
        let value = fields.take("value").ok_or("a value is always given")?;
        let text = match value {
            Value::String(text) => text,
            Value::Object(value) => self.value(Fields(value, "value."))?,
            other => {
                return Err(format!(
                    "a value is text or has a type, it is not {}",
                    kind(&other)
                ));
            }
        };
        // What is long, or holds what no argument can, comes by way of stdin.
        if text.len() > 100_000 || text.contains('\0') || text == "-" {
            self.words.push("-".into());
            self.input = Some(text + "\n");
        } else {
            self.words.push(text);
        }
        Ok(())
    }

    fn value(&mut self, mut value: Fields) -> Result<String, Unsaid> {
        let kind = value.text("type")?.ok_or("a value has a type")?;
        let body = match kind.as_str() {
            "command" => value.text("cmd")?,
            "path" => value.text("abs")?,
            "template" => value.text("body")?,
            "json" => value.take("data").map(|data| data.to_string()),
            other => return Err(format!("there is no type `{other}`")),
        };
        self.option("--type", Some(kind));
        self.option("--shell", value.text("shell")?);
        self.option("--format", value.text("format")?);
        self.options("--path-os", value.list("os")?);
        for (name, default) in value.object("defaults")?.unwrap_or_default() {
            let text = default.as_str().filter(|_| !name.contains('='));
            let text = text.ok_or("the defaults of a template are text")?;
            self.option("--default", Some(format!("{name}={text}")));
        }
        value.end()?;
        body.ok_or_else(|| "a value is always given".into())
    }

    fn meta(&mut self, fields: &mut Fields) -> Result<(), Unsaid> {
        let Some(mut meta) = fields.object("meta")? else {
            return Ok(());
        };
        let cleared: Vec<String> = meta
            .iter()
            .filter(|(_, value)| value.is_null())
            .map(|(name, _)| name.clone())
            .collect();
        for name in cleared {
            meta.remove(&name);
            self.option("--clear", Some(name));
        }
        let mut meta = Fields(meta, "meta.");
        self.option("--reason", meta.text("reason")?);
        self.options("--tags", meta.list("tags")?);
        self.option("--priority", meta.number("priority")?);
        self.option("--confidence", meta.number("confidence")?);
        self.switch("--pin", meta.switch("pin")?);
        self.option("--ttl", meta.text("ttl")?);
        self.option("--sensitivity", meta.text("sensitivity")?);
        self.option("--source", meta.text("source")?);
        self.option("--added-by", meta.text("added_by")?);
        self.scope(&mut meta)?;
        meta.end()
    }
}
