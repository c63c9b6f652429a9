//! How each answer reads for people. Appendix B of the specification is the model.

use std::borrow::Cow;
use std::sync::Arc;

use nudge::{
    Bumped, Clock, Components, Deleted, Found, Hint, HintMatch, HintSet, HintValue, Imported,
    Lifetime, Name, Ranked, SystemClock,
};
use serde::Deserialize;

use super::failure::{conditions, describe_scope, misses};
use super::lifetime::{lifetime, place, reasons};
use super::output::{Exit, Page};
use super::proposals::proposed;
use crate::wire::escape::{shown, shown_lines};

/// What stands for a value: its text, or a mask.
pub(crate) fn value(hint: &Hint) -> String {
    shown(&hint.shown()).into_owned()
}

pub(crate) fn scope(hint: &Hint) -> String {
    describe_scope(&hint.scope())
}

/// Who says so, in a word.
pub(crate) fn who(hint: &Hint) -> String {
    let who = hint.told_by();
    shown(who.split(',').next().unwrap_or_default()).into_owned()
}

/// A component and a key as Nudge prints them.
pub(crate) fn slot(component: &str, key: &str) -> String {
    format!("{}/{}", shown(component), shown(key))
}

/// A hint in one line: its names, its value, and where it applies; the names alone of one
/// that is gone.
pub(crate) fn named(component: &Name, key: &Name, hint: Option<&Arc<Hint>>) -> String {
    let name = slot(component, key);
    match hint {
        Some(hint) if hint.scope().is_some() => {
            format!("{name}: {} ({})", value(hint), scope(hint))
        }
        Some(hint) => format!("{name}: {}", value(hint)),
        None => name,
    }
}

pub(crate) fn count(number: usize, thing: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{s}")
}

fn stays(number: usize, thing: &str) -> String {
    let stay = if number == 1 { "stays" } else { "stay" };
    format!("{} {stay}", count(number, thing))
}

/// What was set, where, and what was there; all that is known about it, where that is asked for.
pub(crate) fn hint_set(page: &mut Page, set: &HintSet, is_verbose: bool) -> Exit {
    if let Some(proposal) = &set.proposal {
        proposed(page, &set.hint, proposal);
        return Exit::Done;
    }
    let hint = &set.hint;
    let name = slot(&set.component, &set.key);
    if is_verbose {
        page.done(&format!("upserted hint {name} (v{})", hint.version));
        page.line(&format!("  score base: {}", score_base(hint)));
    } else {
        let replaced = set.replaced.as_ref().map(HintValue::text);
        let was = replaced.map(|was| format!(" (was: {})", shown(&was)));
        let (place, value, was) = (place(hint.scope()), value(hint), was.unwrap_or_default());
        page.done(&format!("set {name} {place}{}: {value}{was}", beside(hint)));
    }
    if set.variants > 1 {
        page.line(&format!("  one of {}", count(set.variants, "variant")));
    }
    if hint.is_secret() {
        page.line("  marked as secret: masked, and left out of exports");
    }
    if let Some(note) = &set.note {
        page.line(&format!("  {}", shown(note)));
    }
    Exit::Done
}

/// The conditions of a hint beside its place, as they are typed.
fn beside(hint: &Hint) -> String {
    let mut scope = hint.scope().cloned().unwrap_or_default();
    if scope.repo.take().is_none() {
        scope.cwd_glob = None;
    }
    if scope == nudge::Scope::default() {
        return String::new();
    }
    format!(" ({})", describe_scope(&scope))
}

/// What a hint is ranked by, in the words of the specification.
fn score_base(hint: &Hint) -> String {
    let meta = &hint.meta;
    let mut base = vec![format!("priority={}", meta.priority.unwrap_or(5))];
    let confidence = meta.confidence;
    base.extend(confidence.map(|it| format!("confidence={it}")));
    if !meta.tags.is_empty() {
        let tags: Vec<_> = meta.tags.iter().map(|tag| shown(tag)).collect();
        base.push(format!("tags={}", tags.join(",")));
    }
    base.push(match (&meta.ttl, hint.lifetime) {
        (_, Lifetime::Kept) => "ttl=kept".to_owned(),
        (Some(ttl), _) => format!("ttl={ttl}"),
        (None, _) => "ttl=session".to_owned(),
    });
    let conditions = conditions(&hint.scope());
    let scope = match &*conditions {
        [] => "everywhere".to_owned(),
        conditions => conditions.join(","),
    };
    base.push(format!("scope={scope}"));
    base.join(" ")
}

