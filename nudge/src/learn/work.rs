//! Work in hand: what hooks see of it, and how an agent is told.

use std::collections::BTreeMap;
use std::path::Path;

use chrono::{DateTime, Utc};

use super::location::Location;
use super::wording::MOST_BYTES;
use crate::api::caller::Caller;
use crate::api::context_sets::{ContextSets, GetContext, OthersWork};
use crate::api::event::Event;
use crate::command::client::CommandRun;
use crate::command::step::Step;
use crate::hint::told::{is_name, is_plain};
use crate::hint::working_set::{FAILED, FILES, INTENT, LAST_COMMAND, WORKED, WorkingSet};
use crate::model::host::known_by;
use crate::model::name::Name;
use crate::model::time::Age;
use crate::nudge::Nudge;
use crate::scope::context::{Context, Facts};
use crate::scope::path::normalize;
use crate::write::context_sets::{checked, merge};
use crate::write::plan::WriteContext;

/// How many items of a set are listed where there is room.
const MOST_ITEMS: usize = 5;

/// How many characters of what somebody else is at are quoted.
const MOST_INTENT: usize = 80;

/// How many others are told of when a session starts.
const MOST_OTHERS: usize = 3;

/// Notes a file that a session changes.
pub(super) fn edits(nudge: &Nudge, by: &Caller<'_>, event: &Event) {
    let cwd = event.context.facts().cwd.as_deref().unwrap_or_default();
    let file = event.file.as_deref().map(|file| Path::new(cwd).join(file));
    if let Some(file) = file.as_deref().and_then(Path::to_str) {
        // As folders are written, or it is not seen to be below one on Windows.
        note(nudge, by, event, FILES, normalize(file));
    }
}

/// Notes the last command that takes a step, and how it ended: whoever looks around is not
/// done with anything.
pub(super) fn ran(nudge: &Nudge, by: &Caller<'_>, event: &Event, run: &CommandRun) {
    let text = &run.line.text;
    if Step::of(&run.line.words).is_some() && text.len() <= MOST_BYTES {
        let ending = if run.worked { WORKED } else { FAILED };
        let location = Location::of(&event.context, &run.line);
        let folder = location.as_ref().map(|at| at.context.folder_below_root());
        let folder = folder.filter(|folder| !folder.is_empty());
        let place = folder.map(|folder| format!(" in {folder}"));
        let item = format!("`{text}`{}{ending}", place.unwrap_or_default());
        note(nudge, by, event, LAST_COMMAND, item);
    }
}

/// Adds an item to what an event's session works on. Where that cannot be, nothing is lost that
/// anybody said.
fn note(nudge: &Nudge, by: &Caller<'_>, event: &Event, set: &str, item: String) {
    let Some(by) = owner(nudge, by, event) else {
        return;
    };
    let name = Name::from(set);
    let _ = nudge.write(&by, |on| {
        let items = checked(&name, vec![item.into()], "sets", on.config)?;
        let mut after = on.working_set(None);
        merge(&mut after, &name, items, &mut BTreeMap::new());
        Ok((on.works_on(after).into_iter().collect(), ()))
    });
}

/// Marks that a session has ended. What an earlier one left here was for this one.
pub(super) fn ends(nudge: &Nudge, by: &Caller<'_>, event: &Event) {
    let Some(by) = owner(nudge, by, event) else {
        return;
    };
    let _ = nudge.write(&by, |on: WriteContext<'_>| {
        let mut own = on.working_set(None);
        if own.is_empty() {
            return Ok((Vec::new(), ()));
        }
        own.ended = true;
        let is_left = |known: &&WorkingSet| {
            let is_others = known.repo == own.repo && !known.has_owner_of(&own);
            is_others && known.told && known.is_over(on.now)
        };
        let left = on.store.working_sets().map(|known| &**known);
        let gone = left.filter(is_left).map(WorkingSet::emptied);
        let gone = gone.chain([own.clone()]);
        Ok((gone.filter_map(|set| on.works_on(set)).collect(), ()))
    });
}

impl Nudge {
    /// Marks that a host is gone from a repository, however it went: its sessions there have
    /// ended, and are no more told of as at work. One that speaks again is there again.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Caller, Context, GetContext, Nudge, SetContext};
    ///
    /// let (nudge, here) = (Nudge::default(), Context::new().repo("git:acme/api"));
    /// let codex = Caller::agent("codex/1").session("s1").repo("git:acme/api");
    /// nudge.ask(&codex, SetContext::new("intent", ["fix it"]))?;
    /// nudge.host_left("codex", &here);
    /// let told = nudge.get_context(GetContext::default().context(&here))?;
    /// assert!(told.others[0].ended);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn host_left(&self, host: &str, context: &Context) {
        let Some(repo) = context.facts().repo() else {
            return;
        };
        // Where that cannot be written, they have ended after some silence.
        let is_its = |known: &WorkingSet| {
            let is_here = known.repo.as_deref() == Some(repo) && known.session.is_some();
            is_here && !known.ended && known.client.as_deref().map(known_by) == Some(host)
        };
        mark(self, &Caller::agent(host), is_its, |set| set.ended = true);
    }
}

