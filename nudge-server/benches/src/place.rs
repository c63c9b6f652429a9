//! Where everything runs: folders of its own, a repository like a client's, the
//! programs, and the peers that may be missing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::Outcome;

/// Folders and programs.
pub(crate) struct Place {
    /// All that is written goes here, and goes away with this value.
    folder: TempDir,
    /// Where cargo and npm put what they built.
    target: PathBuf,
    /// A work tree on the branch `dev`, in which every server is started.
    pub(crate) repository: PathBuf,
}

impl Place {
    pub(crate) fn new() -> Outcome<Place> {
        let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        let folder = tempfile::tempdir()?;
        let repository = folder.path().join("platform");
        write_repository(&repository.join(".git"))?;
        Ok(Place {
            folder,
            target: fs::canonicalize(target)?,
            repository,
        })
    }

    /// A new folder that only this user can read, as a runtime folder has to be.
    pub(crate) fn fresh(&self) -> Outcome<TempDir> {
        Ok(TempDir::new_in(self.folder.path())?)
    }

    /// A program that was built beside this one.
    pub(crate) fn built(&self, name: &str) -> PathBuf {
        self.target.join("release").join(name)
    }

    /// `nudge` with a runtime folder.
    pub(crate) fn nudge(&self, runtime: &Path) -> Command {
        let mut command = Command::new(self.built("nudge"));
        command
            .current_dir(&self.repository)
            .env("NUDGE_RUNTIME_DIR", runtime);
        command
    }

    /// `nudge serve` on any port.
    pub(crate) fn serve(&self, runtime: &Path) -> Command {
        let mut command = self.nudge(runtime);
        command.args(["serve", "--port", "0"]);
        command
    }

    /// The rmcp server on `stdio` or `pipes`, whose answers are so long.
    pub(crate) fn echo(&self, transport: &str, bytes: usize) -> Command {
        let mut command = Command::new(self.built("nudge-echo"));
        command
            .current_dir(&self.repository)
            .args([transport, &bytes.to_string()]);
        command
    }

    /// A program from npm, run by node without a shell between.
    pub(crate) fn node(&self, script: &str) -> Outcome<Command> {
        let script = self.target.join("bench/node/node_modules").join(script);
        if !script.exists() {
            return Err("no npm, or no registry".into());
        }
        let mut command = Command::new("node");
        command.current_dir(&self.repository).arg(script);
        Ok(command)
    }

    /// server-memory over the file of its facts, which need not be there.
    pub(crate) fn server_memory(&self, file: &Path) -> Outcome<Command> {
        let mut command = self.node("@modelcontextprotocol/server-memory/dist/index.js")?;
        command.env("MEMORY_FILE_PATH", file);
        Ok(command)
    }

    /// zoxide with a small database of its own.
    pub(crate) fn zoxide(&self, data: &Path) -> Outcome<Command> {
        let program = self.target.join("bench/zoxide/bin/zoxide");
        if !program.exists() {
            return Err("no zoxide, which cargo could not install".into());
        }
        let mut command = Command::new(program);
        command
            .current_dir(&self.repository)
            .env("_ZO_DATA_DIR", data);
        Ok(command)
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
