//! What a store knows of the project that a caller is in.

use std::sync::Arc;

use crate::api::answer::HintSet;
use crate::api::caller::Caller;
use crate::api::projects::FoundCommand;
use crate::api::reach::Reach;
use crate::api::set_hint::SetHint;
use crate::command::form::Form;
use crate::command::line::CommandLine;
use crate::command::pitfall::Pitfall;
use crate::hint::lifetime::Lifetime;
use crate::hint::origin::Origin;
use crate::hint::{Command, Hint, HintMeta, HintValue, Source};
use crate::model::anchor::{Anchor, AnchorState, CheckedAnchor};
use crate::model::error::Error;
use crate::model::name::Name;
use crate::model::scope::Scope;
use crate::nudge::Nudge;
use crate::rank::prompt_block::Declared;
use crate::scope::component::component_at;
use crate::scope::context::{Context, Facts};
use crate::scope::path::is_windows;
use crate::scope::repo::Repo;
use crate::store::change::{ChangeKind, Used};

impl Nudge {
    /// Whether the root of a context is known to be one of the repositories that it names: one
    /// that only names them neither reads nor teaches what was learned or recorded there.
    #[must_use]
    pub fn knows_root(&self, context: &Context) -> bool {
        let facts = context.facts();
        let asked = self.projects.as_ref().zip(root(facts));
        let mut repos = facts.repos.iter();
        asked.is_none_or(|(projects, root)| repos.all(|repo| projects.knows(root, repo.as_str())))
    }

    /// What a caller may read who asks from a context.
    pub(crate) fn reach<'a>(&self, by: &Caller<'a>, asked: Option<&'a Context>) -> Reach<'a> {
        Reach::of(by, asked, &|context| self.knows_root(context))
    }

    /// The repository that the root of a context named before, for the user alone.
    pub(crate) fn named_before(&self, by: &Caller<'_>, context: &Context) -> Option<String> {
        let facts = context.facts();
        let (projects, root) = self.projects.as_ref().zip(root(facts))?;
        let repo = facts.repos.first().filter(|_| by.is_user())?;
        projects.named_before(root, repo.as_str())
    }

    /// Why a slot was not written to: where nobody has set it, and the project declares it, that.
    pub(crate) fn unset(
        &self,
        by: &Caller<'_>,
        (component, key): (&Name, &Name),
        at: &Context,
        error: Error,
    ) -> Error {
        if error.data().detail.as_deref() != Some("no_slot") {
            return error;
        }
        let mut found = self.found_at(&self.reach(by, Some(at)), at).into_iter();
        let found = found.find(|one| (&one.component, &one.key) == (component, key));
        let file = found.as_ref().and_then(|found| found.hint.found_in());
        file.map_or(error, |file| {
            let words = format!("nobody has set `{component}/{key}`, which {file} declares");
            Error::not_found("no_slot", words)
        })
    }

    /// The folder of the nearest manifest where a context is, from the root. Without anybody
    /// to ask, it is the folder itself.
    pub(crate) fn folder_at(&self, context: &Context) -> String {
        let below = context.folder_below_root();
        let (Some(root), Some(cwd)) = (root(context.facts()), &context.facts().cwd) else {
            return String::new();
        };
        match &self.projects {
            Some(projects) if !below.is_empty() => projects.folder(root, cwd),
            _ => below.to_owned(),
        }
    }

    /// What the project declares where a context is, under the names of its hints: for the
    /// folder, then for the root. What the user has deleted is not in it, and who is elsewhere
    /// is told nothing.
    pub(crate) fn found_at(&self, reach: &Reach<'_>, context: &Context) -> Vec<Declared> {
        let root = root(context.facts()).filter(|_| reach.has_context(context));
        let (Some(projects), Some(root)) = (&self.projects, root) else {
            return Vec::new();
        };
        let folder = self.folder_at(context);
        let mut commands = projects.found(root, &folder);
        if !folder.is_empty() {
            commands.extend(projects.found(root, ""));
        }
        let repos = &context.facts().repos;
        let repo = repos.first().filter(|_| self.knows_root(context));
        // What could not run is not told again, nor what only ever failed.
        if let Some(repo) = repo {
            self.with_book(repo.as_str(), |book| {
                let pitfalls = book.pitfalls(self.now());
                commands.retain(|found| {
                    let line = CommandLine::read(&found.command);
                    let form = line.map(|line| Form::of(&line, Some(root)));
                    form.is_none_or(|form| {
                        let fits = |known: &Pitfall| known.fits(&found.folder, &form.words);
                        !pitfalls.iter().any(fits) && !book.never_works(&found.folder, &form.text())
                    })
                });
            });
        }
        let store = self.read();
        let named = commands.into_iter().filter_map(|found| {
            Some(Declared {
                component: component_at(context, &found.folder)?,
                key: Name::from(&*found.kind),
                hint: self.found_hint(&found),
                is_here: found.folder == folder,
                folder: found.folder,
            })
        });
        let is_wanted = |declared: &Declared| {
            let slot = (&declared.component, &declared.key);
            !store.marks().of(slot).any(|mark| {
                let is_repo = |repo: &Repo| mark.repo.as_deref() == Some(repo.as_str());
                repos.iter().any(is_repo) && mark.is_value_of(slot, &declared.hint.value)
            })
        };
        named.filter(is_wanted).collect()
    }

