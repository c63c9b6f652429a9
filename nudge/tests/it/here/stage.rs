//! A temporary folder in which repositories are laid out, with git or by hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use nudge::{Context, Repo};
use tempfile::TempDir;

/// A temporary folder in which repositories are laid out.
pub(super) struct Stage(TempDir);

impl Stage {
    /// Makes an empty stage.
    pub(super) fn new() -> Stage {
        Stage(tempfile::tempdir().unwrap())
    }

    /// Makes an empty stage if git is installed.
    pub(super) fn of_git() -> Option<Stage> {
        let stage = Stage::new();
        stage.ask_git("", "--version").map(|_| stage)
    }

    /// The physical path of a place on the stage.
    pub(super) fn path(&self, place: &str) -> PathBuf {
        let root = fs::canonicalize(self.0.path()).unwrap();
        if place.is_empty() {
            root
        } else {
            root.join(place)
        }
    }

    /// The spelling of a local repository.
    pub(super) fn local(&self, place: &str) -> String {
        Repo::parse(self.path(place).to_str().unwrap())
            .unwrap()
            .to_string()
    }

    /// Makes a folder.
    pub(super) fn folder(&self, place: &str) {
        fs::create_dir_all(self.path(place)).unwrap();
    }

    /// Writes a file and the folders above it.
    pub(super) fn file(&self, place: &str, text: &str) {
        let path = self.path(place);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes the files that make a folder a repository to git.
    pub(super) fn repository(&self, place: &str, head: &str, config: &str) {
        self.folder(&format!("{place}/objects"));
        self.folder(&format!("{place}/refs"));
        self.file(&format!("{place}/HEAD"), head);
        self.file(&format!("{place}/config"), config);
    }

    /// Writes a repository on `main` whose origin is `url`.
    pub(super) fn cloned(&self, place: &str, url: &str) {
        let config = format!("[remote \"origin\"]\nurl = {url}\n");
        self.repository(&format!("{place}/.git"), "ref: refs/heads/main\n", &config);
    }

    /// Puts a pipe that nobody writes to in place of a file.
    #[cfg(unix)]
    pub(super) fn pipe(&self, place: &str) {
        self.file(place, "");
        fs::remove_file(self.path(place)).unwrap();
        let made = Command::new("mkfifo").arg(self.path(place)).status();
        assert!(made.unwrap().success());
    }

    /// Runs git, without the settings of whoever runs the tests; no argument has a space.
    pub(super) fn ask_git(&self, place: &str, args: &str) -> Option<String> {
        let output = Command::new("git")
            .args(["-c", "user.name=Ola", "-c", "user.email=ola@example.test"])
            .args(args.split_whitespace())
            .current_dir(self.path(place))
            .env_clear()
            .envs(
                std::env::vars_os().filter(|(name, _)| !name.to_string_lossy().starts_with("GIT_")),
            )
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim_end().to_owned())
    }

    /// Runs a step of git that must succeed.
    pub(super) fn git(&self, place: &str, args: &str) -> String {
        self.ask_git(place, args)
            .unwrap_or_else(|| panic!("git {args} in {place:?} failed"))
    }

    /// The context of a place on the stage.
    pub(super) fn context(&self, place: &str) -> Context {
        Context::new()
            .cwd(self.path(place).to_str().unwrap())
            .filled_in(["PATH"; 0])
    }

    /// The repository and the branch that are found at a place.
    pub(super) fn seen(&self, place: &str) -> (Option<String>, Option<String>) {
        let context = self.context(place);
        let facts = context.facts();
        (
            facts.repos.first().map(Repo::to_string),
            facts.branch.clone(),
        )
    }

    /// Asserts which folder is the worktree's root of a place, if any is.
    #[track_caller]
    pub(super) fn finds_root<'a>(&self, place: &str, root: impl Into<Option<&'a str>>) {
        let stated = |root| Context::new().root(self.path(root).to_str().unwrap());
        let root = root.into().map(stated);
        let root = root.and_then(|root| root.facts().root.clone());
        assert_eq!(self.context(place).facts().root, root);
    }

    /// Asserts what is found at a place.
    #[track_caller]
    pub(super) fn finds<'a>(&self, place: &str, repo: &str, branch: impl Into<Option<&'a str>>) {
        let expected = (Some(repo.to_owned()), branch.into().map(str::to_owned));
        assert_eq!(self.seen(place), expected, "{}", self.shown(place));
    }

    /// Asserts that the repository found at a place is the local one at `root`.
    #[track_caller]
    pub(super) fn finds_local<'a>(
        &self,
        place: &str,
        root: &str,
        branch: impl Into<Option<&'a str>>,
    ) {
        self.finds(place, &self.local(root), branch);
    }

    /// Asserts that a place lies in no repository, or in one that cannot be read.
    #[track_caller]
    pub(super) fn finds_nothing(&self, place: &str) {
        assert_eq!(self.seen(place), (None, None), "{}", self.shown(place));
        self.finds_root(place, None);
    }

    /// The files that decide about a place, for the message of a test that fails.
    fn shown(&self, place: &str) -> String {
        // A pipe is not read here either.
        let file = |name: &str| Some(self.path(place).join(name)).filter(|path| path.is_file());
        let text = |name: &str| file(name).and_then(|path| fs::read_to_string(path).ok());
        format!(
            "HEAD {:?}, config {:?}",
            text(".git/HEAD"),
            text(".git/config")
        )
    }
}
