//! `nudge set`

use nudge::{Clock, HintSet, Lifetime, SystemClock, slot_of};
use serde_json::Map;

use super::lifetime::lifetime;
use super::meta_flags::MetaFlags;
use super::misuse::unknown_flag;
use super::prelude::*;
use super::question::{is_agreed, may_ask};
use super::shell::SHELL;
use super::slot::{keys, named};
use super::terminal::stdin;
use super::value_flags::ValueFlags;
use crate::proxy::infer::HERE;

#[derive(Debug, Args)]
#[command(
    override_usage = "nudge set [OPTIONS] [COMPONENT] <KEY> <VALUE>
       nudge set [OPTIONS] <COMPONENT/KEY> <VALUE>
       nudge set [OPTIONS] [COMPONENT] <KEY> -- <WORDS>...",
    after_help = "Examples:
  nudge set build \"make all\"                  of where you are
  nudge set api test \"cargo test\" -b 'dev,hotfix/*' --ttl 2h
  nudge set api/run -m \"the port is taken\" -- npm start --port 8081
  nudge set api deploy --type command --shell bash - < deploy.sh"
)]
pub(crate) struct Set {
    /// A service, module or folder by name; left out, or `.`, it is where you are
    #[arg(value_name = "COMPONENT", required_unless_present = "line")]
    first: Option<String>,
    /// What the hint is about
    #[arg(value_name = "KEY")]
    second: Option<String>,
    /// The hint; `-` reads it from stdin
    #[arg(value_name = "VALUE", allow_hyphen_values = true)]
    third: Option<String>,
    /// The hint, as a command line; several words are quoted where a shell needs it
    #[arg(last = true, value_name = "WORDS")]
    line: Vec<String>,
    /// Only if the variant has this version; 0 for "must not exist"
    #[arg(long, value_name = "VERSION", value_parser = number, allow_negative_numbers = true)]
    if_match_version: Option<Value>,
    /// Set it although it is empty
    #[arg(long)]
    force: bool,
    /// Print priority, tags and conditions as well
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten)]
    value: ValueFlags,
    #[command(flatten)]
    meta: MetaFlags,
    /// Where you are, if not in this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "context")]
    cwd: Option<String>,
    /// Where you are, as JSON: the fields of a context
    #[arg(long, value_name = "JSON", value_parser = object)]
    context: Option<Map<String, Value>>,
}