    /// Whether somebody who starts may need what was found: not what is done already.
    pub(crate) fn is_needed(&self, context: &Context, found: &Declared) -> bool {
        let asked = self.projects.as_ref().zip(root(context.facts()));
        let asked = asked.filter(|_| ["install", "setup"].contains(&&*found.key));
        asked.is_none_or(|(projects, root)| !projects.is_installed(root, &found.folder))
    }

    fn found_hint(&self, found: &FoundCommand) -> Arc<Hint> {
        let now = self.clock.now();
        let value = HintValue::Command(Command::new(&*found.command));
        let meta = HintMeta {
            source: Some(Source::ToolOutput),
            reason: found.note.as_deref().map(Into::into),
            origin: Some(Box::new(Origin::new(Origin::FOUND).client(&*found.from))),
            ..HintMeta::default()
        };
        Arc::new(Hint {
            // The project's file has it tomorrow, too.
            lifetime: Lifetime::Kept,
            ..Hint::new(value, meta, now)
        })
    }

    /// What became of what a hint rests on, where a caller is; `None` where it holds or nobody
    /// can tell.
    pub(crate) fn check_anchors(&self, hint: &Hint, facts: &Facts) -> Option<CheckedAnchor> {
        let anchors = &hint.meta.anchors;
        let (projects, root) = (self.projects.as_ref()?, root(facts)?);
        if anchors.is_empty() {
            let command = hint.command_text()?;
            let below = facts.cwd.as_deref().and_then(|cwd| cwd.strip_prefix(root));
            let below = below.and_then(|below| below.strip_prefix('/'));
            let (at, near) = projects.missing(root, below.unwrap_or_default(), command)?;
            return Some(CheckedAnchor {
                at: at.into(),
                state: AnchorState::Gone { near },
                has_worked: false,
            });
        }
        let states = projects.states(root, anchors).into_iter();
        let worst = anchors.iter().zip(states).max_by(|a, b| a.1.cmp(&b.1))?;
        let (anchor, state) = worst;
        let is_told = matches!(state, AnchorState::Changed | AnchorState::Gone { .. });
        is_told.then(|| CheckedAnchor {
            at: anchor.at.clone(),
            state,
            has_worked: true,
        })
    }

    /// Sets a hint, and says so where what it names is not there.
    pub(crate) fn set(&self, by: &Caller<'_>, set: SetHint) -> Result<HintSet, Error> {
        let context = set.context.clone().filter(|_| self.projects.is_some());
        let mut set = self.write(by, |on| set.plan(on))?;
        let context = context.filter(|context| {
            set.proposal.is_none() && set.hint.failed_conditions(context.facts()).is_empty()
        });
        let checked = context.and_then(|context| self.check_anchors(&set.hint, context.facts()));
        if let Some(checked) = checked.filter(CheckedAnchor::is_gone) {
            let words = [Some(checked.describe().into()), set.note.take()];
            let words: Vec<Box<str>> = words.into_iter().flatten().collect();
            set.note = Some(words.join("; ").into());
        }
        Ok(set)
    }

    /// Notes what a hint rests on now, and in which clone it last worked if it was learned.
    pub(crate) fn rest_on(
        &self,
        by: &Caller<'_>,
        (component, key): (Name, Name),
        scope: Option<&Scope>,
        anchors: Vec<Anchor>,
        root: Option<&str>,
    ) -> Result<(), Error> {
        self.write(by, |on| {
            let Some(before) = on.store.live_variant((&component, &key), scope, on.now) else {
                return Ok((Vec::new(), ()));
            };
            let mut hint = Hint::clone(before);
            hint.meta.anchors = anchors.into();
            let is_learned = hint.is_learned();
            if let Some(origin) = hint.meta.origin.as_mut().filter(|_| is_learned) {
                origin.root = root.map(Name::from).or(origin.root.take());
            }
            if hint == **before {
                return Ok((Vec::new(), ()));
            }
            let hint = Arc::new(hint);
            let used = Used {
                component,
                key,
                hint,
            };
            Ok((vec![ChangeKind::Bump(used)], ()))
        })
    }

    /// What a command that is run where a context is rests on.
    pub(crate) fn anchors_of(&self, context: &Context, command: &str) -> Vec<Anchor> {
        let asked = self.projects.as_ref().zip(root(context.facts()));
        asked.map_or_else(Vec::new, |(projects, root)| {
            projects.anchors(root, context.folder_below_root(), command)
        })
    }
}

/// The root of the worktree, if it can be looked at: any other one would be looked for from
/// where this process is.
fn root(facts: &Facts) -> Option<&str> {
    let is_absolute = |root: &&str| root.starts_with('/') || is_windows(root);
    facts.root.as_deref().filter(is_absolute)
}