/// Marks some of what is being worked on.
fn mark(
    nudge: &Nudge,
    by: &Caller<'_>,
    is_meant: impl Fn(&WorkingSet) -> bool,
    change: impl Fn(&mut WorkingSet),
) {
    let _ = nudge.write(by, |on: WriteContext<'_>| {
        let meant = on.store.working_sets().filter(|known| is_meant(known));
        let marked = meant.filter_map(|known| {
            let mut after = WorkingSet::clone(known);
            change(&mut after);
            on.works_on(after)
        });
        Ok((marked.collect(), ()))
    });
}

/// Whose work an event is about: that of a session in a repository.
fn owner<'a>(nudge: &Nudge, by: &Caller<'a>, event: &'a Event) -> Option<Caller<'a>> {
    let repo = event.context.facts().repo()?;
    let mut owner = event.caller(by, Some(repo));
    // It follows from the event, and may be made again.
    owner.request = None;
    let is_recorded = owner.session.is_some() && nudge.knows_root(&event.context);
    is_recorded.then_some(owner)
}

/// What a session that starts is told in so many bytes: what it works on, then what others do.
pub(super) fn told(nudge: &Nudge, by: &Caller<'_>, event: &Event, room: usize) -> String {
    let facts = event.context.facts();
    let repo = facts.repo();
    let get = GetContext::default().context(&event.context);
    let now = nudge.working_on(&event.caller(by, repo), &get);
    let mut now = now.unwrap_or_default();
    // Others are told of only where both are surely in one place.
    let others = if repo.is_some() { MOST_OTHERS } else { 0 };
    now.others.truncate(others);
    let mut texts = (0..=MOST_ITEMS)
        .rev()
        .map(|count| lines(&now, facts, nudge.now(), count));
    let text = texts.find(|text| text.len() <= room).unwrap_or_default();
    if !text.is_empty() {
        note_told(nudge, by, event, &now.others);
    }
    text
}

/// Notes that a session was told what others left, so that it is the only one.
fn note_told(nudge: &Nudge, by: &Caller<'_>, event: &Event, others: &[OthersWork]) {
    let left: Vec<&OthersWork> = others.iter().filter(|other| other.ended).collect();
    let Some(by) = owner(nudge, by, event).filter(|_| !left.is_empty()) else {
        return;
    };
    let is_told = |known: &WorkingSet| {
        let mut left = left.iter();
        left.any(|other| (other.at, &other.client) == (known.at, &known.client))
    };
    mark(nudge, &by, is_told, |set| set.told = true);
}

fn lines(sets: &ContextSets, facts: &Facts, now: DateTime<Utc>, count: usize) -> String {
    let line = |start: String, sets, gone, is_own| {
        let list = listed((sets, gone), facts, (count, is_own))?;
        Some(format!("{start}: {list}\n"))
    };
    let own = line("Working on".to_owned(), &sets.sets, &sets.gone, true);
    let others = sets.others.iter().filter_map(|other| {
        let OthersWork { ended, client, .. } = other;
        let who = client.as_deref().map(known_by);
        let who = who.filter(|who| is_name(who)).unwrap_or("somebody");
        let who = if other.is_users { "the user" } else { who };
        let age = Age::of(other.at, now);
        let start = if *ended {
            format!("Left unfinished by {who}, {age} ago")
        } else {
            format!("Also at work here, {who}, {age} ago")
        };
        line(start, &other.sets, &other.gone, false)
    });
    own.into_iter().chain(others).collect()
}

/// The sets in one line, with the newest items of each in their order: first what it is all for,
/// last how that went, if it failed. Agents wrote them: what could pass for more than an item is
/// only counted, and what somebody else is at is quoted.
fn listed(
    (sets, gone): (&BTreeMap<Name, Vec<String>>, &BTreeMap<Name, usize>),
    facts: &Facts,
    (count, is_own): (usize, bool),
) -> Option<String> {
    let root = facts.root.as_deref().map(|root| format!("{root}/"));
    let set = |(name, items): (&Name, &Vec<String>)| {
        let has_worked = |item: &str| *name == *LAST_COMMAND && item.ends_with(WORKED);
        let plain = items.iter().filter(|item| is_plain(item));
        let plain: Vec<&String> = plain.filter(|item| !has_worked(item)).collect();
        if plain.is_empty() && items.iter().any(|item| has_worked(item)) {
            return None;
        }
        let newest = &plain[plain.len().saturating_sub(count)..];
        let more = items.len() - newest.len();
        let below = |item: &&String| {
            let below = root.as_deref().and_then(|root| item.strip_prefix(root));
            let below = below.unwrap_or(item);
            if is_own || *name != *INTENT {
                return below.to_owned();
            }
            let cut: String = below.chars().take(MOST_INTENT).collect();
            format!("\"{}\"", cut.replace('"', "'"))
        };
        let left = if newest.is_empty() {
            "not shown"
        } else {
            "more"
        };
        let more = (more > 0).then(|| format!("{more} {left}"));
        let all: Vec<String> = newest.iter().map(below).chain(more).collect();
        is_plain(name).then(|| format!("{} {}", name.replace('_', " "), all.join(", ")))
    };
    let mut names: Vec<&Name> = sets.keys().collect();
    names.sort_by_key(|name| match name.as_str() {
        INTENT => 0,
        LAST_COMMAND => 2,
        _ => 1,
    });
    let parts = names
        .into_iter()
        .filter_map(|name| set((name, &sets[name])));
    let missing =
        |(name, gone): (&Name, &usize)| is_plain(name).then(|| format!("{name} not there: {gone}"));
    let parts: Vec<String> = parts.chain(gone.iter().filter_map(missing)).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}
