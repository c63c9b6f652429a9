//! What a package for a host brings with it: the entry and the hooks that `nudge install` writes.

use serde_json::Value;

use super::entry::wanted;
use super::format::Edit;
use super::hooks::Hooks;
use super::table::{Host, STRICT, Scope};

/// The servers of a package: ours, as the host writes it down. Nothing for an unknown host.
#[must_use]
pub fn servers(id: &str, program: &str) -> Option<Value> {
    let entry = Edit::set(&["nudge"], wanted(Host::named(id)?, program));
    let servers = STRICT.edit("", &[entry]).ok()?;
    serde_json::from_str(&servers).ok()
}

/// The file with the hooks of a host; nothing where Nudge knows none.
#[must_use]
pub fn hooks(id: &str, program: &str) -> Option<String> {
    // As in a project's file: a status line is a user's choice.
    let hooks = Hooks::of(Host::named(id)?)?;
    hooks.wired(Scope::Project, "", program).ok()
}
