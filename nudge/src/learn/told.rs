//! What agents were told unasked, and what came of it.

use super::location::Location;
use super::runs::{Ended, folder_of};
use super::with_client;
use crate::api::answer::Ranked;
use crate::api::event::Event;
use crate::api::reaction::Reaction;
use crate::api::runs::ToldLine;
use crate::command::client::Way;
use crate::command::ending::Ending;
use crate::command::form::Form;
use crate::command::proven::parts;
use crate::command::step::Step;
use crate::model::rate_limit::print;
use crate::nudge::Nudge;
use crate::rank::prompt_block::HEADING;

/// Writes down what a host is about to pass on.
pub(super) fn note(nudge: &Nudge, event: &Event, reaction: &Reaction) {
    let what = if reaction.hold_back {
        ToldLine::HELD_BACK
    } else {
        event.event.name()
    };
    let text = reaction.text.as_deref().unwrap_or_default();
    // What says how to read the rest is none of them.
    let lines = text.lines().filter(|line| *line != HEADING.trim_end());
    write(nudge, event, what, lines.map(str::to_owned));
}

/// Only what a hook tells in a session counts: what somebody asks for, as `nudge prime` does,
/// and what `nudge doctor` tries, has none.
fn write(nudge: &Nudge, event: &Event, what: &str, lines: impl Iterator<Item = String>) {
    let (host, session) = event.client();
    let runs = nudge.runs.as_ref().filter(|_| nudge.config.keep);
    let Some(runs) = runs.filter(|_| !host.is_empty() && !session.is_empty()) else {
        return;
    };
    let row = |line| ToldLine {
        at: nudge.now(),
        repo: Location::at(&event.context).repo().map(str::to_owned),
        host: host.to_owned(),
        session: session.to_owned(),
        event: what.to_owned(),
        line,
    };
    let rows: Vec<ToldLine> = lines.map(row).collect();
    if !rows.is_empty() {
        runs.told(rows);
    }
}

/// Remembers which way a client was told, of which kind that is, and which form was held back
/// for it.
pub(super) fn way(
    nudge: &Nudge,
    event: &Event,
    command: &str,
    (kind, held): (Option<Step>, Option<&Form>),
) {
    let root = event.context.facts().root.as_deref();
    let told = parts(command).pop().and_then(|part| {
        let form = Form::of(&part.line, root);
        let location = Location::of(&event.context, &part.line)?;
        let (location, folder) = folder_of(nudge, &location, &form);
        Some(Way {
            repo: location.repo().map(str::to_owned),
            folder,
            kind: kind.or_else(|| Step::of(&form.words)),
            form: form.text(),
            held: held.map(Form::text),
        })
    });
    if let Some(told) = told {
        with_client(nudge, event, |client| client.tell(told));
    }
}

/// Sees whether what has run is what a client was told for that kind, or what it found instead
/// of a command that was held back.
pub(super) fn follow(nudge: &Nudge, event: &Event, all: &[Ended]) {
    for ended in all {
        let form = ended.form.text();
        let repo = ended.location.repo();
        let is_it = |way: &Way| way.form == form && way.folder == ended.folder;
        let is_meant = |way: &Way| {
            let is_kind = way.kind.is_some() && way.kind == ended.kind;
            way.repo.as_deref() == repo && (is_it(way) || is_kind)
        };
        let told = with_client(nudge, event, |client| client.take_ways(is_meant));
        // What was told holds no credential, which the command that ran instead may.
        let heeded = told.iter().find(|way| is_it(way)).map(|way| &way.form);
        let mut held = told.iter().filter_map(|way| way.held.as_ref());
        let stopped = held.find(|held| **held != form && ended.ending == Ending::Ok);
        for (what, command) in [(ToldLine::HEEDED, heeded), (ToldLine::STOPPED, stopped)] {
            write(nudge, event, what, command.cloned().into_iter());
        }
    }
}

/// What a variant is known by.
pub(super) fn variant(hint: &Ranked) -> u64 {
    print(&(&*hint.component, &*hint.key, hint.hint.scope()))
}
