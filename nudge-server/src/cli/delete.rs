//! `nudge delete`, and what brings it back: `nudge undo` and `nudge restore`

use std::path::Path;

use nudge::{DeletedHints, ErrorKind, Imported, Name, Undone};

use super::every_command::Nothing;
use super::place_flags::ScopeFlags;
use super::prelude::*;
use super::question::{is_agreed, may_ask};
use super::shell::SHELL;
use super::slot::{keys, split};
use super::terminal::here;
use crate::observe::answers::Pitfalls;
use crate::project::hints_file::{self, Content, NAME};
use crate::project::trust::{self, ProjectHint};
use crate::proxy::infer::HERE;
use crate::sync::State;

/// The pattern of every key.
const WHOLE: &str = "*";

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  nudge delete api build
  nudge delete 'old-*' '*' --dry-run   shows what would go; quote patterns for the shell
  nudge undo                           takes it back")]
pub(crate) struct Delete {
    /// A service, module or folder by name; `.` is where you are, `*` in it any text, `?` a character
    #[arg(required_unless_present = "pitfall")]
    component: Option<String>,
    /// What the hint is about, patterns as well; left out, all of a component, after a question
    key: Option<String>,
    /// A command of `nudge ls --pitfalls` of which no agent is to be warned again
    #[arg(long, value_name = "COMMAND", conflicts_with = "component")]
    pitfall: Option<String>,
    /// Every variant of this project; with --everywhere those of others too
    #[arg(long)]
    all: bool,
    /// Only say what would go
    #[arg(long)]
    dry_run: bool,
    /// Delete a whole component without a question
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    scope: ScopeFlags,
    #[command(flatten)]
    context: ContextFlags,
}

impl Delete {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let exit = self.ask(terminal)?;
        let runtime = terminal.found_runtime();
        let is_shared = runtime.is_some_and(|runtime| State::load(runtime.folder()).is_on);
        if exit == Exit::Done && is_shared && !self.dry_run && self.pitfall.is_none() {
            terminal.out.note(
                "it leaves your other machines with their next `nudge sync`; the host of the \
                 repository may keep what was pushed before",
            );
        }
        Ok(exit)
    }

    fn ask(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let given = self.context.given();
        if let Some(command) = &self.pitfall {
            let params = Params::default().with("forget", Some(command.as_str()));
            let forget = ServerOperation::GetPitfalls;
            return terminal.tell(forget, &params, given, |page, left: &Pitfalls| {
                if !left.forgotten {
                    page.line("no agent is warned of that here; `nudge ls --pitfalls` lists them");
                    return Exit::Nothing;
                }
                page.line("no agent is warned of it any more");
                Exit::Done
            });
        }
        let (component, key) = self.names(terminal)?;
        let names = [&*component, &*key].map(Name::from);
        let is_pattern = names.iter().any(Name::is_pattern);
        let scope = self.scope.given();
        let is_everywhere = (self.all || is_pattern) && scope == Some(json!({}));
        let params = Params::slot(&component, &key)
            .with("scope", scope.filter(|_| !is_everywhere))
            .with_switch("all", self.all || is_everywhere)
            .with_switch("everywhere", is_everywhere);
        if !self.dry_run && !is_pattern {
            return terminal.tell(Operation::DeleteHint, &params, given, |page, gone| {
                pretty::deleted(page, gone, self.all)
            });
        }
        let delete = ServerOperation::DeleteHints;
        // All of a component goes once somebody has said yes to that.
        if key == WHOLE && self.key.is_none() && !self.yes && !self.dry_run {
            let all = params.clone().with_switch("dry_run", true);
            let all: DeletedHints = terminal.get(delete, &all, given.clone())?;
            let hints = all.deleted.iter().map(|slot| slot.previous.len()).sum();
            let hints = count(hints, "hint");
            if !may_ask(terminal) {
                let words = format!(
                    "`{component}` is a component with {hints} that would go, and nobody can be \
                     asked here; `--yes` deletes without a question"
                );
                return Err(misuse(words).into());
            }
            if !is_agreed(&format!("delete {hints} of `{}`", shown(&component))) {
                terminal.out.note("nothing was deleted");
                return Ok(Exit::Nothing);
            }
        }
        let params = params.with_switch("dry_run", self.dry_run);
        terminal.tell(delete, &params, given, |page, gone| self.write(page, gone))
    }

    /// The component and the key. One name alone is a key of where the caller is, or a component.
    fn names(&self, terminal: &Terminal) -> Result<(String, String), Fault> {
        let name = self.component.as_deref().unwrap_or_default();
        if let Some(key) = &self.key {
            return Ok((name.to_owned(), key.clone()));
        }
        if let Some(slot) = split(terminal, name)? {
            return Ok(slot);
        }
        let is_key = name != HERE && keys(terminal, HERE)?.iter().any(|key| key == name);
        let is_component = !keys(terminal, name)?.is_empty();
        match (is_key, is_component) {
            (false, false) if Name::from(name).is_pattern() => {
                let words = format!("no component `{name}`; `nudge ls` lists them");
                Err(Error::new(ErrorKind::NotFound, words).into())
            }
            (_, false) => Ok((HERE.to_owned(), name.to_owned())),
            (false, true) => Ok((name.to_owned(), WHOLE.to_owned())),
            (true, true) => {
                let typed = SHELL.quoted(name);
                let words = format!(
                    "`{name}` is a component, and a key of where you are; type \
                     `nudge delete {typed} '*'` or `nudge delete . {typed}`"
                );
                Err(misuse(words).into())
            }
        }
    }

    fn write(&self, page: &mut Page, gone: &DeletedHints) -> Exit {
        for slot in &gone.deleted {
            if !self.dry_run {
                pretty::deleted(page, slot, false);
                continue;
            }
            let name = pretty::slot(&slot.component, &slot.key);
            for hint in &slot.previous {
                let (value, scope) = (pretty::value(hint), pretty::scope(hint));
                page.line(&format!("would delete {name}: {value} ({scope})"));
            }
        }
        if gone.left > 0 && gone.elsewhere == 0 {
            let keys = count(gone.left, "key");
            page.line(&format!("left alone, not of this place: {keys}"));
        }
        let name = self.component.as_deref().unwrap_or_default();
        pretty::elsewhere(page, gone.elsewhere, name);
        Exit::Done
    }
}

