//! `COMPONENT/KEY`, as Nudge prints it, in the place of two words.

use std::ffi::OsString;

use clap::error::ErrorKind;
use nudge::slot_of;

/// The commands that take a component and a key.
const COMMANDS: [&str; 12] = [
    "set", "add", "get", "bump", "why", "show", "keep", "edit", "delete", "rm", "remove", "del",
];

/// The words of a command line with the first after the command as two, if it has a slash and
/// something is missing without that. A later one may be a value.
pub(super) fn split(words: &[OsString], misuse: &clap::Error) -> Option<Vec<OsString>> {
    let texts: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
    let texts = texts.filter(|_| misuse.kind() == ErrorKind::MissingRequiredArgument)?;
    let command = texts.iter().position(|word| COMMANDS.contains(word))?;
    let at = command + 1;
    texts.get(at).filter(|word| !word.starts_with('-'))?;
    let (component, key) = slot_of(texts.get(at)?)?;
    let mut words = words.to_vec();
    words.splice(at..=at, [component.into(), key.into()]);
    Some(words)
}
