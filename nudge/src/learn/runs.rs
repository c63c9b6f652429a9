//! Runs: what a command that has ended says about the repository that it ran in.

use std::collections::VecDeque;

use super::location::Location;
use super::{session_print, with_client};
use crate::api::event::Event;
use crate::command::book::{Book, End, Run};
use crate::command::client::Open;
use crate::command::ending::{Ending, What, endings, signature};
use crate::command::form::Form;
use crate::command::line::CommandLine;
use crate::command::programs::only_looks;
use crate::command::safety::may_be_named;
use crate::command::step::Step;
use crate::nudge::Nudge;
use crate::secret::redact;

/// Within how many commands something worked instead of what could not run, and within how many
/// something helped.
const INSTEAD_WITHIN: usize = 6;
const HELPED_WITHIN: usize = 12;

/// The longest form and error that are written down.
const LONGEST: usize = 200;

/// A command that has ended: where, what and how.
pub(super) struct Ended {
    pub(super) location: Location,
    pub(super) line: CommandLine,
    pub(super) folder: String,
    pub(super) form: Form,
    pub(super) kind: Option<Step>,
    pub(super) ending: Ending,
}

/// The folder of a form, from the root: that of the nearest manifest, except for what looks for
/// none.
pub(super) fn folder_of(nudge: &Nudge, location: &Location, form: &Form) -> (Location, String) {
    let mut location = location.clone();
    if let Some(to) = &form.folder {
        location = location.moved(to).unwrap_or(location);
    }
    let program = form.words.first().map_or("", String::as_str);
    let folder = match program {
        "make" | "gmake" | "go" => location.context.folder_below_root().to_owned(),
        _ => nudge.folder_at(&location.context),
    };
    (location, folder)
}

/// Takes the commands of an event apart that tell how they ended.
pub(super) fn ended(nudge: &Nudge, event: &Event) -> Vec<Ended> {
    let command = event.command.as_deref().unwrap_or_default();
    let root = event.context.facts().root.as_deref();
    let status = (event.worked(), event.exit_code);
    let all = endings(command, status, event.output_end(), root).into_iter();
    let all = all.filter_map(|(part, form, ending)| {
        let location = Location::of(&event.context, &part.line)?;
        let (location, folder) = folder_of(nudge, &location, &form);
        let kind = Step::of(&form.words);
        Some(Ended {
            location,
            line: part.line,
            folder,
            form,
            kind,
            ending,
        })
    });
    all.collect()
}

/// Remembers how commands ended, what worked instead and what helped.
pub(super) fn record(nudge: &Nudge, event: &Event, all: &[Ended]) {
    // A part of a line may not tell that the word in it is a password, which the whole does.
    if !is_clean(nudge, event.command.as_deref().unwrap_or_default()) {
        return;
    }
    let session = session_print(event);
    let error = error_of(event);
    for ended in all {
        let text = ended.form.text();
        let Some(repo) = ended.location.book(nudge) else {
            continue;
        };
        if only_looks(&ended.form.words) || text.len() > LONGEST || !is_clean(nudge, &text) {
            continue;
        }
        let run = Run {
            folder: ended.folder.clone(),
            form: text.clone(),
            id: ended.form.id(),
            kind: ended.kind.map(|kind| kind.name().to_owned()),
            instead: None,
            ends: VecDeque::new(),
        };
        let end = End {
            at: nudge.now(),
            session,
            branch: ended.location.branch_print(),
            ending: ended.ending.clone(),
            stamp: match &ended.ending {
                Ending::CouldNotRun(missing) => {
                    stamp_of(nudge, event, missing.what, &ended.location, &ended.form)
                }
                _ => None,
            },
        };
        let mut open = with_client(nudge, event, |client| std::mem::take(&mut client.open));
        nudge.with_book(repo, |book| {
            book.note_session(session, run.kind.as_deref());
            book.note(run, end);
            close(book, &mut open, (repo, ended, &text), session);
        });
        let failed = matches!(ended.ending, Ending::Failed | Ending::CouldNotRun(_));
        let error = error
            .clone()
            .unwrap_or_else(|| format!("form {} {text}", ended.folder));
        if failed && is_clean(nudge, &error) {
            open.push(Open {
                repo: repo.to_owned(),
                folder: ended.folder.clone(),
                form: text,
                kind: ended.kind,
                error,
                could_not_run: matches!(ended.ending, Ending::CouldNotRun(_)),
                since: 0,
                between: Vec::new(),
                is_edited: false,
            });
        }
        with_client(nudge, event, |client| client.open = open);
    }
}

/// Whether a text may be written down: it holds nothing that the guard would refuse, and no
/// secret of the user's.
fn is_clean(nudge: &Nudge, text: &str) -> bool {
    redact(text) == text && !nudge.has_secret_in(text)
}

/// What an event's error is known by.
pub(super) fn error_of(event: &Event) -> Option<String> {
    signature(event.output_end()).filter(|error| error.len() <= LONGEST)
}

/// What shows that the cause may be gone when it is asked for again.
pub(super) fn stamp_of(
    nudge: &Nudge,
    event: &Event,
    what: What,
    location: &Location,
    form: &Form,
) -> Option<String> {
    match what {
        What::Subcommand | What::Flag => {
            let program = form.words.first()?;
            event.programs.as_ref()?.get(program).cloned()
        }
        What::Runner => nudge.ground_of(&location.context),
        What::Program | What::Script => None,
    }
}

/// Looks at what failed before in a session, in the light of what has ended now.
fn close(
    book: &mut Book,
    open: &mut Vec<Open>,
    (repo, ended, text): (&str, &Ended, &str),
    session: u64,
) {
    open.retain_mut(|failure| {
        failure.since += 1;
        if failure.repo != repo {
            return failure.since < HELPED_WITHIN;
        }
        let is_same = failure.form == text && failure.folder == ended.folder;
        match (&ended.ending, is_same) {
            (Ending::Ok, true) => {
                let helped = if failure.is_edited {
                    &[]
                } else {
                    &failure.between[..]
                };
                book.note_helped(&failure.error, session, helped);
                return false;
            }
            (Ending::Failed | Ending::CouldNotRun(_), true) => return false,
            (Ending::Ok, false) if may_be_named(text, &failure.form) => {
                let is_early = failure.since <= INSTEAD_WITHIN && failure.could_not_run;
                // A lint that goes well says nothing about how to test.
                let is_instead = match (failure.kind, ended.kind) {
                    (Some(one), Some(other)) => one == other,
                    _ => shares(&failure.form, text),
                };
                if is_early && failure.folder == ended.folder && is_instead {
                    book.note_instead(&failure.folder, &failure.form, text);
                    book.note_helped(&failure.error, session, &[text.to_owned()]);
                    return false;
                }
                failure.between.push(text.to_owned());
            }
            _ => {}
        }
        failure.since < HELPED_WITHIN
    });
}

/// Whether two commands share at least half of the words of both.
fn shares(one: &str, other: &str) -> bool {
    let common = one
        .split(' ')
        .filter(|word| other.split(' ').any(|known| known == *word));
    let longest = one.split(' ').count().max(other.split(' ').count());
    common.count() * 2 >= longest
}
