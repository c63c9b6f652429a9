//! `Machine`: what installing may know of where it runs, read once.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use nudge_client::folder::file::read_linked;
use nudge_client::platform::{is_variable, plain};

use super::config_file::LARGEST;
use super::program::find;
use super::table::{HOSTS, Host, Scope};
use crate::platform::desktop::HOME;

/// What everybody calls the binary.
pub(crate) const PROGRAM: &str = "nudge";

/// A folder that a host's files are in.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Root {
    /// Below the user's home.
    Home(&'static str),
    /// Below the folder that a variable names, where it is set.
    In(&'static str, &'static str),
}

/// Where this process runs: its environment, its folder, its binary.
#[derive(Debug)]
pub(crate) struct Machine {
    variables: BTreeMap<OsString, OsString>,
    home: PathBuf,
    pub(crate) folder: PathBuf,
    /// The binary as hosts are to start it.
    pub(crate) binary: PathBuf,
}

/// A file of a host, and the folder that it may not lead out of.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Location {
    /// The user's folder of the host, or the root of the project.
    pub(crate) base: PathBuf,
    /// The file's path below it.
    pub(crate) name: &'static str,
}

impl Location {
    pub(crate) fn path(&self) -> PathBuf {
        // In parts, so that what stands between them is the system's.
        self.base.join(self.name).components().collect()
    }
}

impl Machine {
    /// The machine that this process runs on.
    ///
    /// The error is one sentence for the person who asked.
    pub(crate) fn here() -> Result<Machine, String> {
        let variables: BTreeMap<_, _> = std::env::vars_os().collect();
        let home = std::env::var_os(HOME).map(PathBuf::from);
        let home = home.filter(|home| home.is_absolute());
        let home = home.ok_or_else(|| format!("{HOME} names no folder; set it to your home"))?;
        let folder = std::env::current_dir()
            .map_err(|error| format!("the current folder cannot be found: {error}"))?;
        let running = std::env::current_exe()
            .map_err(|error| format!("the path of this binary cannot be found: {error}"))?;
        let mut machine = Machine {
            variables,
            home,
            folder,
            binary: running,
        };
        machine.binary = machine.stable_binary()?;
        Ok(machine)
    }

    /// Another machine, for tests: a home, the folder of commands, a project.
    #[cfg(any(test, feature = "fuzz"))]
    pub(crate) fn made_up(home: &Path, path: &Path, folder: &Path, binary: &Path) -> Machine {
        Machine {
            variables: BTreeMap::from([("PATH".into(), path.into())]),
            home: home.to_owned(),
            folder: folder.to_owned(),
            binary: binary.to_owned(),
        }
    }

    /// The path of this binary that stays when a newer one is installed: a link
    /// on the PATH that leads to it, or its own.
    fn stable_binary(&self) -> Result<PathBuf, String> {
        let running = self.binary.canonicalize().map_err(|_| {
            let gone = self.binary.display();
            format!("`{gone}` is gone since it was started; run the new `nudge`")
        })?;
        let linked = self.on_path("nudge");
        let is_this = |path: &PathBuf| path.canonicalize().is_ok_and(|path| path == running);
        Ok(plain(linked.filter(is_this).unwrap_or(running)))
    }

    pub(crate) fn on_path(&self, word: &str) -> Option<PathBuf> {
        find(word, self.variable("PATH")?)
    }

    /// What a variable says; an empty text says nothing.
    pub(crate) fn variable(&self, name: &str) -> Option<&OsString> {
        let mut all = self.variables.iter();
        let is_it = |known: &OsString| known.to_str().is_some_and(|known| is_variable(known, name));
        let found = all.find(|(known, value)| is_it(known) && !value.is_empty());
        found.map(|(_, value)| value)
    }

    /// The folder of a host, whether it is there or not.
    pub(crate) fn folder(&self, host: &Host) -> PathBuf {
        self.first(host.folder)
    }

    pub(crate) fn has(&self, host: &Host) -> bool {
        let mut commands = host.commands.iter();
        commands.any(|word| self.on_path(word).is_some()) || self.folder(host).is_dir()
    }