/// The value and one line of why, or everything.
pub(crate) fn hint_match(page: &mut Page, found: &HintMatch, is_verbose: bool) -> Exit {
    let (hint, reasons) = (&found.hint, reasons(&found.match_explain, &found.hint));
    if is_verbose {
        page.line(&format!("value: {}", value(hint)));
        for line in about(hint) {
            page.line(&line);
        }
        if hint.expires_at.is_some() {
            let life = lifetime(hint, SystemClock.now());
            page.line(&format!("lifetime: {life}"));
        }
        page.line("match:");
        page.line(&format!("  score: {:.4}", found.match_explain.score));
        page.line("  reasons:");
        for reason in reasons {
            page.line(&format!("    - {reason}"));
        }
    } else {
        page.line(&shown_lines(&hint.shown()));
        // Nobody has set it: the project's own files say so.
        let found = hint.found_in().map(|_| "found, not set".into());
        let is_plain =
            |line: &String| ["type: command", "type: path", "type: json"].contains(&line.as_str());
        let about = about(hint).into_iter().filter(|line| !is_plain(line));
        let about = about.map(Into::into);
        let reasons = reasons.into_iter().map(Cow::from);
        let why: Vec<Cow<'_, str>> = found.into_iter().chain(about).chain(reasons).collect();
        page.dim(&format!("  {}", why.join("; ")));
    }
    if !found.alternatives.is_empty() {
        page.line("alternatives:");
    }
    for other in &found.alternatives {
        let (score, place) = (other.score, scope(&other.hint));
        page.line(&format!("  - {}", value(&other.hint)));
        page.line(&format!("      score: {score:.4}, scope: {place}"));
    }
    Exit::Done
}

/// What is worth knowing about a value beside its text.
fn about(hint: &Hint) -> Vec<String> {
    let mut lines = Vec::new();
    match &hint.value {
        HintValue::Text(_) => {}
        HintValue::Command(command) => {
            let shell = serde_json::to_value(command.shell).unwrap_or_default();
            let shell = shell.as_str().map(|shell| format!(" for {shell}"));
            lines.push(format!("type: command{}", shell.unwrap_or_default()));
        }
        HintValue::Path(_) => lines.push("type: path".to_owned()),
        HintValue::Template(template) => {
            let format = serde_json::to_value(template.format).unwrap_or_default();
            let format = format.as_str().unwrap_or_default();
            lines.push(format!("type: template ({format})"));
            let defaults = template.defaults.iter().filter(|_| !hint.is_secret());
            lines.extend(defaults.map(|(name, value)| format!("{}={}", shown(name), shown(value))));
        }
        HintValue::Json(_) => lines.push("type: json".to_owned()),
    }
    let reason = hint.meta.reason.as_ref();
    lines.extend(reason.map(|reason| format!("reason: {}", shown(reason))));
    lines
}

/// Hints with why they come in this order, or with where they apply.
pub(crate) fn ranked(page: &mut Page, hints: &[Ranked], anywhere: bool) {
    for ranked in hints {
        let name = slot(&ranked.component, &ranked.key);
        let (score, value) = (ranked.score, value(&ranked.hint));
        page.line(&format!("{score:.4} {name}: {value}"));
        let reasons = if anywhere {
            vec![shown(&scope(&ranked.hint)).into_owned()]
        } else {
            reasons(&ranked.match_explain, &ranked.hint)
        };
        page.dim(&format!("       {}", reasons.join("; ")));
    }
}

pub(crate) fn found(page: &mut Page, found: &Found, anywhere: bool) -> Exit {
    ranked(page, &found.hints, anywhere);
    if found.total == 0 {
        page.line("nothing that applies here matches");
    } else if found.total > found.hints.len() {
        let (shown, total) = (found.hints.len(), found.total);
        let flag = ["limit", "max-tokens"][usize::from(found.left_out > 0)];
        page.line(&format!("{shown} of {total}; `--{flag}` shows more"));
    }
    let nearest: Vec<_> = found.nearest.iter().map(|name| shown(name)).collect();
    if !nearest.is_empty() {
        let nearest = nearest.join("`, `");
        page.line(&format!("the nearest that exist: `{nearest}`"));
    }
    for away in found.ineligible.iter().flatten() {
        let name = slot(&away.component, &away.key);
        page.line(&format!("out of scope: {name}"));
        misses(page, away, "  ");
    }
    if found.scoped_out > 0 && found.ineligible.is_none() {
        let more = count(found.scoped_out, "hint");
        let why = "`--include-ineligible` shows why";
        page.line(&format!("{more} out of scope here; {why}"));
    }
    Exit::found(found.total > 0)
}

