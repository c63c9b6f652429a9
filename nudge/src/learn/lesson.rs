//! Learning: a command that a hook saw succeed becomes the hint of its kind for its folder.

use std::sync::Arc;

use chrono::TimeDelta;

use super::location::Location;
use crate::api::caller::Caller;
use crate::api::reach::Reach;
use crate::api::reaction::Did;
use crate::api::set_hint::{MetaPatch, Patch, SetHint};
use crate::command::breadth::{Breadth, is_qualified, is_with_more_flags, learnable};
use crate::command::form::Form;
use crate::command::line::CommandLine;
use crate::command::step::Step;
use crate::hint::mark::Mark;
use crate::hint::{Command, Hint, HintMeta, HintValue};
use crate::model::anchor::Anchor;
use crate::model::error::Error;
use crate::model::name::Name;
use crate::model::scope::Scope;
use crate::nudge::Nudge;
use crate::scope::component::component_at;
use crate::scope::context::Context;
use crate::scope::glob::escape;
use crate::store::change::ChangeKind;
use crate::write::plan::WriteContext;

/// How many hints are learned for one repository.
pub(super) const MOST_LEARNED: usize = 50;

/// For how long a spelling stands against a longer one that works.
const SPELT: TimeDelta = TimeDelta::days(10);

/// What a successful command may teach.
struct Lesson<'a> {
    /// The slot.
    names: (Name, Name),
    value: HintValue,
    line: &'a CommandLine,
    context: &'a Context,
    repo: &'a str,
    branch: &'a str,
    /// The repository and, below its root, the folder.
    place: Scope,
    wait: Wait,
}

/// What the runs of its kind say about a command.
struct Wait {
    /// Whether it is about a part, and then one spot of it.
    breadth: Breadth,
    /// In how many sessions its kind was run here since the known one last ended ok; in how many
    /// it did itself, which is none of a part that few of those since the first ran.
    without: usize,
    ok: usize,
    /// Whether the known one runs the same; or else works on this branch, as far as can be seen:
    /// it ended ok there, or never ran and its name still stands.
    is_same: bool,
    works: bool,
    /// Whether the command ended ok on another branch, too, since the known one last did.
    is_common: bool,
    /// What the project declares for that kind.
    declared: Option<CommandLine>,
}

impl Wait {
    fn of(
        nudge: &Nudge,
        location: &Location,
        (folder, line): (&str, &CommandLine),
        (step, breadth): (Step, Breadth),
    ) -> Wait {
        let root = location.context.facts().root.as_deref();
        let declared = nudge.found_at(&Reach::ALL, &location.context).into_iter();
        let mut declared = declared.filter(|it| it.is_here && *it.key == *step.name());
        let declared = declared
            .next()
            .and_then(|it| CommandLine::read(&it.hint.value.text()));
        let served = location.served(nudge, folder, step);
        let stands = served.as_ref().is_some_and(|known| {
            let checked = nudge.check_anchors(known, location.context.facts());
            !known.meta.anchors.is_empty() && checked.is_none()
        });
        let served = served.and_then(|known| CommandLine::read(&known.value.text()));
        let served = served.or(declared.clone());
        let served = served.map(|known| Form::of(&known, root).id());
        let id = Form::of(line, root).id();
        let served = served.as_deref();
        nudge.with_book(location.repo().unwrap_or_default(), |book| {
            let place = (folder, location.branch_print());
            let (ok, is_rare) = book.sessions_ok(place, step.name(), &id);
            // That is what somebody looked at then.
            let counts = !is_rare || breadth == Breadth::Whole;
            let works = served.and_then(|known| book.works(place, known));
            Wait {
                breadth,
                without: book.sessions_without(place, step.name(), served),
                ok: if counts { ok } else { 0 },
                is_same: served == Some(&id),
                works: served != Some(&id) && works.unwrap_or(stands),
                is_common: book.is_common(place, &id, served),
                declared,
            }
        })
    }

    /// Whether it is still too early to learn a command, where another is known.
    fn is_early(&self, line: &CommandLine, known: Option<&CommandLine>, is_users: bool) -> bool {
        // What is only declared never ran here: what did with more flags is known better.
        let mut named = known.into_iter().chain(&self.declared);
        let says_more = known.is_some_and(|known| is_with_more_flags(line, known))
            || named.any(|known| is_qualified(line, known));
        let needed = match self.breadth {
            _ if self.is_same => 0,
            Breadth::Spot => 3,
            Breadth::Narrow => 2,
            Breadth::Whole if says_more => 2,
            Breadth::Whole => 0,
        };
        self.without < needed || self.ok < needed || is_users && self.ok < 2
    }
}

