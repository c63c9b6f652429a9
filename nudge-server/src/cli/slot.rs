//! `COMPONENT/KEY`, as Nudge prints it, in the place of two words.

use std::ffi::OsString;

use clap::error::ErrorKind;

/// The commands that take a component and a key.
const COMMANDS: [&str; 12] = [
    "set", "add", "get", "bump", "why", "show", "keep", "edit", "delete", "rm", "remove", "del",
];

/// The words of a command line with the first that has a slash as two, where something is missing
/// without that.
pub(super) fn split(words: &[OsString], misuse: &clap::Error) -> Option<Vec<OsString>> {
    let texts: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
    let texts = texts.filter(|_| misuse.kind() == ErrorKind::MissingRequiredArgument)?;
    let command = texts.iter().position(|word| COMMANDS.contains(word))?;
    let is_slot = |word: &&str| !word.starts_with(['-', '/', '.']) && parts(word).is_some();
    let at = texts.iter().skip(command + 1).position(is_slot)? + command + 1;
    let (component, key) = parts(texts.get(at)?)?;
    let mut words = words.to_vec();
    words.splice(at..=at, [component.into(), key.into()]);
    Some(words)
}

/// A component and a key, at the last slash.
pub(super) fn parts(word: &str) -> Option<(&str, &str)> {
    let parts = word.rsplit_once('/');
    parts.filter(|(component, key)| !component.is_empty() && !key.is_empty())
}
