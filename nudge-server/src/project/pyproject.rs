//! `pyproject.toml`: which tools a Python project declares, and its tasks; and `mise.toml`.

use toml_edit::{DocumentMut, Item};

use super::manifest::Manifest;
use super::tox;

pub(super) const FILE: &str = "pyproject.toml";
pub(super) const MISE_FILES: [&str; 2] = ["mise.toml", ".mise.toml"];

/// What stands before the names of tasks in an anchor.
pub(super) const POE: &str = "tool.poe.tasks.";
pub(super) const PDM: &str = "tool.pdm.scripts.";
pub(super) const MISE: &str = "tasks.";
pub(super) const HATCH: &str = "tool.hatch.envs.default.scripts.";

/// Where tools are named: as keys of a table, or as requirements in a list.
const TOOLS_AT: &str = "tool project.dependencies project.optional-dependencies.* \
    dependency-groups.* tool.uv.dev-dependencies tool.pdm.dev-dependencies.* \
    tool.hatch.envs.*.dependencies tool.hatch.envs.*.extra-dependencies \
    tool.poetry.dev-dependencies tool.poetry.group.*.dependencies";

pub(super) fn read(text: &str) -> Manifest {
    let document: DocumentMut = text.parse().unwrap_or_default();
    let document = document.as_item();
    let legacy = all(document, "tool.tox.legacy_tox_ini");
    let legacy = legacy.first().and_then(|text| text.as_str());
    let mut manifest = legacy.map(tox::read).unwrap_or_default();
    manifest.is_open |= !all(document, "tool.poe.include").is_empty();
    for place in TOOLS_AT.split_whitespace() {
        manifest.tools.extend(names(document, place));
    }
    for beginning in [POE, PDM, HATCH] {
        declare_all(&mut manifest, document, beginning);
    }
    for place in ["tool.tox.env", "tool.tox.env_list"] {
        for name in names(document, place) {
            tox::add(&mut manifest, &name, "");
        }
    }
    manifest
}

/// Reads a `mise.toml`. Tasks may also be files, and come from folders above and the home,
/// so what is not here may be there.
pub(super) fn read_mise(text: &str) -> Manifest {
    let mut manifest = Manifest::open(true);
    let document: DocumentMut = text.parse().unwrap_or_default();
    declare_all(&mut manifest, document.as_item(), MISE);
    manifest
}

/// Declares the keys of the table that names in an anchor begin with.
fn declare_all(manifest: &mut Manifest, document: &Item, beginning: &str) {
    let tables = all(document, beginning.trim_end_matches('.'));
    let tables = tables.into_iter().filter_map(Item::as_table_like);
    for (name, body) in tables.flat_map(|table| table.iter()) {
        manifest.declare(format!("{beginning}{name}"), body.to_string().trim());
    }
}

/// What is at a place, of which a part may be `*`.
fn all<'a>(document: &'a Item, place: &str) -> Vec<&'a Item> {
    let mut found = vec![document];
    for part in place.split('.') {
        let tables = found.into_iter().filter_map(Item::as_table_like);
        let below = tables.flat_map(|table| table.iter());
        let asked = below.filter(|(key, _)| ["*", key].contains(&part));
        found = asked.map(|(_, item)| item).collect();
    }
    found
}

/// The keys of the tables at a place, and the names of the packages in its lists.
fn names(document: &Item, place: &str) -> Vec<String> {
    let mut names = Vec::new();
    for item in all(document, place) {
        let keys = item.as_table_like().into_iter().flat_map(|it| it.iter());
        names.extend(keys.map(|(key, _)| key.to_owned()));
        let is_end = |letter: char| !letter.is_ascii_alphanumeric() && !"-_.".contains(letter);
        for text in item.as_array().into_iter().flatten() {
            let package = text.as_str().and_then(|text| text.split(is_end).next());
            names.extend(package.map(str::to_owned));
        }
    }
    names
}