    pub(crate) fn hosts(&self) -> Vec<&'static Host> {
        HOSTS.iter().filter(|host| self.has(host)).collect()
    }

    /// The file that shows that a host has Nudge as a plugin.
    pub(crate) fn plugin(&self, host: &Host) -> Option<PathBuf> {
        let folder = self.folder(host);
        let mut signs = host.plugin.iter();
        signs.find_map(|(file, text)| {
            let path: PathBuf = folder.join(file).components().collect();
            let all = read_linked(&path, LARGEST).unwrap_or_default();
            let shows = String::from_utf8_lossy(&all).contains(text);
            shows.then_some(path)
        })
    }

    /// The files of a host in a scope, the one to make first.
    pub(crate) fn locations(&self, host: &Host, scope: Scope) -> Vec<Location> {
        let (base, names) = match scope {
            Scope::User if host.user.is_empty() => (self.folder(host), host.user_files),
            Scope::User => (self.first(host.user), host.user_files),
            Scope::Project => (self.project(), host.project_files),
        };
        let at = |name: &&'static str| Location {
            base: base.clone(),
            name,
        };
        names.iter().map(at).collect()
    }

    /// The root of the repository that this process is in, or its folder.
    pub(crate) fn project(&self) -> PathBuf {
        let mut above = self.folder.ancestors();
        let root = above.find(|folder| folder.join(".git").exists());
        root.unwrap_or(&self.folder).to_owned()
    }

    /// Whether a program is what an entry of a scope should name: this very binary, or in a
    /// project's file the word for it.
    pub(crate) fn wants(&self, program: &str, scope: Scope) -> bool {
        match scope {
            Scope::User => self.starts_this(program),
            Scope::Project => program == PROGRAM,
        }
    }

    /// Whether a word in a config starts this very binary.
    pub(crate) fn starts_this(&self, program: &str) -> bool {
        let same = |path: &Path| {
            let path = path.canonicalize().ok();
            path.is_some() && path == self.binary.canonicalize().ok()
        };
        self.resolve(program).is_some_and(|path| same(&path))
    }

    /// The file that a program in a config is: an absolute path, or a word on
    /// the PATH. A path that depends on the folder of the host is none.
    pub(crate) fn resolve(&self, program: &str) -> Option<PathBuf> {
        let path = Path::new(program);
        if path.is_absolute() {
            return Some(path.to_owned());
        }
        let is_word = path.components().count() == 1 && !program.starts_with('.');
        is_word.then(|| self.on_path(program)).flatten()
    }

    /// The first folder that the environment names.
    pub(crate) fn first(&self, roots: &[Root]) -> PathBuf {
        let path = |root: &Root| match root {
            Root::Home(rest) => Some(self.home.join(rest)),
            Root::In(variable, rest) => {
                let named = self.variable(variable)?;
                // A path that is not absolute is one below the folder of whoever reads it.
                (!named.is_empty()).then(|| self.folder.join(named).join(rest))
            }
        };
        // `join("")` ends in a slash, which no file of this name has.
        let tidy = |path: PathBuf| path.components().collect();
        roots
            .iter()
            .find_map(path)
            .map_or_else(|| self.home.clone(), tidy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(variables: &[(&str, &str)]) -> Machine {
        let pair = |(name, value): &(&str, &str)| (OsString::from(name), OsString::from(value));
        Machine {
            variables: variables.iter().map(pair).collect(),
            home: "/home/ada".into(),
            folder: "/code/api".into(),
            binary: "/usr/bin/nudge".into(),
        }
    }

    fn file(id: &str, scope: Scope, variables: &[(&str, &str)]) -> String {
        let host = Host::named(id).unwrap();
        let locations = machine(variables).locations(host, scope);
        locations.first().unwrap().path().display().to_string()
    }

    #[test]
    fn the_variables_that_a_host_honours_move_its_files() {
        for row in [
            "claude CLAUDE_CONFIG_DIR /home/ada/.claude.json /x/.claude.json",
            "codex CODEX_HOME /home/ada/.codex/config.toml /x/config.toml",
            "gemini GEMINI_CLI_HOME /home/ada/.gemini/settings.json /x/.gemini/settings.json",
            "opencode XDG_CONFIG_HOME /home/ada/.config/opencode/opencode.json /x/opencode/opencode.json",
            "copilot COPILOT_HOME /home/ada/.copilot/mcp-config.json /x/mcp-config.json",
        ] {
            let words: Vec<&str> = row.split(' ').collect();
            let [id, variable, usual, moved] = words[..] else {
                panic!("{row}");
            };
            assert_eq!(file(id, Scope::User, &[]), usual);
            assert_eq!(file(id, Scope::User, &[(variable, "")]), usual);
            assert_eq!(file(id, Scope::User, &[(variable, "/x")]), moved);
        }
        let portable = [("VSCODE_PORTABLE", "/p"), ("VSCODE_APPDATA", "/x")];
        assert_eq!(
            file("vscode", Scope::User, &portable),
            "/p/user-data/User/mcp.json"
        );
        assert_eq!(
            file("vscode", Scope::User, &portable[1..]),
            "/x/Code/User/mcp.json"
        );
    }

    #[test]
    fn a_program_that_depends_on_the_folder_of_a_host_is_none() {
        let machine = machine(&[("PATH", "/nowhere")]);
        assert_eq!(machine.resolve("/a/nudge"), Some("/a/nudge".into()));
        for program in ["./nudge", "bin/nudge", "../nudge", "nudge"] {
            assert_eq!(machine.resolve(program), None);
        }
    }
}
