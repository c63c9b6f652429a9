//! A home with hosts in it, and `nudge` as it is typed there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::Folder as TempDir;

/// The binary that the tests install.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_nudge");

/// The path that the binary has in files that are written down.
pub(crate) const INSTALLED: &str = "/usr/local/bin/nudge";

/// Each host: the word for it, its folder, its file, and where that starts to differ.
pub(crate) const HOSTS: [(&str, &str, &str); 7] = [
    ("claude", ".claude", ".claude.json"),
    ("codex", ".codex", ".codex/config.toml"),
    ("gemini", ".gemini", ".gemini/settings.json"),
    ("cursor", ".cursor", ".cursor/mcp.json"),
    ("vscode", ".config/Code", ".config/Code/User/mcp.json"),
    (
        "opencode",
        ".config/opencode",
        ".config/opencode/opencode.json",
    ),
    ("copilot", ".copilot", ".copilot/mcp-config.json"),
];

/// A home and a project, both empty.
pub(crate) struct Home {
    root: TempDir,
    variables: Vec<(String, String)>,
}

/// What a command printed, and how it ended.
#[derive(Debug)]
pub(crate) struct Typed {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Home {
    /// A home in which all hosts seem to be installed.
    pub(crate) fn with_hosts() -> Home {
        let home = Home::empty();
        for (_, folder, _) in HOSTS {
            fs::create_dir_all(home.path(folder)).unwrap();
        }
        home
    }

    /// A home without any host.
    pub(crate) fn empty() -> Home {
        let root = crate::process::folder();
        for folder in ["home", "project/.git"] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        Home {
            root,
            variables: Vec::new(),
        }
    }

    /// The same with one more variable.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Home {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// A path below the home.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join("home").join(name)
    }

    /// A path below the project.
    pub(crate) fn project(&self, name: &str) -> PathBuf {
        self.root.path().join("project").join(name)
    }

    /// Writes a file, with the folders above it.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// A config as it is written down, whatever the binary is called here.
    pub(crate) fn as_installed(&self, name: &str) -> String {
        self.read(name).replace(BINARY, INSTALLED)
    }

    /// Types `nudge` and what follows.
    pub(crate) fn nudge(&self, line: &str) -> Typed {
        self.run(Path::new(BINARY), line)
    }

    pub(crate) fn run(&self, binary: &Path, line: &str) -> Typed {
        let mut command = Command::new(binary);
        command
            .args(line.split_whitespace())
            .env_clear()
            .env("HOME", self.path(""))
            .env("PATH", "/usr/bin:/bin")
            .envs(self.variables.iter().cloned())
            .current_dir(self.project(""));
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Typed {
            status: output.status.code().unwrap(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Every file and folder below the home and the project, with its bytes if it has any; but for the
    /// user's settings, which stay whatever happens.
    pub(crate) fn everything(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut all = BTreeMap::new();
        let mut folders = vec![self.path(""), self.project("")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.ends_with(".config/nudge-hints") {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path.clone());
                }
                let bytes = fs::read(&path).ok();
                all.insert(path, bytes);
            }
        }
        all
    }
}

impl Typed {
    /// What was printed, of a command that went well.
    pub(crate) fn done(self) -> String {
        assert_eq!(self.status, 0, "{self:?}");
        self.stdout
    }

    /// What was said, of a command that was refused.
    pub(crate) fn refused(self) -> String {
        assert_eq!(self.status, 2, "{self:?}");
        self.stderr
    }
}
