//! What version 0.1 left in the home, which nobody touches.

use std::fs;
use std::path::{Path, PathBuf};

use super::finding::Finding;
use crate::cli::shell::SHELL;

/// Names what is there in one finding, with how to read it.
pub(super) fn look(home: &Path) -> Option<Finding> {
    let state = home.join(".local/state/nudge-hints");
    let repos = fs::read_dir(state.join("repos")).into_iter().flatten();
    let mut repos = repos.flatten().map(|entry| entry.path());
    let repo = repos.find(|path| path.extension().is_some_and(|end| end == "json"));
    let is_there = |path: PathBuf| path.is_file().then_some(path);
    let everywhere = is_there(home.join(".config/nudge-hints/hints.json"));
    let journal = is_there(state.join("session/session.journal"));
    let all = repo.as_ref().map(|_| state.join("repos/*.json"));
    let all = all.iter().chain(&everywhere).chain(&journal);
    let all: Vec<String> = all.map(|path| format!("`{}`", path.display())).collect();
    let words = format!(
        "{} left and not read; `nudge import FILE` takes its kept files and exports",
        all.join(", ")
    );
    let finding = (!all.is_empty()).then(|| Finding::odd("version 0.1", words))?;
    Some(match repo.or(everywhere) {
        Some(file) => finding.fixed_by(format!("nudge import {}", SHELL.path(&file))),
        None => finding,
    })
}
