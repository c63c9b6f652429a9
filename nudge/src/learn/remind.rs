//! At a prompt and before an edit: the few hints that what is about to happen is about.

use std::path::Path;

use super::before::once;
use super::command_hints::{is_served, same_command};
use super::location::Location;
use super::wording::{self, display_name};
use super::{told, with_client, words};
use crate::api::answer::Ranked;
use crate::api::event::Event;
use crate::api::prompt_block::PromptBlock;
use crate::api::reaction::{Did, Reaction};
use crate::api::request::Query;
use crate::command::client::CommandRun;
use crate::command::programs::runs_projects;
use crate::command::step::Step;
use crate::hint::told::is_plain;
use crate::model::name::Name;
use crate::nudge::Nudge;

/// How many hints are told at once, and in how many bytes.
const MOST_TOLD: usize = 2;
const MOST_BYTES: usize = 80 * PromptBlock::BYTES_A_TOKEN;

/// How many hints are looked at before an edit.
const MOST_LOOKED_AT: u32 = 100;

/// At a prompt: the user's and pinned hints whose component, key or kind it names, those first
/// of which it names most.
pub(super) fn at_prompt(nudge: &Nudge, event: &Event) -> Option<Reaction> {
    let location = Location::at(&event.context);
    let words = words::all(event.prompt.as_deref()?);
    let kinds: Vec<Step> = words.iter().filter_map(|word| Step::of_key(word)).collect();
    let is_word = |name: &Name| words.iter().any(|word| name.eq_ignore_ascii_case(word));
    let named = |component: &Name, key: &Name| {
        let is_kind = || Step::of_key(key).is_some_and(|kind| kinds.contains(&kind));
        usize::from(is_word(component)) + usize::from(is_word(key) || is_kind())
    };
    let mut hints = nudge.applying(&location.context, |(component, key), hint| {
        (hint.is_users() || hint.meta.pin) && named(component, key) > 0
    });
    // Of another package's it must name the package.
    if let Some(repo) = location.book(nudge) {
        let here = location.context.folder_below_root();
        nudge.with_book(repo, |book| {
            hints.retain(|one| is_word(&one.component) || !book.is_apart(&one.component, here));
        });
    }
    hints.sort_by_key(|hint| std::cmp::Reverse(named(&hint.component, &hint.key)));
    hints.retain(|hint| location.may_tell(hint) && is_served(nudge, &location, hint));
    remind(nudge, event, &hints.iter().collect::<Vec<_>>())
}

/// Before an edit: hints whose scope names that file, and not the folder that it is in.
pub(super) fn before_edit(nudge: &Nudge, event: &Event) -> Option<Reaction> {
    let file = event.file.as_deref()?;
    let cwd = event.context.facts().cwd.as_deref().unwrap_or_default();
    let file = Path::new(cwd).join(file);
    let folder = event.context.clone().cwd(file.parent()?.to_str()?);
    let location = Location::at(&event.context.clone().cwd(file.to_str()?));
    let query = Query::new().context(&location.context);
    let found = nudge.query(query.limit(MOST_LOOKED_AT)).ok()?.hints;
    let is_named = |hint: &&Ranked| {
        let is_of_files = !hint.hint.applies(folder.facts()) && !hint.hint.is_secret();
        is_of_files && location.may_tell(hint) && is_served(nudge, &location, hint)
    };
    let named: Vec<&Ranked> = found.iter().filter(is_named).collect();
    remind(nudge, event, &named)
}

/// After a command: one that works here, is the project's own, and that no hint has.
pub(super) fn after_commands(
    nudge: &Nudge,
    event: &Event,
    location: &Location,
) -> Option<Reaction> {
    let after = event.remind_after?;
    let proven = with_client(nudge, event, |client| {
        client.take_proven(after, &location.key())
    });
    let is_new = |run: &&CommandRun| {
        let line = &run.line;
        let is_own = runs_projects(&line.words) && !line.is_pipe() && is_plain(&line.text);
        let is_known = || !same_command(nudge, location, line).is_empty();
        is_own && !is_known() && nudge.clients.lock().may_remind_of(run)
    };
    let run = proven.iter().find(is_new)?;
    let text = format!(
        "Nudge: `{}` worked here more than once, and no hint says so; nudge_set_hint keeps it for the next session",
        run.line.text
    );
    wording::fit(text).map(Reaction::said)
}

/// Tells a client of the first hints that it was not told of within the hour.
fn remind(nudge: &Nudge, event: &Event, hints: &[&Ranked]) -> Option<Reaction> {
    let now = nudge.now();
    let mut reaction = Reaction::default();
    let mut text = String::new();
    for hint in hints {
        let line = wording::how(hint, now, true);
        let Some(line) = line.filter(|line| text.len() + line.len() < MOST_BYTES) else {
            continue;
        };
        let name = display_name(hint);
        let is_new = with_client(nudge, event, |client| {
            client.may_remind(told::variant(hint), &name, now)
        }) && once(nudge, event, hint);
        if is_new {
            text += if text.is_empty() { "" } else { "\n" };
            text += &line;
            let kind = Step::of_key(&hint.key);
            told::way(nudge, event, &hint.hint.value.text(), (kind, None));
            reaction.did.push(Did::Offered(name));
        }
        if reaction.did.len() == MOST_TOLD {
            break;
        }
    }
    reaction.text = (!text.is_empty()).then_some(text);
    reaction.text.is_some().then_some(reaction)
}