/// Learns what a command teaches that succeeded there, and says what was done.
pub(super) fn learn(
    nudge: &Nudge,
    by: &Caller<'_>,
    (location, folder): (&Location, &str),
    line: &CommandLine,
) -> Option<Did> {
    // What a flag moves to another folder is known there without the flag.
    let form = Form::of(line, None);
    let moved = form.folder.as_ref().map(|_| form.text());
    let moved = moved.and_then(|text| CommandLine::read(&text));
    let line = moved.as_ref().unwrap_or(line);
    let (step, breadth) = learnable(line)?;
    let context = &location.context;
    // Without a branch somebody looks at the past, as a bisect does.
    let (repo, branch) = (location.repo()?, context.facts().branch.as_deref()?);
    let is_known = location.is_in_worktree() && nudge.knows_root(context);
    if !is_known || nudge.has_secret_in(&line.text) {
        return None;
    }
    let names = (component_at(context, folder)?, Name::from(step.name()));
    if is_answered(nudge, context, &names, line) {
        return None;
    }
    // Below the folder of its manifest it may have seen a part alone.
    let breadth = match breadth {
        Breadth::Whole if folder != context.folder_below_root() => Breadth::Narrow,
        breadth => breadth,
    };
    let lesson = Lesson {
        names,
        value: HintValue::Command(Command::new(line.text.as_str())),
        line,
        context,
        repo,
        branch,
        place: place(repo, folder),
        wait: Wait::of(nudge, location, (folder, line), (step, breadth)),
    };
    let anchors = nudge.anchors_of(context, &line.text);
    let by = by.here(context);
    let did = nudge.write(&by, |on| lesson.plan(on, anchors)).ok()?;
    if let Some(Did::Learned(_)) = did {
        // That was a use of it.
        let (component, key) = &lesson.names;
        let on_branch = lesson.place.clone().branch(branch);
        for scope in [&lesson.place, &on_branch] {
            nudge.has_counted(&by, (component, key), Some(scope));
        }
    }
    did
}

/// Whether a get answers just that, and no branch has its own: nothing is left to learn.
fn is_answered(nudge: &Nudge, context: &Context, names: &(Name, Name), line: &CommandLine) -> bool {
    let at = nudge.query_context(&Reach::ALL, context, nudge.now());
    let store = nudge.read();
    store.slot(&names.0, &names.1).is_some_and(|slot| {
        let has_branch = |hint: &Arc<Hint>| hint.scope().is_some_and(|it| it.branch.is_some());
        let best = slot.best(at).map(|best| best.hint.value.text());
        best.is_some_and(|best| best == line.text) && !slot.live(at.now).any(has_branch)
    })
}

