//! `nudge edit`

use std::fs::{OpenOptions, remove_file};
use std::io::{IsTerminal, Write, stdin};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use nudge::{DeletedHints, ErrorKind, Hint, HintMatch};
use nudge_client::folder::file;
use serde_json::Map;

use super::output::misused;
use super::place_flags::ScopeFlags;
use super::prelude::*;
use super::slot::SlotArgs;
use super::terminal::Asked;
use crate::platform::desktop::EDITOR;
use crate::platform::random::nonce;
use crate::primary::operations::Method;
use crate::wire::Answer;

const MAX_BYTES: u64 = 1 << 20;

/// What is edited beside the value, in this order; `null` is what is not stated. The rest
/// stays as it is.
const FIELDS: [&str; 4] = ["reason", "tags", "ttl", "scope"];

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge edit api build
  EDITOR=nano nudge edit api build --scope-branch dev

The text is JSON, one field a line. `null`, or no line, is nothing; no `scope` is everywhere.
$VISUAL or $EDITOR says what opens it.")]
pub(crate) struct Edit {
    #[command(flatten)]
    slot: SlotArgs,
    #[command(flatten)]
    scope: ScopeFlags,
    #[command(flatten)]
    context: ContextFlags,
}

struct Edited {
    slot: Params,
    hint: Arc<Hint>,
}

impl Edit {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let edited = match self.find(terminal) {
            Ok(edited) => edited,
            Err(asked) => return Ok(terminal.out.asked(&asked, |_, _: &Value| Exit::Refused)),
        };
        let text = text_of(&edited.hint);
        let path = written(terminal, &text)?;
        let exit = loop {
            let typed = match open(&path) {
                Ok(typed) => typed,
                Err(error) => break terminal.out.refused(error.into()),
            };
            if typed == text {
                terminal.out.note("nothing was changed");
                break Exit::Done;
            }
            let asked = Asked::from(edited.set(terminal, &typed));
            let exit = match &asked.answer {
                // The text has fields, and not flags.
                Err(fault) if !terminal.out.json => {
                    misused(&shown(&Error::from(fault).to_string()))
                }
                _ => terminal
                    .out
                    .asked(&asked, |page, set| pretty::hint_set(page, set, false)),
            };
            if asked.answer.is_ok() {
                break exit;
            }
            let place = path.display();
            if !stdin().is_terminal() {
                terminal.out.note(&format!("your text is in `{place}`"));
                return Ok(exit);
            }
            let words = format!("Enter opens it again; Ctrl-C leaves it in `{place}`");
            terminal.out.note(&words);
            if stdin().read_line(&mut String::new()).unwrap_or(0) == 0 {
                return Ok(exit);
            }
        };
        // Nobody but the user can read it.
        let _ = remove_file(&path);
        Ok(exit)
    }

    /// The variant that a get from here gives, or that has the scope.
    fn find(&self, terminal: &Terminal) -> Result<Edited, Asked> {
        let refused = |error: Error| Asked::from(Err(error.into()));
        let (given, scope) = (self.context.given(), self.scope.given());
        let is_scoped = scope.is_some();
        // A delete knows which variant a scope means; this one deletes nothing.
        let method: Method = if is_scoped {
            ServerOperation::DeleteHints.into()
        } else {
            Operation::GetHint.into()
        };
        let params = Params::default().with("scope", scope);
        let params = params.with_switch("dry_run", is_scoped);
        let asked = self.slot.ask(terminal, method, params, given);
        let asked = asked.map_err(refused)?;
        let Ok(answer) = &asked.answer else {
            return Err(asked);
        };
        let (component, key, hint) = if is_scoped {
            let gone = read::<DeletedHints>(answer).ok();
            let gone = gone.and_then(|gone| gone.deleted.into_iter().next());
            gone.and_then(|gone| {
                Some((gone.component, gone.key, gone.previous.into_iter().next()?))
            })
        } else {
            let found = read::<HintMatch>(answer).ok();
            found.map(|found| (found.component, found.key, found.hint))
        }
        .ok_or_else(|| {
            let words = "this server's answer cannot be read; look at it with `nudge get --json`";
            refused(misuse(words))
        })?;
        let slot = Params::slot(&component, &key);
        let typed = slot.typed_slot().unwrap_or_default();
        let words = if hint.is_secret() {
            format!(
                "`{component}/{key}` is a secret, which no file may hold; set it again: \
                 `nudge set {typed} - --allow-secret`"
            )
        } else if hint.found_in().is_some() {
            format!("nobody has set `{component}/{key}` yet: `nudge set {typed} VALUE`")
        } else {
            return Ok(Edited { slot, hint });
        };
        Err(refused(misuse(words)))
    }
}

