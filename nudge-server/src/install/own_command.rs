//! A host's own command that adds a server.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::entry::wanted;
use super::format::Value;
use super::machine::Machine;
use super::program::run;
use super::table::{Host, Scope};

/// How long a host may take; some load a whole runtime first.
const PATIENCE: Duration = Duration::from_mins(1);

/// A host's own command, ready to be run.
#[derive(Debug)]
pub(crate) struct OwnCommand {
    program: PathBuf,
    word: &'static str,
    arguments: Vec<String>,
    /// Whether it may change more than our entry.
    pub(crate) takes_notes: bool,
}

impl OwnCommand {
    /// The command that adds Nudge to a host, if it has one that is on the PATH
    /// and can write to the scope.
    pub(crate) fn of(host: &Host, scope: Scope, machine: &Machine) -> Option<OwnCommand> {
        let own = host.own.as_ref()?;
        if !own.scopes.contains(&scope) {
            return None;
        }
        let program = machine.command(host)?;
        let binary = machine.binary.to_str()?;
        let filled = |word: &str| match word {
            "{scope}" => scope.word().to_owned(),
            "{nudge}" => binary.to_owned(),
            "{entry}" => named(wanted(host, binary)),
            word => word.to_owned(),
        };
        Some(OwnCommand {
            program,
            word: host.commands.first()?,
            arguments: own.arguments.split(' ').map(filled).collect(),
            takes_notes: own.takes_notes,
        })
    }

    /// The words of the command, as they are typed.
    pub(crate) fn words(&self) -> Vec<String> {
        let word = std::iter::once(self.word.to_owned());
        word.chain(self.arguments.iter().cloned()).collect()
    }

    /// Its first words, by which people know it.
    pub(crate) fn title(&self) -> String {
        let is_word = |word: &&String| word.chars().all(|letter| letter.is_ascii_lowercase());
        let arguments = self
            .arguments
            .iter()
            .take(2)
            .filter(|word| is_word(word) || word.starts_with("--"));
        let words: Vec<&str> = std::iter::once(self.word)
            .chain(arguments.map(String::as_str))
            .collect();
        words.join(" ")
    }

    /// Runs it in a folder. The error says why the host did not do it.
    pub(crate) fn run(&self, folder: &Path) -> Result<(), String> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(folder);
        let ran = run(&mut command, PATIENCE)?;
        if ran.is_success {
            return Ok(());
        }
        let said = [ran.stderr, ran.stdout].concat();
        let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
        Err(format!("it says `{}`", last.unwrap_or("nothing")))
    }
}

/// An entry as JSON, with its name as its first field.
fn named(entry: Value) -> String {
    let Value::Map(fields) = entry else {
        return String::new();
    };
    let name = ("name".to_owned(), Value::Text("nudge".to_owned()));
    json(&Value::Map([vec![name], fields].concat()))
}

fn json(value: &Value) -> String {
    let quoted = |text: &String| serde_json::Value::from(text.as_str()).to_string();
    match value {
        Value::Text(text) => quoted(text),
        Value::List(texts) => format!(
            "[{}]",
            texts.iter().map(quoted).collect::<Vec<_>>().join(",")
        ),
        Value::Map(fields) => {
            let field =
                |(name, value): &(String, Value)| format!("{}:{}", quoted(name), json(value));
            format!(
                "{{{}}}",
                fields.iter().map(field).collect::<Vec<_>>().join(",")
            )
        }
    }
}
