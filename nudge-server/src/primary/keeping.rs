//! Keeping hints on purpose, listing them, and trusting those of a project.

use std::path::Path;
use std::sync::Arc;

use nudge::{
    Caller, Context, Error, ErrorKind, Export, GetHint, Hint, Lifetime, Patch, Scope, SetHint,
    Source, Ttl,
};
use serde_json::Value;

use super::Primary;
use super::keep_requests::{
    FileChange, Keep, Keeping, KeptHint, KeptHints, LayerName, ListKept, ProjectHint, Trust,
    Trusted,
};
use crate::project::hints_file::{self, Content, NAME};
use crate::project::trust;

/// The repository and the root of the worktree that a caller is in.
fn place(context: &Context) -> Result<(String, String), Error> {
    let facts = context.facts();
    let repo = facts.repos.first().map(ToString::to_string);
    repo.zip(facts.root.clone()).ok_or_else(|| {
        let words = "there is no repository here; run it in a folder of one";
        Error::new(ErrorKind::Invalid, words)
    })
}

fn no_secret() -> Error {
    let words = "a secret is never kept; store a reference such as `$NAME`";
    Error::new(ErrorKind::Forbidden, words)
}

impl Primary {
    /// Has a hint be there in the next session, as the user's or the project's own.
    pub(crate) fn keep_hint(&self, by: &Caller<'_>, keep: Keep) -> Result<Keeping, Error> {
        let context = keep.context.unwrap_or_default();
        let get = GetHint::new(keep.component, keep.key).context(&context);
        let found = self.nudge.ask(by, get)?;
        if found.hint.is_secret() {
            return Err(no_secret());
        }
        let is_dry = keep.dry_run.unwrap_or_default();
        let layer = keep.layer.unwrap_or(LayerName::Repository);
        if layer != LayerName::Project && !self.nudge.config().keep {
            let words = "keeping is off; `nudge config` says why";
            return Err(Error::new(ErrorKind::Forbidden, words));
        }
        let mut keeping = Keeping {
            component: found.component,
            key: found.key,
            hint: found.hint,
            layer,
            file: None,
        };
        if layer == LayerName::Project {
            if keeping.hint.expires_at.is_some() {
                let name = format!("{}/{}", keeping.component, keeping.key);
                let words = format!(
                    "`{name}` ends by itself, and what the project's file says stays; `nudge keep \
                     {name}` makes it stay first"
                );
                return Err(Error::new(ErrorKind::Invalid, words));
            }
            let (repo, root) = place(&context)?;
            let (file, hash) = project_with(&repo, &root, &keeping)?;
            if !is_dry {
                // Before anybody reads it there, and that hint alone: others may have come into
                // the file by now.
                self.set_trust(&repo, vec![hash], true)?;
                let written = hints_file::replace(Path::new(&root), file.after.as_bytes());
                written.map_err(|why| Error::new(ErrorKind::Unavailable, why))?;
                self.hints_of_project(&repo, &root);
                // It is the project's from now on.
                if !keeping.hint.is_projects() && keeping.hint.found_in().is_none() {
                    let names = (keeping.component.clone(), keeping.key.clone());
                    self.nudge.release(by, names, keeping.hint.scope())?;
                }
            }
            keeping.file = Some(file);
        } else {
            let mut set = SetHint::new(
                keeping.component.clone(),
                keeping.key.clone(),
                keeping.hint.value.clone(),
            );
            set.meta.source = Patch::Set(Source::User);
            set.meta.ttl = Patch::Set(Ttl::KEPT);
            let scope = keeping.hint.scope().cloned().unwrap_or_default();
            set = match (layer, keeping.hint.found_in()) {
                (LayerName::Everywhere, _) => set.scope(Scope {
                    repo: None,
                    cwd_glob: None,
                    ..scope
                }),
                (_, Some(_)) => set.context(&context),
                _ => set.scope(scope),
            };
            let is_own = keeping.hint.is_users() && !keeping.hint.is_projects();
            let is_done =
                is_own && keeping.hint.lifetime == Lifetime::Kept && layer == LayerName::Repository;
            if !(is_dry || is_done) {
                keeping.hint = self.nudge.ask(by, set)?.hint;
            }
            let names_repo = keeping
                .hint
                .scope()
                .is_some_and(|scope| scope.repo.is_some());
            if !names_repo {
                keeping.layer = LayerName::Everywhere;
            }
        }
        Ok(keeping)
    }

