//! What is being worked on, as a store keeps it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::json::likest;
use crate::model::name::Name;

/// The sets that everybody knows; others may be named at will.
pub(crate) const KNOWN: [&str; 3] = ["files", "endpoints", "ports"];

/// From which likeness on a name may be meant for another.
const ALIKE: f64 = 0.8;

/// All items with their sets, the oldest first, as a [`Change`](crate::Change) has them.
///
/// # Examples
///
/// ```
/// use nudge::{Change, ChangeKind, Nudge, SetContext};
///
/// let nudge = Nudge::default().with_sink(|changes: &[Change]| {
///     let ChangeKind::Context { working_set } = &changes[0].kind else { panic!() };
///     assert!(working_set.items().eq([("ports", "8080")]));
///     Ok(())
/// });
/// nudge.set_context(SetContext::new("ports", ["8080"]))?;
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WorkingSet(Vec<(Name, String)>);

impl WorkingSet {
    /// Each item with the name of its set.
    pub fn items(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(set, item)| (set.as_str(), item.as_str()))
    }

    pub(crate) fn has(&self, name: &Name) -> bool {
        self.0.iter().any(|(set, _)| set == name)
    }

    /// Takes a set away.
    pub(crate) fn clear(&mut self, name: &Name) {
        self.0.retain(|(set, _)| set != name);
    }

    /// Adds an item as the newest, wherever it was.
    pub(crate) fn add(&mut self, name: Name, item: String) {
        self.0
            .retain(|known| *known != (name.clone(), item.clone()));
        self.0.push((name, item));
    }

    /// Lets the oldest go until so many are left, of one set or of all.
    pub(crate) fn trim(
        &mut self,
        most: usize,
        name: Option<&Name>,
        dropped: &mut BTreeMap<Name, Vec<String>>,
    ) {
        let is_meant = |set: &Name| name.is_none_or(|name| name == set);
        let count = self.0.iter().filter(|(set, _)| is_meant(set)).count();
        let mut spare = count.saturating_sub(most);
        self.0.retain(|(set, item)| {
            let goes = spare > 0 && is_meant(set);
            if goes {
                spare -= 1;
                dropped.entry(set.clone()).or_default().push(item.clone());
            }
            !goes
        });
    }

    pub(crate) fn by_name(&self) -> BTreeMap<Name, Vec<String>> {
        let mut sets: BTreeMap<Name, Vec<String>> = BTreeMap::new();
        for (name, item) in &self.0 {
            sets.entry(name.clone()).or_default().push(item.clone());
        }
        sets
    }

    /// The set that a name is most like, among those that are known or there.
    pub(crate) fn nearest(&self, name: &str) -> Option<Name> {
        let there = self.0.iter().map(|(set, _)| set.as_str());
        let known: Vec<&str> = KNOWN.into_iter().chain(there).collect();
        let (nearest, likeness) = likest(name, &known)?;
        (likeness >= ALIKE).then(|| Name::from(nearest))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
