//! A component and a key as hands type them: two words, `COMPONENT/KEY` as Nudge prints it, or a
//! key of where they are.

use clap::Args;
use nudge::{Components, Error, ListComponents, Operation, slot_of};

use super::shell::SHELL;
use super::terminal::{Terminal, misuse};
use crate::proxy::infer::HERE;

#[derive(Debug, Args)]
pub(crate) struct SlotArgs {
    /// A service, module or folder by name, or COMPONENT/KEY; `.` is where you are
    component: String,
    /// What the hint is about; where one name is given, it is that, of where you are
    key: Option<String>,
}

impl SlotArgs {
    pub(crate) fn names(&self, terminal: &Terminal) -> Result<(String, String), Error> {
        if let Some(key) = &self.key {
            return Ok((self.component.clone(), key.clone()));
        }
        let slot = named(terminal, &self.component)?;
        if slot.0 == HERE {
            check_key(terminal, &slot.1)?;
        }
        Ok(slot)
    }
}

/// Refuses one name that is a component's, and no key of where the caller is.
fn check_key(terminal: &Terminal, name: &str) -> Result<(), Error> {
    let there = keys(terminal, name);
    if name == HERE || there.is_empty() || keys(terminal, HERE).iter().any(|key| key == name) {
        return Ok(());
    }
    let typed = SHELL.quoted(name);
    Err(misuse(format!(
        "`{name}` is a component, and a key is missing: it has `{}`; for a key of where you are type \
         `. {typed}`",
        there.join("`, `")
    )))
}

/// The slot that one name is: what a slash splits, else a key of where the caller is.
pub(crate) fn named(terminal: &Terminal, name: &str) -> Result<(String, String), Error> {
    let split = split(terminal, name)?;
    Ok(split.unwrap_or_else(|| (HERE.to_owned(), name.to_owned())))
}

/// A component and a key with a slash between them: split at the last one, unless another split
/// is that of the only hint there is.
pub(crate) fn split(terminal: &Terminal, name: &str) -> Result<Option<(String, String)>, Error> {
    let splits = name.match_indices('/').filter_map(|(at, _)| {
        let (component, key) = (name.get(..at)?, name.get(at + 1..)?);
        (!component.is_empty() && !key.is_empty()).then_some((component, key))
    });
    let splits: Vec<(&str, &str)> = splits.collect();
    let owned = |(component, key): (&str, &str)| (component.to_owned(), key.to_owned());
    if splits.len() < 2 {
        return Ok(slot_of(name).map(owned));
    }
    let is_there =
        |(component, key): &&(&str, &str)| keys(terminal, component).iter().any(|one| one == key);
    let there: Vec<_> = splits.iter().filter(is_there).collect();
    let [one, other, ..] = there[..] else {
        return Ok(there
            .first()
            .map(|one| owned(**one))
            .or_else(|| slot_of(name).map(owned)));
    };
    let [one, other] = [one, other]
        .map(|(component, key)| format!("`{} {}`", SHELL.quoted(component), SHELL.quoted(key)));
    Err(misuse(format!(
        "`{name}` is ambiguous: {one} and {other} are both hints; type one of them as two words"
    )))
}

/// The keys of a component, as far as the caller may know them.
pub(crate) fn keys(terminal: &Terminal, component: &str) -> Vec<String> {
    let list = ListComponents::of(component);
    let listed = terminal.get::<Components>(Operation::ListComponents, &list, None);
    let components = listed.into_iter().flat_map(|listed| listed.components);
    let keys = components.flat_map(|one| one.keys.unwrap_or_default());
    keys.map(|key| key.to_string()).collect()
}
