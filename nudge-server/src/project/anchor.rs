//! Anchors: what a command rests on, and what became of it.

use nudge::{Absent, Anchor, AnchorState};

use super::files::Look;
use super::folder::join;
use super::manifest::nearest;
use super::resolve::references;
use super::runner::reader;
use super::{npm, tox};

/// How many are kept of a command, and how long their places may be.
const MOST: usize = 8;
const LONGEST: usize = 256;

/// What a command that is run in a folder rests on. Of a file alone no hash is kept: it
/// changes too often to mean anything.
pub(super) fn anchors(look: &Look<'_>, folder: &str, command: &str) -> Vec<Anchor> {
    let mut found = Vec::new();
    for reference in references(look, folder, command) {
        let file = reference.file;
        let read = reader(&file).and_then(|read| look.manifest(&file, read));
        if let Some(name) = reference.name {
            let known = read.as_ref().and_then(|read| read.named(&name));
            let slice = known.map(|known| known.slice.as_str());
            found.extend(slice.map(|slice| anchor(&format!("{file}#{name}"), Some(slice), None)));
        } else if look.is_file(&file) {
            found.push(anchor(&file, None, None));
        }
    }
    found.extend(locks(look, folder, command));
    found.retain(|anchor| anchor.at.len() <= LONGEST);
    found.truncate(MOST);
    found
}

fn anchor(at: &str, slice: Option<&str>, is: Option<Absent>) -> Anchor {
    Anchor {
        at: at.into(),
        slice: slice.map(Into::into),
        is,
    }
}

/// The lock file that chose the package manager of a command, and those beside it whose
/// coming would choose another. That of npm often lies beside another without a meaning.
fn locks(look: &Look<'_>, folder: &str, command: &str) -> Vec<Anchor> {
    let program = command.split_whitespace().next().unwrap_or_default();
    let (manager, chosen_by) = npm::manager(look, folder);
    let Some(chosen_by) = chosen_by.filter(|_| manager == program) else {
        return Vec::new();
    };
    let mut found = vec![anchor(&chosen_by, None, None)];
    let beside = chosen_by.rsplit_once('/').map_or("", |(folder, _)| folder);
    for (other, file) in npm::LOCKS.into_iter().take(3) {
        let file = join(beside, file);
        if other != manager && !look.is_there(&file) {
            found.push(anchor(&file, None, Some(Absent::Absent)));
        }
    }
    found
}

pub(super) fn state(look: &Look<'_>, anchor: &Anchor) -> AnchorState {
    let (file, name) = match anchor.at.split_once('#') {
        Some((file, name)) => (file, Some(name)),
        None => (anchor.at.as_str(), None),
    };
    match anchor.is {
        Some(Absent::Absent) if look.is_there(file) => AnchorState::Changed,
        Some(Absent::Absent) => AnchorState::Holds,
        None => state_of(look, file, name, anchor.slice.as_deref()),
    }
}

/// What became of a name in a file, or of the file.
pub(super) fn state_of(
    look: &Look<'_>,
    file: &str,
    name: Option<&str>,
    slice: Option<&str>,
) -> AnchorState {
    let Some(name) = name else {
        return file_state(look, file);
    };
    let Some(manifest) = reader(file).and_then(|read| look.manifest(file, read)) else {
        return AnchorState::Unknown;
    };
    let is_made_up = || name.strip_prefix(tox::ENV).is_some_and(tox::is_made_up);
    match manifest.named(name) {
        Some(known) if slice.is_none_or(|slice| slice == known.slice) => AnchorState::Holds,
        Some(_) => AnchorState::Changed,
        // What declares nothing that is understood may declare all the same.
        None if manifest.is_open || manifest.names.is_empty() => AnchorState::Unknown,
        None if is_made_up() => AnchorState::Unknown,
        None => {
            let beginning = name.strip_suffix(bare(name)).unwrap_or_default();
            let others = manifest.names.iter().map(|known| known.name.as_str());
            let others = others.filter_map(|known| known.strip_prefix(beginning));
            let near = nearest(bare(name), others);
            AnchorState::Gone { near }
        }
    }
}

/// Only of a script it is known that people wrote it: what lies elsewhere may not have been
/// built yet.
fn file_state(look: &Look<'_>, file: &str) -> AnchorState {
    if look.is_there(file) {
        return AnchorState::Holds;
    }
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let is_script = ["script", "scripts"].iter().any(|it| folder.ends_with(it));
    match look.entries(folder).filter(|_| is_script) {
        Some(others) => AnchorState::Gone {
            near: nearest(name, others.iter().map(|(name, _)| name.as_str())),
        },
        None => AnchorState::Unknown,
    }
}

/// A name in an anchor as it is typed.
pub(super) fn bare(name: &str) -> &str {
    let ends = ["scripts.", "tasks.", tox::ENV];
    let bare = ends.iter().find_map(|end| Some(name.split_once(end)?.1));
    bare.unwrap_or(name)
}
