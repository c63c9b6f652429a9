//! Pitfalls: what is known not to run here, said once before it is run again.

use chrono::{DateTime, Utc};

use super::location::Location;
use super::runs::{folder_of, stamp_of};
use super::{session_print, told, with_client, wording};
use crate::api::event::{Event, HoldBack};
use crate::api::reaction::Reaction;
use crate::command::book::Book;
use crate::command::ending::What;
use crate::command::form::Form;
use crate::command::pitfall::Pitfall;
use crate::command::proven::{decides, parts};
use crate::command::safety::{is_plain_command, may_be_named};
use crate::command::step::Step;
use crate::model::rate_limit::print;
use crate::model::time::Age;
use crate::nudge::Nudge;

/// A pitfall rests in the tenth session since it was last run, and every tenth after that, so that
/// a change can be seen. One that fails in session after session is seen to fail, and never rests.
const RESTS: usize = 10;

/// How many pitfalls are told at a start, of those that so many of the last sessions ran into.
const AT_START: usize = 2;
const OF_SESSIONS: usize = 10;
const IN_SESSIONS: usize = 2;

/// What is known of a form that cannot run.
struct Warning {
    pitfall: Pitfall,
    /// What works.
    instead: Option<String>,
    /// All that in words.
    text: String,
}

/// What is said before a command that is known not to run, or why it is held back.
pub(super) fn before(nudge: &Nudge, event: &Event) -> Option<Reaction> {
    let command = event.command.as_deref()?;
    let root = event.context.facts().root.as_deref();
    parts(command).into_iter().find_map(|part| {
        let location = Location::of(&event.context, &part.line)?;
        let form = Form::of(&part.line, root);
        let (location, folder) = folder_of(nudge, &location, &form);
        let warning = warning(nudge, event, (&location, &folder), &form)?;
        let is_held = event.hold_back.is_some() && warning.is_certain() && decides(command, &part);
        let held = is_held.then(|| warning.held_back(nudge.now())).flatten();
        let hold_back = held.is_some();
        if event.hold_back == Some(HoldBack::Only) && !hold_back {
            return None;
        }
        let text = held.or_else(|| wording::fit(format!("Nudge: {}", warning.text)))?;
        let is_new = with_client(nudge, event, |client| {
            client.warned.insert(print(&form.text()))
        });
        is_new.then(|| {
            if let Some(instead) = &warning.instead {
                let of = (Step::of(&form.words), hold_back.then_some(&form));
                told::way(nudge, event, instead, of);
            }
            Reaction {
                hold_back,
                ..Reaction::said(text)
            }
        })
    })
}

impl Warning {
    /// Whether nothing but the command itself is the cause, more than once, and something works.
    fn is_certain(&self) -> bool {
        let is_own = self.pitfall.what != What::Runner;
        is_own && self.pitfall.sessions.len() >= IN_SESSIONS && self.instead.is_some()
    }

    /// Why a command is held back: hosts say only that it was refused.
    fn held_back(&self, now: DateTime<Utc>) -> Option<String> {
        let ago = Age::of(self.pitfall.at, now);
        wording::fit(format!(
            "Nudge held this back once: {}. It last failed {ago} ago; run it again to run it anyway",
            self.text
        ))
    }
}

fn warning(
    nudge: &Nudge,
    event: &Event,
    (location, folder): (&Location, &str),
    form: &Form,
) -> Option<Warning> {
    let session = session_print(event);
    let repo = location.book(nudge)?;
    let text = form.text();
    let (pitfall, times, instead, rests) = nudge.with_book(repo, |book| {
        let all = book.pitfalls(nudge.now());
        let pitfall = all
            .into_iter()
            .find(|known| known.fits(folder, &form.words))?;
        let instead = way_out(book, folder, form, pitfall.words.len());
        let times = book.times(folder, &text, nudge.now());
        book.note_session(session, None);
        let since = book.sessions_after(&pitfall.sessions);
        let by_chance = || print(&(session, &pitfall.words)) % RESTS as u64 == 0;
        let rests = since.map_or_else(by_chance, |since| since % RESTS == RESTS - 1);
        Some((pitfall, times, instead, rests))
    })?;
    let is_seen = pitfall.sessions.contains(&session);
    if is_seen || rests || is_over(nudge, event, location, form, &pitfall) {
        return None;
    }
    let text = if times > 0 {
        sentence(&text, (times, ""), instead.as_deref())?
    } else {
        // It never ran itself; what it needs did, and could not.
        let known = pitfall.words.join(" ");
        let known = sentence(&known, (pitfall.sessions.len(), ""), instead.as_deref())?;
        is_plain_command(&text).then(|| format!("`{text}` cannot run: {known}"))?
    };
    Some(Warning {
        pitfall,
        instead,
        text,
    })
}

