//! A component and a key as hands type them: two words, `COMPONENT/KEY` as Nudge prints it, or a
//! key of where they are.

use nudge::{Components, ListComponents, slot_of};

use super::failure::{exit, is_missing};
use super::prelude::*;
use super::shell::SHELL;
use super::terminal::Asked;
use crate::primary::operations::Method;
use crate::proxy::infer::HERE;

#[derive(Debug, Args)]
pub(crate) struct SlotArgs {
    /// A service, module or folder by name, or COMPONENT/KEY; `.` is where you are
    component: String,
    /// What the hint is about; where one name is given, it is that, of where you are
    key: Option<String>,
}

impl SlotArgs {
    /// Calls a method about the hint, with what else is asked. One name that is a component's,
    /// and no key of where the caller is, is refused.
    pub(crate) fn ask(
        &self,
        terminal: &Terminal,
        method: impl Into<Method>,
        more: Params,
        given: Option<Value>,
    ) -> Result<Asked, Error> {
        let (component, key) = match &self.key {
            Some(key) => (self.component.clone(), key.clone()),
            None => named(terminal, &self.component)?,
        };
        let params = more
            .with("component", Some(&*component))
            .with("key", Some(&*key));
        let asked = terminal.ask(method, &params, given);
        let is_one = self.key.is_none() && component == HERE && key != HERE;
        let there = match &asked.answer {
            Err(fault) if is_one && is_missing(fault) => keys(terminal, &key)?,
            _ => Vec::new(),
        };
        if there.is_empty() {
            return Ok(asked);
        }
        let (typed, there) = (SHELL.quoted(&key), there.join("`, `"));
        Err(misuse(format!(
            "`{key}` is a component, and a key is missing: it has `{there}`; for a key of where \
             you are type `. {typed}`"
        )))
    }
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
    let mut there = Vec::new();
    for (component, key) in splits {
        if keys(terminal, component)?.iter().any(|one| one == key) {
            there.push((component, key));
        }
    }
    let [one, other, ..] = there[..] else {
        return Ok(there.pop().or_else(|| slot_of(name)).map(owned));
    };
    let [one, other] = [one, other]
        .map(|(component, key)| format!("`{} {}`", SHELL.quoted(component), SHELL.quoted(key)));
    Err(misuse(format!(
        "`{name}` is ambiguous: {one} and {other} are both hints; type one of them as two words"
    )))
}

/// The keys of a component, as far as the caller may know them.
pub(crate) fn keys(terminal: &Terminal, component: &str) -> Result<Vec<String>, Error> {
    let list = ListComponents::of(component);
    let listed = match terminal.get::<Components>(Operation::ListComponents, &list, None) {
        // Whoever does not answer is not asked again.
        Err(fault) if exit(&Error::from(&fault)) == Exit::NoServer => return Err(fault.into()),
        listed => listed,
    };
    let components = listed.into_iter().flat_map(|listed| listed.components);
    let keys = components.flat_map(|one| one.keys.unwrap_or_default());
    Ok(keys.map(|key| key.to_string()).collect())
}
