//! Context sets: what is being worked on, under names such as `files` and `ports`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::api::request::null_as_default;
use crate::hint::origin::Origin;
use crate::model::error::{Error, ErrorData, ErrorKind};
use crate::model::json::likest;
use crate::model::name::Name;
use crate::nudge::Nudge;
use crate::scope::here::is_there;
use crate::store::change::Change;
use crate::write::plan::Desk;
use crate::write::validate::check_item;

/// The sets that everybody knows; others may be named at will.
const KNOWN: [&str; 3] = ["files", "endpoints", "ports"];

/// The set whose items are files, which may be gone.
const FILES: &str = "files";

/// The most items of one set, and of all sets together.
const MAX_IN_SET: usize = 10;
const MAX_IN_ALL: usize = 50;

/// From which likeness on a name may be meant for another.
const ALIKE: f64 = 0.8;

/// Says what is being worked on.
///
/// # Examples
///
/// ```
/// use nudge::{ContextMode, Nudge, SetContext};
///
/// let nudge = Nudge::default();
/// nudge.set_context(SetContext::new("files", ["src/proxy.rs"]))?;
/// let more = SetContext::new("files", ["src/main.rs"]).mode(ContextMode::Merge);
/// let now = nudge.set_context(more)?;
/// assert_eq!(now.sets["files"], ["src/proxy.rs", "src/main.rs"]);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetContext {
    /// The items of each set, the newest last; none to take a set away.
    pub sets: BTreeMap<Name, Vec<ContextItem>>,
    /// What becomes of the items that are there.
    #[serde(default, deserialize_with = "null_as_default")]
    pub mode: ContextMode,
    /// Who asks, as the door says; JSON has no word for it.
    #[serde(skip)]
    pub origin: Option<Box<Origin>>,
}

/// One thing that is being worked on: a text, or a number such as a port.
///
/// `Debug` does not show it, so that no secret reaches a log.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "this is no item; expected a string or an integer"
)]
pub enum ContextItem {
    /// A text.
    Text(String),
    /// A number, which is kept as a text.
    Number(i64),
}

/// What becomes of the items that a set has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContextMode {
    /// They go. Sets that are not named stay as they are.
    #[default]
    Replace,
    /// They stay, beside the new ones.
    Merge,
}

/// Asks what is being worked on.
///
/// # Examples
///
/// ```
/// use nudge::{GetContext, Nudge, SetContext};
///
/// let nudge = Nudge::default();
/// nudge.set_context(SetContext::new("ports", ["8080"]))?;
/// assert_eq!(nudge.get_context(GetContext::default())?.sets["ports"], ["8080"]);
///
/// let error = nudge.get_context(GetContext::default().name("prots")).unwrap_err();
/// assert_eq!(error.to_string(), "there is no context set `prots`; did you mean `ports`?");
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GetContext {
    /// The one set that is meant; all when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Name>,
}

impl GetContext {
    /// Means one set.
    #[must_use]
    pub fn name(mut self, name: impl Into<Name>) -> GetContext {
        self.name = Some(name.into());
        self
    }
}

/// What is being worked on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ContextSets {
    /// The items of each set, the newest last.
    pub sets: BTreeMap<Name, Vec<String>>,
    /// What had to go to make room, the oldest first.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dropped: BTreeMap<Name, Vec<String>>,
    /// For a new set whose name is like one that is known, that one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub nearest: BTreeMap<Name, Name>,
    /// How many files no longer exist; they are not listed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub gone: BTreeMap<Name, usize>,
}

/// All items with their sets, the oldest first, as a [`Change`] has them.
///
/// # Examples
///
/// ```
/// use nudge::{Change, Nudge, SetContext};
///
/// let nudge = Nudge::default().with_sink(|changes: &[Change]| {
///     let in_hand = changes[0].context.as_ref().unwrap();
///     assert!(in_hand.items().eq([("ports", "8080")]));
///     Ok(())
/// });
/// nudge.set_context(SetContext::new("ports", ["8080"]))?;
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InHand(Vec<(Name, String)>);

impl SetContext {
    /// Gives a set these items instead of those that it has.
    pub fn new<I, S>(name: impl Into<Name>, items: I) -> SetContext
    where
        I: IntoIterator<Item = S>,
        S: Into<String>,
    {
        let items = items.into_iter().map(|item| ContextItem::Text(item.into()));
        SetContext {
            sets: BTreeMap::from([(name.into(), items.collect())]),
            mode: ContextMode::Replace,
            origin: None,
        }
    }

    /// Says what becomes of the items that are there.
    #[must_use]
    pub fn mode(mut self, mode: ContextMode) -> SetContext {
        self.mode = mode;
        self
    }

    /// The change that puts the items in their sets.
    fn plan(self, on: Desk<'_>) -> Result<(Vec<Change>, ContextSets), Error> {
        let before = on.store.in_hand();
        let mut after = InHand::clone(before);
        let mut answer = ContextSets::default();
        if self.sets.is_empty() {
            let words = "sets names no set; give one as in {\"files\": [\"src/main.rs\"]}";
            return Err(Error::invalid("sets", "empty", words));
        }
        for (name, items) in self.sets {
            name.check("sets")?;
            check_item(&name, "sets", on.config)?;
            let is_new = !before.has(&name) && !KNOWN.contains(&name.as_str());
            if is_new && let Some(known) = before.nearest(&name) {
                answer.nearest.insert(name.clone(), known);
            }
            if self.mode == ContextMode::Replace {
                after.0.retain(|(set, _)| *set != name);
            }
            for item in items {
                let item = item.into_text();
                check_item(&item, &format!("sets.{name}"), on.config)?;
                after.add(name.clone(), item);
            }
            after.trim(MAX_IN_SET, Some(&name), &mut answer);
        }
        after.trim(MAX_IN_ALL, None, &mut answer);
        answer.sets = after.by_name();
        let is_changed = after != **before;
        let change = is_changed.then(|| Change::context(on.now, Arc::new(after)));
        Ok((change.into_iter().collect(), answer))
    }
}