fn object(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

impl Set {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let (component, key, text) = self.slot(terminal)?;
        let is_piped = text == "-";
        let text = if is_piped { stdin()? } else { text };
        // Where the value came by stdin nobody is left there to be asked.
        let may_ask = || !is_piped && may_ask(terminal);
        let is_meant = || may_ask() && is_agreed("the value is empty; set it all the same");
        if text.is_empty() && !self.force && !is_meant() {
            let words = "the value is empty; type `--force` if it is to be, or `nudge rm` to \
                         delete the hint";
            return Err(misuse(words).into());
        }
        let set = Params::slot(&component, &key)
            .with("value", Some(self.value.value(text)?))
            .with("meta", self.meta.given()?.some())
            .with("if_match_version", self.if_match_version.clone());
        let asked = if self.meta.is_everywhere() {
            // Who means everywhere is nowhere in particular.
            terminal.call_here(Operation::SetHint, &set).into()
        } else {
            terminal.ask(Operation::SetHint, &set, self.given())
        };
        let set = asked.answer.as_ref().ok();
        let set = set.and_then(|answer| read::<HintSet>(answer).ok());
        let is_proposed = set.as_ref().is_some_and(|set| set.proposal.is_some());
        if let Some(shell) = terminal.shell().filter(|_| is_proposed) {
            let words = format!("{}, so what is set is an agent's", shell.describe());
            terminal.out.note(&words);
        }
        let exit = terminal.out.asked(&asked, |page, set| {
            pretty::hint_set(page, set, self.verbose)
        });
        let set = set.filter(|_| !is_proposed && !terminal.out.json);
        if let Some(set) = set {
            let runtime = terminal.runtime();
            let is_volatile = || runtime.is_ok_and(|runtime| runtime.is_volatile());
            let words = match set.hint.lifetime {
                Lifetime::Kept if is_volatile() => "kept until the next reboot".to_owned(),
                Lifetime::Kept => "kept".to_owned(),
                _ => lifetime(&set.hint, SystemClock.now()),
            };
            terminal.out.note(&words);
        }
        Ok(exit)
    }

    fn given(&self) -> Option<Value> {
        let cwd = self.cwd.as_deref().map(super::place_flags::from_here);
        let context = self.context.clone().map(Value::Object);
        context.or_else(|| Params::default().with("cwd", cwd).some())
    }

    /// The component, the key and the text: words are names first, and the last of them is the
    /// text, unless a line follows. One name is a key of where the caller is.
    fn slot(&self, terminal: &Terminal) -> Result<(String, String, String), Error> {
        // A word that looks like a flag is one that there is not.
        let is_flag = |word: &&String| {
            let name = word.trim_start_matches('-');
            word.starts_with('-') && name.starts_with(char::is_alphabetic) && !word.contains(' ')
        };
        if let Some(flag) = self.third.as_ref().filter(is_flag) {
            return Err(misuse(unknown_flag("nudge set", flag)));
        }
        let words = [&self.first, &self.second, &self.third];
        let mut names: Vec<&str> = words.into_iter().flatten().map(|word| &**word).collect();
        let mut line = &self.line[..];
        // Nothing but words that may look like flags, as elsewhere behind `--`.
        if names.is_empty() {
            names = std::mem::take(&mut line)
                .iter()
                .map(|word| &**word)
                .collect();
        }
        let text = match (line, names.len()) {
            ([], 1) => return Err(misuse(missing(names[0]))),
            ([], _) => names.pop().unwrap_or_default().to_owned(),
            ([one], _) => one.clone(),
            (several, _) => {
                let quoted = several.iter().map(|word| SHELL.quoted(word));
                quoted.collect::<Vec<_>>().join(" ")
            }
        };
        let (component, key) = match names[..] {
            [component, key] => {
                check_component(terminal, component, key, &text)?;
                (component.to_owned(), key.to_owned())
            }
            [name] => {
                let slot = named(terminal, name)?;
                if slot.0 == HERE {
                    check_name(terminal, name, &text)?;
                }
                slot
            }
            _ => {
                let words = "a component and a key stand before `--`; put a value of several \
                             words in quotes or behind it";
                return Err(misuse(words));
            }
        };
        Ok((component, key, text))
    }
}

/// What to say where there is only one word.
fn missing(name: &str) -> String {
    if let Some((name, text)) = name.split_once('=').filter(|(name, _)| !name.is_empty()) {
        let [name, text] = [name, text].map(|word| SHELL.quoted(word.trim()));
        return format!("a name and a value are two words; type `nudge set {name} {text}`");
    }
    let name = SHELL.quoted(name);
    format!(
        "the value is missing; type `nudge set {name} VALUE`, with a value of several words in quotes"
    )
}

/// Refuses to guess where what stands before a value of several words is a hint, and no component.
fn check_component(
    terminal: &Terminal,
    component: &str,
    key: &str,
    text: &str,
) -> Result<(), Error> {
    let Some((outer, inner)) = slot_of(component).filter(|(outer, _)| *outer != HERE) else {
        return Ok(());
    };
    let is_hint = keys(terminal, outer)?.iter().any(|known| known == inner);
    if !is_hint || !keys(terminal, component)?.is_empty() {
        return Ok(());
    }
    let [component, key, text] = [component, key, text].map(|word| SHELL.quoted(word));
    Err(misuse(format!(
        "`{component}` is a hint; put a value of several words behind `--`: `nudge set {component} \
         -- {key} {text}`"
    )))
}

/// Refuses to guess where one name is that of a component.
fn check_name(terminal: &Terminal, name: &str, text: &str) -> Result<(), Error> {
    if keys(terminal, name)?.is_empty() {
        return Ok(());
    }
    let [name, text] = [name, text].map(|word| SHELL.quoted(word));
    Err(misuse(format!(
        "`{name}` is a component; type `nudge set {name} {text} VALUE` for its key {text}, or \
         `nudge set . {name} {text}` for a key {name} of where you are"
    )))
}
