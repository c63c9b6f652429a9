//! What a surface cannot do, by the names of the cases, with a reason each.

use std::collections::BTreeMap;
use std::fs;

use super::file;

/// The cases that are listed for a surface, and why. A line is the name of a
/// case, two spaces or more, and the reason; `#` starts a remark.
pub(crate) fn listed(surface: &str) -> BTreeMap<String, String> {
    let path = file(&format!("baseline/{surface}.txt"));
    let text = fs::read_to_string(path).unwrap_or_default();
    let mut listed = BTreeMap::new();
    for line in text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (name, reason) = line
            .split_once("  ")
            .unwrap_or_else(|| panic!("baseline/{surface}.txt: no reason is given: {line}"));
        listed.insert(name.to_owned(), reason.trim().to_owned());
    }
    listed
}
