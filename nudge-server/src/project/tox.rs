//! The environments of tox: `tox.ini`, `setup.cfg`, and what `pyproject.toml` has for it.

use super::blocks::blocks;
use super::manifest::Manifest;

pub(super) const FILES: [&str; 2] = ["tox.ini", "setup.cfg"];

/// What stands before the name of an environment in an anchor.
pub(super) const ENV: &str = "testenv:";

/// How many environments are made from braces, and how long their names may be.
const MOST: usize = 2000;
const LONGEST: usize = 256;

/// Reads a `tox.ini` or a `setup.cfg`, which may also configure other tools.
pub(super) fn read(text: &str) -> Manifest {
    let mut manifest = Manifest::default();
    let mut listed = String::new();
    let mut base = "";
    let text = format!("\n{text}");
    let sections = text.split("\n[").filter_map(|part| part.split_once(']'));
    for (section, body) in sections {
        let tool = section.strip_prefix("tool:").unwrap_or(section);
        match (section, section.strip_prefix(ENV)) {
            (_, Some(names)) => add(&mut manifest, names, body),
            ("testenv", _) => base = body,
            ("tox" | "tox:tox", _) => {
                let is_list = |line: &str| line.replace('_', "").starts_with("envlist");
                let list = blocks(body).into_iter().find(|(line, _)| is_list(line));
                listed.extend(list.map(|(line, more)| format!("{line}\n{more}")));
            }
            _ => manifest.tools.push(tool.to_owned()),
        }
    }
    let listed = listed.split_once('=').map_or("", |(_, listed)| listed);
    add(&mut manifest, listed, base);
    // A list that is made elsewhere says nothing about what is not in it.
    manifest.is_open |= listed.contains(['[', '$']);
    manifest
}

/// Adds the environments of a list with braces: `py{38,39}-x` is two. Each part between
/// hyphens is one as well, though nobody means it.
pub(super) fn add(manifest: &mut Manifest, list: &str, body: &str) {
    let mut is_choice = false;
    let marked = list.chars().filter(|letter| *letter != ' ').map(|letter| {
        is_choice = (is_choice || letter == '{') && letter != '}';
        let is_joint = is_choice && letter == ',';
        if is_joint { '|' } else { letter }
    });
    let marked: String = marked.collect();
    let mut left: Vec<String> = marked.split([',', '\n']).map(str::to_owned).collect();
    let mut parts = Vec::new();
    for _ in 0..MOST {
        let Some(word) = left.pop() else { break };
        let braces = word.split_once('{').and_then(|(before, rest)| {
            let (inner, after) = rest.split_once('}')?;
            Some((before, inner, after))
        });
        if word.len() > LONGEST {
            manifest.is_open = true;
        } else if let Some((before, inner, after)) = braces {
            let choices = inner.split('|');
            left.extend(choices.map(|choice| format!("{before}{choice}{after}")));
        } else if !word.trim().is_empty() {
            manifest.declare(format!("{ENV}{}", word.trim()), body.trim());
            parts.extend(word.trim().split('-').map(str::to_owned));
        }
    }
    manifest.is_open |= !left.is_empty();
    let count = manifest.names.len();
    for part in parts {
        manifest.declare(format!("{ENV}{part}"), body.trim());
    }
    let parts = manifest.names.iter_mut().skip(count);
    parts.for_each(|part| part.is_idle = true);
}

/// Whether tox makes up an environment of that name: one for a Python, or of several parts.
pub(super) fn is_made_up(name: &str) -> bool {
    let version = name.trim_start_matches("pypy").trim_start_matches("py");
    name.contains('-') || version.bytes().all(|byte| b"0123456789.".contains(&byte))
}
