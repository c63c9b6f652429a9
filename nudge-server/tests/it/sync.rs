//! `nudge sync`: machines that share a repository, whatever becomes of them, and repositories
//! that somebody else has written.

mod hostile;
mod interleaved;
mod process;
pub(crate) mod script;

use std::path::{Path, PathBuf};

use nudge::{Caller, Config, Merge, Nudge, from_json};
use nudge_server::sync::{Done, Round, State, round};

use crate::checkout::git;

/// A bare repository that all can push to.
fn bare(folder: &Path) -> PathBuf {
    let bare = folder.join("remote.git");
    git(folder, "init --quiet --bare remote.git");
    bare
}

/// A home: its session folder, and what its PRIMARY would hold.
struct Home {
    folder: PathBuf,
    store: Nudge,
}

fn store() -> Nudge {
    Nudge::new(Config {
        keep: true,
        ..Config::default()
    })
}

impl Home {
    fn new(folder: PathBuf, bare: &Path) -> Home {
        std::fs::create_dir_all(&folder).unwrap();
        let mut state = State::default();
        state.point(&format!("file://{}", bare.display()));
        state.save(&folder).unwrap();
        let store = store();
        Home { folder, store }
    }

    /// A round whose calls reach the store, as long as `may_call` says so.
    fn sync_if(&self, may_call: &dyn Fn() -> bool) -> Result<Done, String> {
        let asked = Round {
            folder: &self.folder,
            is_by_hand: true,
            only_reads: false,
            forget: None,
        };
        round(asked, State::load(&self.folder), &|params| {
            let merge: Merge = from_json(params.as_bytes()).map_err(|error| error.to_string())?;
            if !may_call() {
                return Err("the server is gone".to_owned());
            }
            let merged = self.store.ask(&Caller::user(), merge);
            merged.map_err(|error| error.to_string())
        })
    }

    fn sync(&self) -> Done {
        loop {
            match self.sync_if(&|| true) {
                // A process that another test begins has what this one had open, for a moment.
                Err(why) if why.contains("is under way") => std::thread::yield_now(),
                done => return done.unwrap(),
            }
        }
    }

    /// What goes to other machines, as text.
    fn files(&self) -> Vec<String> {
        let machine = State::load(&self.folder).machine;
        let merged = self.store.ask(&Caller::user(), Merge::new(machine));
        let files = merged.unwrap().files.unwrap().into_values();
        let texts = files.map(|file| serde_json::to_string(&file).unwrap());
        texts.collect()
    }
}