    /// Lists what is kept where a caller is. Only the user learns that hints wait.
    pub(crate) fn list_kept(&self, by: &Caller<'_>, list: &ListKept) -> Result<KeptHints, Error> {
        let context = list.context.clone().unwrap_or_default();
        let facts = context.facts();
        let mut waiting = 0;
        if let Ok((repo, root)) = place(&context) {
            let hints = self.hints_of_project(&repo, &root);
            let untrusted = hints.iter().filter(|(_, is_trusted)| !is_trusted);
            waiting = untrusted.filter(|_| by.is_user()).count();
        }
        let layer = |hint: &Hint| {
            let repos = hint.scope().and_then(|scope| scope.repo.as_deref());
            let is_here = |repo: &String| facts.repos.iter().any(|here| here.as_str() == repo);
            match repos {
                _ if hint.lifetime == Lifetime::Session => None,
                None => Some(LayerName::Everywhere),
                Some(repos) => repos.iter().any(is_here).then_some(LayerName::Repository),
            }
        };
        let all = self.nudge.ask(by, Export::new())?.payload;
        let kept = all.hints().filter_map(|(component, key, hint)| {
            by.may_read(hint, Some(&context)).then_some(())?;
            Some(KeptHint {
                component: component.clone(),
                key: key.clone(),
                layer: layer(hint)?,
                hint: Arc::clone(hint),
            })
        });
        let mut hints: Vec<KeptHint> = kept.collect();
        hints.sort_by_key(|kept| kept.layer);
        Ok(KeptHints { hints, waiting })
    }

    /// Trusts hints of the project's file, or none of them any more.
    pub(crate) fn trust(&self, trust: &Trust, is_trusted: bool) -> Result<Trusted, Error> {
        let context = trust.context.clone().unwrap_or_default();
        let (repo, root) = place(&context)?;
        let all = self.hints_of_project(&repo, &root);
        let is_meant = |hint: &ProjectHint| {
            let is_name = |wanted: &Option<nudge::Name>, name: &str| {
                wanted.as_ref().is_none_or(|wanted| *wanted == *name)
            };
            let hashes = trust.hashes.as_ref();
            is_name(&trust.component, &hint.component)
                && is_name(&trust.key, &hint.key)
                && hashes.is_none_or(|hashes| hashes.contains(&hint.hash))
        };
        let meant = all
            .iter()
            .filter(|(hint, was)| *was != is_trusted && is_meant(hint));
        let hints: Vec<_> = meant.map(|(hint, _)| hint.clone()).collect();
        let is_dry = trust.dry_run.unwrap_or_default();
        if !is_dry {
            let hashes = hints.iter().map(|hint| hint.hash.clone());
            self.set_trust(&repo, hashes.collect(), is_trusted)?;
        }
        let waited = all.iter().filter(|(_, is_trusted)| !is_trusted).count();
        let waiting = match (is_dry, is_trusted) {
            (true, _) => waited,
            (_, true) => waited - hints.len(),
            (_, false) => waited + hints.len(),
        };
        Ok(Trusted { hints, waiting })
    }
}

/// What the project's file says once it has a hint, and by which hash that one is trusted.
fn project_with(repo: &str, root: &str, keeping: &Keeping) -> Result<(FileChange, String), Error> {
    let unusable = |words: String| Error::new(ErrorKind::Unavailable, words);
    let before = match hints_file::read(Path::new(root)).content {
        Content::Absent => Vec::new(),
        Content::Bytes(bytes) => bytes,
        Content::Refused(why) => return Err(unusable(why)),
    };
    let mut hints = if before.is_empty() {
        Vec::new()
    } else {
        trust::hints(&before).map_err(unusable)?
    };
    let seed = seed(&keeping.hint, repo, root).ok_or_else(no_secret)?;
    let scope = |hint: &Value| hint.pointer("/meta/scope").cloned();
    let new = ProjectHint::new(&keeping.component, &keeping.key, seed);
    hints.retain(|one| {
        (&one.component, &one.key) != (&new.component, &new.key)
            || scope(&one.hint) != scope(&new.hint)
    });
    let hash = new.hash.clone();
    let all = trust::file_of(hints.iter().chain([&new]));
    let mut after = serde_json::to_string_pretty(&all).unwrap_or_default();
    after.push('\n');
    let change = FileChange {
        path: Path::new(root).join(NAME).display().to_string(),
        before: String::from_utf8_lossy(&before).into_owned(),
        after,
    };
    Ok((change, hash))
}

/// What a person would commit of a hint, for a repository: that it is for this one goes
/// without saying, and folders are named from its root.
fn seed(hint: &Hint, repo: &str, root: &str) -> Option<Value> {
    let mut seed = hint.committed()?;
    // A file decides neither what comes first nor how long it says so.
    (seed.meta.pin, seed.meta.ttl) = (false, None);
    let mut scope = seed.meta.scope.take().unwrap_or_default();
    if let Some(repos) = &mut scope.repo {
        repos.retain(|named| named != repo);
    }
    scope.repo = scope.repo.filter(|repos| !repos.is_empty());
    let below = format!("{root}/");
    for glob in scope.cwd_glob.iter_mut().flatten() {
        if let Some(rest) = glob.strip_prefix(&below) {
            *glob = format!("./{rest}");
        }
    }
    let everything = ["./**".to_owned()];
    scope.cwd_glob = scope.cwd_glob.filter(|globs| **globs != everything);
    seed.meta.scope = Some(scope).filter(|scope| !scope.is_everywhere());
    serde_json::to_value(seed).ok()
}
