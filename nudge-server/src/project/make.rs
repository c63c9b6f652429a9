//! Makefiles: their targets, each with its recipe.

use super::blocks::blocks;
use super::has;
use super::manifest::{Manifest, is_plain};

pub(super) const FILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// Lines that begin so bring rules from elsewhere, or for any name.
const OPEN: &str = "include -include sinclude .DEFAULT: .RECIPEPREFIX";

pub(super) fn read(text: &str) -> Manifest {
    let mut manifest = Manifest::default();
    let mut phony = String::new();
    // Only a tab makes a recipe.
    let lines = text.split('\n').map(|line| line.trim_start_matches(' '));
    let text = lines.collect::<Vec<_>>().join("\n");
    for (line, recipe) in blocks(&text.replace("\\\n", " ")) {
        let code = line.split('#').next().unwrap_or_default();
        let first = code.split_whitespace().next().unwrap_or_default();
        manifest.is_open |= has(OPEN, first);
        match rule(code) {
            Some((".PHONY", names)) => phony.extend([names, " "]),
            Some((names, needs)) => targets(&mut manifest, names, &format!("{needs}\n{recipe}")),
            // What a call leaves behind may be rules.
            None => manifest.is_open |= first.starts_with('$'),
        }
    }
    targets(&mut manifest, &phony, "");
    manifest
}

/// The two sides of a rule; `None` for an assignment.
fn rule(line: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let end = line.find(|letter| {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && [':', '='].contains(&letter)
    });
    let (left, right) = line.split_at_checked(end?)?;
    let right = right.strip_prefix(':')?.trim_start_matches(':');
    (!right.starts_with('=')).then(|| (left.trim(), right.trim()))
}

/// Declares targets. Patterns and variables for files make nothing that people call by name.
fn targets(manifest: &mut Manifest, names: &str, body: &str) {
    for name in names.split_whitespace() {
        if is_plain(name) {
            manifest.declare(name, body.trim_end());
        }
        manifest.is_open |= name.contains(['%', '$']) && !name.contains(['/', '.']);
    }
}
