//! Where everything runs: folders of its own, a repository like a client's, and the programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use nudge_client::folder::Runtime;
use nudge_client::platform;
use tempfile::TempDir;

use crate::Outcome;
use crate::process::Process;

/// Folders and programs.
pub(crate) struct Place {
    /// All that is written goes here, and goes away with this value.
    folder: TempDir,
    /// A work tree on the branch `dev`, in which every server is started.
    pub(crate) repository: PathBuf,
}

impl Place {
    pub(crate) fn new() -> Outcome<Place> {
        let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        let folder = tempfile::tempdir()?;
        // As installed: to start what a linker has just left in memory piece by piece takes a
        // third more.
        for name in ["nudge", "nudge-echo"] {
            let built = Path::new(&target).join("release").join(name);
            fs::copy(built, folder.path().join(name))?;
        }
        let repository = folder.path().join("platform");
        write_repository(&repository.join(".git"))?;
        Ok(Place { folder, repository })
    }

    /// A new folder that only this user can read, as a session folder has to be.
    pub(crate) fn fresh(&self) -> Outcome<Folder> {
        Ok(Folder(TempDir::new_in(self.folder.path())?))
    }

    /// The folder of a session that has room for all hints: without the user, who serves it
    /// first, agents leave some of it free.
    pub(crate) fn roomy(&self) -> Outcome<Folder> {
        let folder = self.fresh()?;
        let mut command = self.serve(folder.path());
        command.args(["--foreground", "--max-hints=60000"]);
        command.arg("--max-hints-per-component=1000");
        Process::start(command)?.hear()?;
        Ok(folder)
    }

    /// A program that was built beside this one.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `nudge` with a session folder. A server that it starts ends with the folder.
    pub(crate) fn nudge(&self, runtime: &Path) -> Command {
        let mut command = Command::new(self.program("nudge"));
        command
            .current_dir(&self.repository)
            .env("NUDGE_RUNTIME_DIR", runtime)
            .env("HOME", self.folder.path());
        // A server in CI keeps nothing.
        command.env_remove("CI");
        command
    }

    /// `nudge serve`, which is a PROXY; the PRIMARY that it may start takes any port.
    pub(crate) fn serve(&self, runtime: &Path) -> Command {
        let mut command = self.nudge(runtime);
        command.args(["serve", "--port", "0"]);
        command
    }

    /// The rmcp server, whose answers are so long.
    pub(crate) fn echo(&self, bytes: usize) -> Command {
        let mut command = Command::new(self.program("nudge-echo"));
        command.current_dir(&self.repository).arg(bytes.to_string());
        command
    }
}

/// A folder, and whoever serves the session in it: both end with this value.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// The process that owns the session.
    pub(crate) fn primary(&self) -> Option<u32> {
        Runtime::as_it_is(self.path()).lock_holder()
    }

    /// Ends it without a warning; the session can go on.
    pub(crate) fn kill_primary(&self) {
        while let Some(pid) = self.primary() {
            platform::end(pid);
            sleep(Duration::from_millis(1));
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.kill_primary();
    }
}

/// What makes a folder a repository to git, without starting it.
fn write_repository(git: &Path) -> Outcome<()> {
    fs::create_dir_all(git.join("objects"))?;
    fs::create_dir_all(git.join("refs/heads"))?;
    fs::write(git.join("HEAD"), "ref: refs/heads/dev\n")?;
    let config = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\
                  [remote \"origin\"]\n\turl = git@git.example:team/platform.git\n\
                  \tfetch = +refs/heads/*:refs/remotes/origin/*\n";
    Ok(fs::write(git.join("config"), config)?)
}