pub(crate) fn undo(nothing: &Nothing, terminal: &Terminal) -> Result<Exit, Fault> {
    let undo = ServerOperation::Undo;
    terminal.tell(undo, nothing, None, |page, undone: &Undone| {
        for one in &undone.hints {
            let name = pretty::slot(&one.component, &one.key);
            let Some(hint) = &one.hint else {
                page.done(&format!("{name} is gone again"));
                continue;
            };
            page.done(&format!("{name} is back: {}", pretty::value(hint)));
            let uses = count(usize::try_from(hint.use_count).unwrap_or(usize::MAX), "use");
            let (version, place) = (hint.version, pretty::scope(hint));
            page.dim(&format!("  v{version}, {place}, {uses}"));
            if is_projects(&one.component, &one.key) {
                page.line(&format!("  `{NAME}` has {name} too, and stays as it is"));
            }
        }
        if undone.secrets_left_out > 0 {
            let secrets = count(undone.secrets_left_out, "secret");
            page.line(&format!("{secrets} cannot come back; set it again"));
        }
        Exit::Done
    })
}

/// Whether the project's own file has a hint of this name.
fn is_projects(component: &Name, key: &Name) -> bool {
    let context = here().unwrap_or_default();
    let file = context
        .facts()
        .root
        .as_deref()
        .map(Path::new)
        .map(hints_file::read);
    let Some(Content::Bytes(bytes)) = file.map(|file| file.content) else {
        return false;
    };
    let hints = trust::hints(&bytes).unwrap_or_default();
    let is_it = |one: &ProjectHint| *component == *one.component && *key == *one.key;
    hints.iter().any(is_it)
}

pub(crate) fn restore(nothing: &Nothing, terminal: &Terminal) -> Result<Exit, Fault> {
    let restore = ServerOperation::Restore;
    terminal.tell(restore, nothing, None, |page, back: &Imported| {
        if !back.problems.is_empty() {
            return pretty::imported(page, back, false);
        }
        let is = if back.imported == 1 { "is" } else { "are" };
        page.done(&format!("{} {is} back", count(back.imported, "hint")));
        if back.skipped > 0 {
            page.dim(&format!(
                "  {} stay as they are now",
                count(back.skipped, "other")
            ));
        }
        Exit::Done
    })
}
