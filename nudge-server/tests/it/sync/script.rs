//! `Script`: repositories that no program of ours would write.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a repository holds, as `git fast-import` reads it.
pub(crate) struct Script(Vec<u8>);

impl Script {
    pub(crate) fn new() -> Script {
        Script(Vec::new())
    }

    /// A commit on a ref, with files of a mode, a name and a text, and perhaps a parent.
    pub(crate) fn commit(
        mut self,
        name: &str,
        files: &[(&str, &str, &[u8])],
        from: Option<&str>,
    ) -> Script {
        let head = format!("commit {name}\ncommitter x <x@x> 0 +0000\ndata 1\nx\n");
        self.0.extend(head.as_bytes());
        if let Some(from) = from {
            self.0.extend(format!("from {from}\n").as_bytes());
        }
        for (mode, name, text) in files {
            if *mode == "160000" {
                self.0
                    .extend(format!("M {mode} {} {name}\n", "1".repeat(40)).as_bytes());
                continue;
            }
            self.0
                .extend(format!("M {mode} inline {name}\ndata {}\n", text.len()).as_bytes());
            self.0.extend(*text);
            self.0.push(b'\n');
        }
        self
    }

    pub(crate) fn write(self, bare: &Path) {
        let mut import = Command::new("git");
        import
            .args(["fast-import", "--quiet"])
            .current_dir(bare)
            .stdin(Stdio::piped());
        let mut import = import.spawn().unwrap();
        import.stdin.take().unwrap().write_all(&self.0).unwrap();
        assert!(import.wait().unwrap().success());
    }
}