impl Lesson<'_> {
    /// The changes that follow from it.
    fn plan(
        &self,
        on: WriteContext<'_>,
        anchors: Vec<Anchor>,
    ) -> Result<(Vec<ChangeKind>, Option<Did>), Error> {
        let names = (&self.names.0, &self.names.1);
        let slot = on.store.slot(names.0, names.1);
        let served = slot.and_then(|slot| slot.best(on.query_context(self.context)));
        let served = served.map(|best| best.hint);
        let known = served.and_then(|hint| CommandLine::read(&hint.value.text()));
        let live: Vec<&Arc<Hint>> = on.store.live(names, on.now).collect();
        let on_branch = self.place.clone().branch(self.branch);
        let of = |scope: &Scope| {
            live.iter()
                .copied()
                .find(|hint| hint.scope() == Some(scope))
        };
        let (whole, own) = (of(&self.place), of(&on_branch));
        let says_it = |hint: &&Arc<Hint>| hint.value.text() == self.value.text();
        // A branch needs none of its own that says what the repository's does.
        let spare = own.filter(|_| whole.as_ref().is_some_and(says_it));
        let spare = spare.map(|own| self.delete(own));
        let root = self.context.facts().root.as_deref();
        let form = Form::of(self.line, root);
        // Of two spellings the shorter one stays, as long as it is used.
        let used = served.and_then(|hint| hint.last_used_at);
        let is_used = used.is_some_and(|used| on.now - used <= SPELT);
        let is_known = |known: &CommandLine| {
            let is_shorter = known.text.len() <= self.line.text.len();
            known.text == self.line.text || is_shorter && is_used && Form::of(known, root) == form
        };
        if known.as_ref().is_some_and(is_known) {
            let mut changes = Vec::new();
            changes.extend(spare.filter(|_| own.as_ref().is_some_and(says_it)));
            return Ok((changes, None));
        }
        let is_unwanted = |mark: &Mark| {
            let is_here = mark.repo.as_ref().is_some_and(|repo| *repo == *self.repo);
            is_here && mark.is_value_of(names, &self.value)
        };
        if on.store.marks().of(names).any(is_unwanted) {
            return Ok((Vec::new(), None));
        }
        let is_users = served.is_some_and(|hint| hint.is_users());
        if self.wait.is_early(self.line, known.as_ref(), is_users) {
            return Ok((Vec::new(), None));
        }
        let mut changes = Vec::new();
        if let Some(spare) = spare.filter(|_| !is_users) {
            changes.push(spare);
            return Ok((changes, Some(Did::Learned(self.name()))));
        }
        let is_elsewhere = |whole: &Arc<Hint>| {
            let origin = whole.meta.origin.as_ref();
            let first = origin.and_then(|origin| origin.branch.as_deref());
            first.is_some_and(|first| first != self.branch)
        };
        // Where the repository's works as well, one session is no branch's way.
        let waits = own.is_none() && !is_users && self.wait.works;
        // What two branches have in common is the repository's.
        let is_common = waits && self.wait.is_common
            || live.iter().any(|hint| {
                self.is_branch_variant(hint) && hint.scope() != Some(&on_branch) && says_it(hint)
            });
        let is_branchs = !is_common && (own.is_some() || whole.is_some_and(is_elsewhere));
        if is_branchs && waits && self.wait.without < 2 {
            return Ok((Vec::new(), None));
        }
        let scope = if is_branchs && !is_users {
            on_branch
        } else {
            self.place.clone()
        };
        if !is_branchs && !is_users {
            // What a branch had on its own is the repository's now.
            let others = live.iter().filter(|hint| self.is_branch_variant(hint));
            changes.extend(
                others
                    .filter(|hint| says_it(hint))
                    .map(|hint| self.delete(hint)),
            );
        }
        if of(&scope).is_none() && !is_users {
            changes.extend(self.make_room(on));
        }
        let did = self.set(on, scope, anchors, &mut changes)?;
        Ok((changes, did))
    }

    /// Adds the change that sets the hint; or that proposes it, where the user's word stands.
    fn set(
        &self,
        on: WriteContext<'_>,
        scope: Scope,
        anchors: Vec<Anchor>,
        changes: &mut Vec<ChangeKind>,
    ) -> Result<Option<Did>, Error> {
        let (component, key) = self.names.clone();
        let is_waiting = on.store.proposals(on.now).any(|waiting| {
            (&waiting.component, &waiting.key) == (&component, &key)
                && waiting.hint.value.text() == self.value.text()
        });
        let mut set = SetHint::new(component, key, self.value.clone()).scope(scope);
        // Nothing stays of what somebody said about another value.
        set.meta = MetaPatch {
            scope: set.meta.scope,
            anchors: Patch::Set(anchors.into()),
            ..MetaPatch::to(&HintMeta::default())
        };
        let (mut planned, answer) = set.plan(on)?;
        for change in &mut planned {
            if let ChangeKind::Set { hint, .. } = change {
                let hint = Arc::make_mut(hint);
                (hint.use_count, hint.last_used_at) = (1, Some(on.now));
            }
        }
        if answer.proposal.is_some() && is_waiting {
            return Ok(None);
        }
        changes.append(&mut planned);
        Ok(Some(match answer.proposal {
            Some(_) => Did::Proposed(self.name()),
            None => Did::Learned(self.name()),
        }))
    }

    fn name(&self) -> String {
        format!("{}/{}", self.names.0, self.names.1)
    }

    fn delete(&self, hint: &Hint) -> ChangeKind {
        ChangeKind::delete(self.names.clone(), hint)
    }

    /// Whether a hint is for a branch of this place alone.
    fn is_branch_variant(&self, hint: &Hint) -> bool {
        let names_branch = hint.scope().is_some_and(|scope| scope.branch.is_some());
        names_branch && hint.is_learned() && is_of(hint, &self.place)
    }

    /// The change that takes away the one that was not used for longest, where the
    /// repository has as many as it may.
    fn make_room(&self, on: WriteContext<'_>) -> Option<ChangeKind> {
        let learned = learned_of(on, self.repo);
        if learned.len() < MOST_LEARNED {
            return None;
        }
        let (names, oldest) = learned.into_iter().next()?;
        Some(ChangeKind::delete(names, oldest))
    }
}

/// What was learned of a repository, the one that was not used for longest first.
pub(super) fn learned_of<'a>(
    on: WriteContext<'a>,
    repo: &str,
) -> Vec<((Name, Name), &'a Arc<Hint>)> {
    let repo = [repo.to_owned()];
    let learned = on.store.learned_by_use(on.now);
    learned
        .filter(|(_, hint)| hint.repos() == Some(&repo))
        .collect()
}

/// Takes back a learned hint that could not run where it was learned.
pub(super) fn take_back(
    nudge: &Nudge,
    by: &Caller<'_>,
    (location, folder): (&Location, &str),
    names: (Name, Name),
    hint: &Hint,
) -> bool {
    let branch = location.context.facts().branch.as_deref();
    let origin = hint.meta.origin.as_ref();
    let learned_on = origin.and_then(|origin| origin.branch.as_deref());
    let names_branch = hint.scope().is_some_and(|scope| scope.branch.is_some());
    let here = place(location.repo().unwrap_or_default(), folder);
    let is_over = is_of(hint, &here) && (names_branch || learned_on == branch);
    if is_over {
        let gone = ChangeKind::delete(names, hint);
        // Where it cannot be written, it is still there.
        let _ = nudge.write(by, |_| Ok((vec![gone], ())));
    }
    is_over
}

/// Whether a hint is for a place, on whichever branch.
fn is_of(hint: &Hint, place: &Scope) -> bool {
    let mut scope = hint.scope().cloned().unwrap_or_default();
    scope.branch = None;
    scope == *place
}

/// The scope of what is learned in a folder of a repository.
fn place(repo: &str, folder: &str) -> Scope {
    let place = Scope::new().repo(repo);
    match folder {
        "" => place,
        _ => place.cwd_glob(format!("./{}/**", escape(folder))),
    }
}