impl ContextItem {
    fn into_text(self) -> String {
        match self {
            ContextItem::Text(text) => text,
            ContextItem::Number(number) => number.to_string(),
        }
    }
}

impl fmt::Debug for ContextItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContextItem::Text(text) => write!(f, "Text(<{} bytes>)", text.len()),
            ContextItem::Number(_) => f.write_str("Number"),
        }
    }
}

impl InHand {
    /// Each item with the name of its set.
    pub fn items(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(set, item)| (set.as_str(), item.as_str()))
    }

    fn has(&self, name: &Name) -> bool {
        self.0.iter().any(|(set, _)| set == name)
    }

    /// Adds an item as the newest, wherever it was.
    fn add(&mut self, name: Name, item: String) {
        self.0
            .retain(|known| *known != (name.clone(), item.clone()));
        self.0.push((name, item));
    }

    /// Lets the oldest go until so many are left, of one set or of all.
    fn trim(&mut self, most: usize, name: Option<&Name>, answer: &mut ContextSets) {
        let is_meant = |set: &Name| name.is_none_or(|name| name == set);
        let count = self.0.iter().filter(|(set, _)| is_meant(set)).count();
        let mut spare = count.saturating_sub(most);
        self.0.retain(|(set, item)| {
            let goes = spare > 0 && is_meant(set);
            if goes {
                spare -= 1;
                let dropped = answer.dropped.entry(set.clone()).or_default();
                dropped.push(item.clone());
            }
            !goes
        });
    }

    fn by_name(&self) -> BTreeMap<Name, Vec<String>> {
        let mut sets: BTreeMap<Name, Vec<String>> = BTreeMap::new();
        for (name, item) in &self.0 {
            sets.entry(name.clone()).or_default().push(item.clone());
        }
        sets
    }

    /// The set that a name is most like, among those that are known or there.
    fn nearest(&self, name: &str) -> Option<Name> {
        let there = self.0.iter().map(|(set, _)| set.as_str());
        let known: Vec<&str> = KNOWN.into_iter().chain(there).collect();
        let (nearest, likeness) = likest(name, &known)?;
        (likeness >= ALIKE).then(|| Name::from(nearest))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What is being worked on.
impl Nudge {
    /// Says what is being worked on, in named sets.
    ///
    /// A set has 10 items at most and all have 50: the newest stay, and the
    /// answer says what went.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Nudge, SetContext};
    ///
    /// let files = (1..=11).map(|number| format!("src/{number}.rs"));
    /// let set = Nudge::default().set_context(SetContext::new("files", files))?;
    /// assert_eq!(set.dropped["files"], ["src/1.rs"]);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn set_context(&self, request: SetContext) -> Result<ContextSets, Error> {
        self.write(request.origin.clone(), |desk| request.plan(desk))
    }

    /// Tells what is being worked on. Files that no longer exist on this machine
    /// are counted and not listed.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{GetContext, Nudge, SetContext};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_context(SetContext::new("files", ["/no/such/file"]))?;
    /// let now = nudge.get_context(GetContext::default())?;
    /// assert!(now.sets.is_empty());
    /// assert_eq!(now.gone["files"], 1);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    #[expect(
        clippy::needless_pass_by_value,
        reason = "every operation takes its request, whether or not it uses it up"
    )]
    pub fn get_context(&self, request: GetContext) -> Result<ContextSets, Error> {
        let in_hand = self.read().in_hand().clone();
        let mut sets = in_hand.by_name();
        if let Some(name) = &request.name {
            let known = KNOWN.contains(&name.as_str()) || sets.contains_key(name);
            if !known {
                return Err(unknown(name, in_hand.nearest(name)));
            }
            sets.retain(|set, _| set == name);
        }
        let mut gone = BTreeMap::new();
        if let Some(files) = sets.get_mut(FILES) {
            let listed = files.len();
            // A relative path is somebody's who knows where it is from.
            files.retain(|file| !Path::new(&**file).is_absolute() || is_there(file));
            let missing = listed - files.len();
            if missing > 0 {
                gone.insert(Name::from(FILES), missing);
            }
        }
        sets.retain(|_, items| !items.is_empty());
        Ok(ContextSets {
            sets,
            gone,
            ..ContextSets::default()
        })
    }
}

fn unknown(name: &Name, nearest: Option<Name>) -> Error {
    let way_out = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "ask without a name to see all".to_owned(),
    };
    let shown = crate::secret::shown(name);
    let data = ErrorData {
        detail: Some("no_set"),
        field: Some("name".into()),
        ..ErrorData::default()
    };
    let words = format!("there is no context set `{shown}`; {way_out}");
    Error::with(ErrorKind::NotFound, words, data)
}
