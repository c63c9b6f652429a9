//! `Layers`: the kept hints of a store, loaded when a caller is first in a repository and
//! written when they change.

mod keep;
mod project;
pub(crate) mod requests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nudge::{Caller, Change, ChangeKind, Context, Layer, Nudge, Snapshot, Via};
use parking_lot::{Condvar, Mutex};
use serde::Deserialize;
use serde_json::{Value, json};

use self::project::Projects;
use crate::kept::file::KeptFile;
use crate::kept::place::Place;

/// How long a file rests after it was written: what changes meanwhile is written together.
const REST: Duration = Duration::from_millis(20);

/// The layers of a session that keeps.
pub(super) struct Layers {
    home: PathBuf,
    /// What is known of each layer that was loaded. Whoever holds it may write to the store,
    /// so no sink may wait for it.
    known: Mutex<BTreeMap<Layer, Known>>,
    /// Which they are.
    loaded: Mutex<BTreeSet<Layer>>,
    projects: Projects,
    /// What has changed and is not written yet, and whether something was deleted.
    changed: Mutex<BTreeMap<Layer, bool>>,
    bell: Condvar,
    /// Held while files are written.
    writing: Mutex<()>,
    /// What the user is to know.
    notices: Mutex<Vec<String>>,
}

/// What is known of a layer's file.
#[derive(Default)]
struct Known {
    /// Its bytes, when it was last read or written.
    bytes: Option<Vec<u8>>,
    /// What it held then.
    held: Snapshot,
    /// The hashes of what the user trusts of the project's own file.
    trusted: BTreeSet<String>,
    /// Why it is neither read nor written.
    refused: Option<String>,
    /// Why it was not written the last time.
    failed: Option<String>,
}

/// Why a file was not written.
enum Failure {
    /// What is in it means nothing.
    Damaged(Vec<u8>),
    Refused(String),
}

impl From<String> for Failure {
    fn from(words: String) -> Failure {
        Failure::Refused(words)
    }
}

impl Layers {
    pub(super) fn new(home: &Path) -> Layers {
        Layers {
            home: home.to_owned(),
            known: Mutex::default(),
            loaded: Mutex::default(),
            projects: Projects::default(),
            changed: Mutex::default(),
            bell: Condvar::new(),
            writing: Mutex::default(),
            notices: Mutex::default(),
        }
    }

    fn file(&self, layer: &Layer) -> KeptFile {
        match layer {
            Layer::Repo(repo) => Place::of_repository(&self.home, repo),
            _ => Place::everywhere(&self.home),
        }
    }

    /// Loads a layer, unless it was.
    pub(super) fn load(&self, nudge: &Nudge, layer: &Layer) {
        if self.loaded.lock().contains(layer) {
            return;
        }
        let mut all = self.known.lock();
        if all.contains_key(layer) {
            return;
        }
        let mut known = Known::default();
        match self.file(layer).read() {
            Ok(None) => {}
            Ok(Some(bytes)) => match known.take(nudge, layer, &bytes) {
                Ok(()) => known.bytes = Some(bytes),
                Err(Failure::Damaged(_)) => self.put_aside(layer, &bytes),
                Err(Failure::Refused(why)) => known.refused = Some(why),
            },
            Err(why) => known.refused = Some(why),
        }
        self.notices.lock().extend(known.refused.clone());
        known.held = nudge.kept(layer);
        all.insert(layer.clone(), known);
        self.loaded.lock().insert(layer.clone());
    }

    /// Loads what is kept of the repositories where a caller is.
    pub(super) fn enter(&self, nudge: &Nudge, repos: &[String], root: Option<&str>) {
        for repo in repos {
            self.load(nudge, &Layer::Repo(repo.clone()));
        }
        if let Some((repo, root)) = repos.first().zip(root) {
            self.projects.enter(self, nudge, repo, root);
        }
    }

    /// Notes what has changed.
    pub(super) fn note(&self, by: &Caller<'_>, changes: &[Change]) {
        if by.via == Via::Layer {
            return;
        }
        let mut stale = self.changed.lock();
        for change in changes {
            let deletes = matches!(change.kind, ChangeKind::Delete(_));
            for layer in self.layers_of(&change.kind) {
                *stale.entry(layer).or_default() |= deletes;
            }
        }
        self.bell.notify_one();
    }

    /// The layers that a change is about.
    fn layers_of(&self, kind: &ChangeKind) -> Vec<Layer> {
        let repos = match kind {
            ChangeKind::Clear => return self.loaded.lock().iter().cloned().collect(),
            ChangeKind::Mark(mark) | ChangeKind::Unmark(mark) => {
                mark.repo.as_ref().map(|repo| vec![repo.to_string()])
            }
            ChangeKind::Set { .. }
            | ChangeKind::Bump(_)
            | ChangeKind::Fail(_)
            | ChangeKind::Delete(_)
            | ChangeKind::Expire(_) => kind.scope().and_then(|scope| scope.repo.clone()),
            ChangeKind::Context { .. }
            | ChangeKind::Propose(_)
            | ChangeKind::Dismiss { .. }
            | ChangeKind::Lost { .. } => return Vec::new(),
        };
        repos.map_or_else(
            || vec![Layer::Everywhere],
            |repos| repos.into_iter().map(Layer::Repo).collect(),
        )
    }

    /// Loads what applies everywhere, and sees that what the last server left in the journal
    /// alone is written.
    pub(super) fn begin(&self, nudge: &Nudge) {
        self.load(nudge, &Layer::Everywhere);
        let repos = nudge.repos().into_iter().map(Layer::Repo);
        let all = repos.chain([Layer::Everywhere]);
        self.changed.lock().extend(all.map(|layer| (layer, false)));
    }