impl Edited {
    /// Sets what was typed, in the place of what it was before.
    fn set(&self, terminal: &Terminal, typed: &str) -> Answer {
        let fields = serde_json::from_str::<Map<String, Value>>(typed);
        let mut meta = fields.map_err(|error| misuse(format!("this is not JSON: {error}")))?;
        let value = meta.remove("value").unwrap_or_default();
        for field in FIELDS {
            meta.entry(field).or_insert(Value::Null);
        }
        let before = serde_json::to_value(self.hint.scope()).unwrap_or_default();
        let scope = meta.get("scope").cloned().unwrap_or_default();
        let is_moved = scope != before && !(scope == json!({}) && before.is_null());
        let from = if before.is_null() { json!({}) } else { before };
        let set = self.slot.clone();
        let set = set
            .with("value", Some(value))
            .with("meta", Some(meta))
            .with("if_match_version", Some(self.hint.version))
            .with("from_scope", is_moved.then_some(from));
        terminal.call_here(Operation::SetHint, &set)
    }
}

fn text_of(hint: &Hint) -> String {
    let meta = serde_json::to_value(&hint.meta).unwrap_or_default();
    let value = serde_json::to_value(&hint.value).unwrap_or_default();
    let stated = FIELDS.map(|name| (name, meta.get(name).cloned().unwrap_or_default()));
    let lines = [("value", value)].into_iter().chain(stated);
    let lines: Vec<_> = lines
        .map(|(name, field)| format!("  \"{name}\": {field}"))
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Writes it to a file that only the user can read, in the session's folder.
fn written(terminal: &Terminal, text: &str) -> Result<PathBuf, Fault> {
    let name = format!("edit-{}.json", nonce());
    let path = terminal.runtime()?.folder().join(name);
    let made = file::open(&path, OpenOptions::new().write(true).create_new(true));
    let written = made.and_then(|mut made| made.write_all(text.as_bytes()));
    let place = path.display();
    written
        .map_err(|error| Fault::from(misuse(format!("`{place}` cannot be written: {error}"))))?;
    Ok(path)
}

/// Has the user edit a file, and reads it.
pub(super) fn open(path: &Path) -> Result<String, Error> {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let editor = set("VISUAL").or_else(|| set("EDITOR"));
    let editor = editor.unwrap_or_else(|| EDITOR.to_owned());
    // A program whose path has a space in it is one word.
    let words: Vec<&str> = if Path::new(&editor).is_file() {
        vec![&editor]
    } else {
        editor.split_ascii_whitespace().collect()
    };
    let failed = |why: String| {
        let words = format!("`{editor}` {why}, so nothing was changed; `EDITOR` says what to use");
        Error::new(ErrorKind::Invalid, words)
    };
    let Some((program, more)) = words.split_first() else {
        return Err(failed("is not a program".to_owned()));
    };
    let status = Command::new(program).args(more).arg(path).status();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(failed(format!("ended with {status}"))),
        Err(error) => return Err(failed(format!("does not start ({error})"))),
    }
    let bytes = file::read(path, MAX_BYTES);
    let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    text.map_err(|error| misuse(format!("`{}` cannot be read: {error}", path.display())))
}