pub(crate) fn components(page: &mut Page, listed: &Components, asked: Option<&str>) -> Exit {
    for component in &listed.components {
        if let Some(keys) = &component.keys {
            // Of a pattern nobody knows by heart what it stands for.
            let is_named = asked.is_some_and(|asked| asked == &*component.name || asked == ".");
            let owner = format!("{}/", shown(&component.name));
            let owner = if is_named { "" } else { &owner };
            for key in keys {
                page.line(&format!("{owner}{}", shown(key)));
            }
        } else {
            let hints = count(component.hint_count, "hint");
            page.line(&format!("{} ({hints})", shown(&component.name)));
        }
    }
    if listed.components.is_empty() {
        return nothing_listed(page, asked);
    }
    Exit::Done
}

/// That there is nothing to list, in a component or at all.
pub(crate) fn nothing_listed(page: &mut Page, asked: Option<&str>) -> Exit {
    match asked {
        None => page.line("no hints yet; add one with `nudge set COMPONENT KEY VALUE`"),
        Some(asked) => {
            let asked = shown(asked);
            page.line(&format!("no component `{asked}`; `nudge ls` lists them"));
        }
    }
    Exit::Nothing
}

pub(crate) fn deleted(page: &mut Page, deleted: &Deleted, is_all: bool) -> Exit {
    if let (Some(proposal), [hint, ..]) = (&deleted.proposal, &deleted.previous[..]) {
        proposed(page, hint, proposal);
        return Exit::Done;
    }
    let name = slot(&deleted.component, &deleted.key);
    let several = match deleted.previous.len() {
        1 => String::new(),
        number => format!(", {}", count(number, "variant")),
    };
    page.done(&format!("deleted {name}{several}"));
    for hint in &deleted.previous {
        let (value, version, place) = (value(hint), hint.version, scope(hint));
        page.dim(&format!("  was: {value} (v{version}, {place})"));
    }
    if deleted.remaining > 0 {
        let others = stays(deleted.remaining, "other variant");
        let too = "; `--everywhere` deletes those too";
        page.dim(&format!("  {others}{}", if is_all { too } else { "" }));
    }
    Exit::Done
}

/// What a write that means many leaves as it is.
pub(crate) fn elsewhere(page: &mut Page, left: usize, name: &str) {
    if left > 0 {
        let hints = format!("{} of `{}`", count(left, "more hint"), shown(name));
        let words = "for other places or for all; `--everywhere` takes those too";
        page.dim(&format!("left alone: {hints}, {words}"));
    }
}

pub(crate) fn bumped(page: &mut Page, bumped: &Bumped, has_failed: bool) -> Exit {
    if bumped.counted == 0 {
        page.line("not counted: an agent counts once in ten minutes");
    } else if has_failed {
        let fails = bumped.hint.fail_count;
        let words = format!("counted a failure: fail_count={fails} last_failed_at=now");
        page.marked("↓", &words);
    } else {
        let uses = bumped.use_count;
        let words = format!("bumped frecency: use_count={uses} last_used_at=now");
        page.marked("↑", &words);
    }
    Exit::Done
}

pub(crate) fn imported(page: &mut Page, imported: &Imported, dry_run: bool) -> Exit {
    let done = if dry_run { "would import" } else { "imported" };
    let (hints, skipped) = (count(imported.imported, "hint"), imported.skipped);
    let line = format!("{done} {hints}, skipped {skipped}");
    // What is equal, older or expired is no problem.
    let is_whole = imported.problems.is_empty();
    if is_whole {
        page.done(&line);
    } else {
        page.line(&line);
    }
    for problem in &imported.problems {
        let (name, why) = (slot(&problem.component, &problem.key), &problem.reason);
        page.line(&format!("  {name}: {} ({why})", shown(&problem.message)));
    }
    if is_whole { Exit::Done } else { Exit::Refused }
}

/// What a server that ends says of its session; one that was ended says nothing.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Stopped {
    ended: usize,
    secrets: usize,
    kept: Option<usize>,
    until: usize,
}

pub(crate) fn stopped(page: &mut Page, stopped: &Stopped, purged: bool) -> Exit {
    let Stopped { ended, secrets, .. } = *stopped;
    let gone = match (ended, purged) {
        (0, _) => String::new(),
        (_, true) => format!(", {ended} of this session deleted for good"),
        (_, false) if ended == secrets => format!(", {ended} of this session ended"),
        (_, false) => format!(", {ended} of this session ended (nudge restore)"),
    };
    // Those with a time of their own are not kept.
    let thing = ["kept hint", "hint"][usize::from(stopped.until > 0)];
    let stays = stopped.kept.map(|kept| stays(kept, thing));
    let stays = stays.map(|stays| format!("; {stays}{gone}"));
    page.done(&format!("stopped{}", stays.unwrap_or_default()));
    if secrets > 0 && !purged {
        let secrets = count(secrets, "secret");
        page.dim(&format!("  {secrets} cannot be brought back"));
    }
    Exit::Done
}
