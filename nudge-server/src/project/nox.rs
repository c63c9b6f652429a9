//! `noxfile.py`: its sessions, read and not executed.

use super::blocks::blocks;
use super::manifest::Manifest;

pub(super) const FILE: &str = "noxfile.py";

pub(super) fn read(text: &str) -> Manifest {
    // A session that is made in a loop or a function may have any name.
    let is_inner = |line: &str| line.starts_with([' ', '\t']) && is_session(line.trim_start());
    let is_open = text.contains("import *") || text.lines().any(is_inner);
    let mut manifest = Manifest::open(is_open);
    // What the decorators before a function say, once one of them makes it a session.
    let mut decorators = String::new();
    for (line, body) in blocks(text) {
        let function = line.trim_start_matches("async ").strip_prefix("def ");
        match function.and_then(|function| function.split_once('(')) {
            Some((name, _)) if !decorators.is_empty() => {
                let said = said_name(&decorators);
                manifest.is_open |= said == Some("");
                let body = format!("{decorators}{body}");
                manifest.declare(said.unwrap_or(name), body.trim_end());
                decorators.clear();
            }
            _ if is_session(line) || !decorators.is_empty() => {
                decorators.extend([line, "\n", &body]);
            }
            _ => {}
        }
    }
    manifest
}

/// Whether a line begins the decorator that makes a session.
fn is_session(line: &str) -> bool {
    let path = line.split(['(', ' ', '#']).next().unwrap_or_default();
    path.starts_with('@') && path.ends_with("session")
}

/// The name that a decorator gives; empty for one that is not written out.
fn said_name(decorators: &str) -> Option<&str> {
    let mut values = decorators.split("name").skip(1);
    let value = values.find_map(|rest| rest.trim_start().strip_prefix('='))?;
    let quote = value.trim_start().chars().next();
    let quote = quote.filter(|quote| "'\"".contains(*quote));
    let name = quote.and_then(|quote| value.split(quote).nth(1));
    Some(name.unwrap_or_default())
}