    /// Loads what is kept where a caller is, as a call or the caller says.
    pub(super) fn enter_with(&self, nudge: &Nudge, by: &Caller<'_>, params: &str) {
        /// As much of a call as says where the caller is.
        #[derive(Deserialize)]
        struct Call {
            context: Option<Context>,
        }
        let stated = params
            .contains("\"context\"")
            .then(|| serde_json::from_str::<Call>(params));
        let stated = stated.and_then(Result::ok).and_then(|call| call.context);
        for context in stated.iter().chain(by.here) {
            let facts = context.facts();
            let repos: Vec<String> = facts.repos.iter().map(ToString::to_string).collect();
            self.enter(nudge, &repos, facts.root.as_deref());
        }
    }

    /// Writes what has changed, and what changes later, until `is_over`.
    pub(super) fn write_all(&self, nudge: &Nudge, is_over: impl Fn() -> bool) {
        while !is_over() {
            let is_done = self.flush(nudge);
            let mut changed = self.changed.lock();
            if changed.is_empty() || !is_done {
                self.bell.wait_for(&mut changed, Duration::from_secs(1));
            } else {
                drop(changed);
                std::thread::sleep(REST);
            }
        }
    }

    /// Writes what has changed, and says whether that could be done; what could not is left for
    /// the next time. What another thread has begun to write is written then too.
    pub(super) fn flush(&self, nudge: &Nudge) -> bool {
        let mut is_done = true;
        let _writing = self.writing.lock();
        let changed = std::mem::take(&mut *self.changed.lock());
        for (layer, deletes) in &changed {
            self.load(nudge, layer);
            if let Some(known) = self.known.lock().get_mut(layer) {
                let is_open = known.refused.is_none();
                if self.write(nudge, layer, known).is_err() && is_open {
                    *self.changed.lock().entry(layer.clone()).or_default() |= deletes;
                    is_done = false;
                    continue;
                }
            }
            if *deletes {
                // What damage left beside may hold what is to be gone.
                let removed = self.file(layer).remove_damaged();
                self.notices.lock().extend(removed.err());
            }
        }
        is_done
    }

    /// Writes a layer's file, or says why not; the user is told of a new reason.
    fn write(&self, nudge: &Nudge, layer: &Layer, known: &mut Known) -> Result<(), String> {
        if let Some(why) = &known.refused {
            return Err(why.clone());
        }
        let file = self.file(layer);
        let mut change = || {
            file.update(|current| {
                if current != known.bytes
                    && let Some(bytes) = &current
                {
                    known.take(nudge, layer, bytes)?;
                }
                known.held = nudge.kept(layer);
                let bytes = known.form();
                let is_new = bytes != current;
                known.bytes.clone_from(&bytes);
                Ok(bytes.filter(|_| is_new))
            })
        };
        let written = match change() {
            Err(Failure::Damaged(bytes)) => {
                self.put_aside(layer, &bytes);
                change()
            }
            other => other,
        };
        let failed = match written {
            Err(Failure::Refused(why)) => Some(why),
            _ => None,
        };
        if failed != known.failed {
            self.notices.lock().extend(failed.clone());
            known.failed.clone_from(&failed);
        }
        failed.map_or(Ok(()), Err)
    }

    fn put_aside(&self, layer: &Layer, bytes: &[u8]) {
        let words = match self.file(layer).put_aside(bytes) {
            Ok(Some(aside)) => {
                let aside = aside.display();
                format!("a file of kept hints was damaged; it is now `{aside}`")
            }
            Ok(None) => return,
            Err(why) => why,
        };
        self.notices.lock().push(words);
    }

    /// What the user is to know now.
    pub(super) fn take_notices(&self) -> Vec<String> {
        std::mem::take(&mut *self.notices.lock())
    }
}

impl Known {
    /// Takes what a file says into the store.
    fn take(&mut self, nudge: &Nudge, layer: &Layer, bytes: &[u8]) -> Result<(), Failure> {
        #[derive(Deserialize)]
        struct Beside {
            #[serde(default)]
            trusted: BTreeSet<String>,
        }
        let damaged = || Failure::Damaged(bytes.to_owned());
        let text = std::str::from_utf8(bytes).map_err(|_| damaged())?;
        let beside: Beside = serde_json::from_str(text).map_err(|_| damaged())?;
        let before = self.bytes.is_some().then_some(&self.held);
        let loaded = nudge.load_layer(layer, text, before);
        loaded.map_err(|error| match error.data().detail.as_deref() {
            // A later version has written it, and knows what it means.
            Some("schema_version") => Failure::Refused(format!("kept hints are not read: {error}")),
            _ => damaged(),
        })?;
        self.trusted.extend(beside.trusted);
        Ok(())
    }

    /// What the file is to say; nothing where it is not there and there is nothing to say.
    fn form(&self) -> Option<Vec<u8>> {
        let mut form = serde_json::to_value(&self.held).ok()?;
        let fields = form.as_object_mut()?;
        // It would be another file in every session.
        fields.retain(|name, _| name != "created_at" && name != "session_id");
        if !self.trusted.is_empty() {
            fields.insert("trusted".to_owned(), json!(self.trusted));
        }
        let is_empty = |name: &str| {
            let part = fields.get(name);
            part.is_none_or(|part| part.as_object().is_some_and(serde_json::Map::is_empty))
        };
        let is_empty = ["components", "marks", "trusted"].into_iter().all(is_empty);
        if is_empty && self.bytes.is_none() {
            return None;
        }
        let mut bytes = serde_json::to_vec_pretty(&Value::Object(fields.clone())).ok()?;
        bytes.push(b'\n');
        Some(bytes)
    }
}