/// What works where a form could not run for its first words: what did then, or what is left of
/// it where that works by itself.
pub(super) fn way_out(book: &Book, folder: &str, form: &Form, words: usize) -> Option<String> {
    let text = form.text();
    let own = book.run(folder, &text);
    let own = own.and_then(|run| run.instead.clone());
    let left = form.words.get(words.saturating_sub(1)..);
    let left = left.unwrap_or_default().join(" ");
    let left = Some(left).filter(|left| *left != text && book.worked(folder, left));
    let way = own.or(left);
    way.filter(|way| may_be_named(way, &text))
}

/// One sentence, composed here: `x` could not run, where, and what worked.
fn sentence(form: &str, (sessions, below): (usize, &str), instead: Option<&str>) -> Option<String> {
    let sessions = match sessions {
        1 => "an earlier session".to_owned(),
        count => format!("{count} sessions"),
    };
    let (place, there) = match below {
        "" => ("here".to_owned(), ""),
        folder => (format!("in {folder}"), " there"),
    };
    let worked = instead.map_or_else(String::new, |it| format!("; `{it}` worked{there}"));
    let is_plain = is_plain_command(form) && (below.is_empty() || is_plain_command(below));
    is_plain.then(|| format!("`{form}` could not run in {sessions} {place}{worked}"))
}

/// Whether what was missing is there again, or may be: then the next run tells.
fn is_over(
    nudge: &Nudge,
    event: &Event,
    location: &Location,
    form: &Form,
    pitfall: &Pitfall,
) -> bool {
    match pitfall.what {
        What::Program => {
            let known = event.programs.as_ref().zip(pitfall.words.last());
            known.is_some_and(|(on_path, program)| on_path.contains_key(program))
        }
        What::Script => !nudge.anchors_of(&location.context, &form.text()).is_empty(),
        What::Subcommand | What::Flag | What::Runner => {
            let now = stamp_of(nudge, event, pitfall.what, location, form);
            now.is_some() && pitfall.stamp.is_some() && now != pitfall.stamp
        }
    }
}

/// What a session that starts is told: what others ran into here lately. What is said already is
/// not said again.
pub(super) fn at_start(nudge: &Nudge, event: &Event, said: &str) -> String {
    let location = Location::at(&event.context);
    let Some(repo) = location.book(nudge) else {
        return String::new();
    };
    let told = nudge.with_book(repo, |book| {
        let lately: Vec<u64> = book.last_sessions(OF_SESSIONS).collect();
        let recent = |known: &Pitfall| {
            let sessions = known.sessions.iter();
            sessions.filter(|session| lately.contains(session)).count()
        };
        let mut all = book.pitfalls(nudge.now());
        all.retain(|known| recent(known) >= IN_SESSIONS);
        all.sort_by_key(|known| std::cmp::Reverse(recent(known)));
        all
    });
    let here = location.context.folder_below_root();
    let lines = told.iter().filter_map(|known| {
        let form = Form {
            words: known.form.split(' ').map(str::to_owned).collect(),
            folder: None,
        };
        // What is so elsewhere is no news here.
        let below = if folder_of(nudge, &location, &form).1 == known.tried_in {
            ""
        } else if here.is_empty() {
            &*known.tried_in
        } else {
            known.tried_in.strip_prefix(here)?.strip_prefix('/')?
        };
        let there = location.moved(below).unwrap_or_else(|| location.clone());
        if is_over(nudge, event, &there, &form, known) {
            return None;
        }
        let instead = known.instead.clone();
        let instead = instead.filter(|it| !said.contains(&**it) && may_be_named(it, &known.form));
        let line = sentence(&known.form, (known.times, below), instead.as_deref())?;
        let begin = if said.is_empty() { "Nudge:" } else { "-" };
        wording::fit(format!("{begin} {line}")).map(|line| line + "\n")
    });
    lines.take(AT_START).collect()
}
