//! `PromptBlock` and `Block`: what applies here, as text for a prompt.

use serde::{Deserialize, Serialize};

use crate::api::request::null_as_default;
use crate::hint::Hint;
use crate::model::error::Error;
use crate::model::name::Name;
use crate::nudge::Nudge;
use crate::rank::score::Candidate;
use crate::scope::context::Context;
use crate::write::plan::in_range;

/// The largest budget.
const MAX_BUDGET: i64 = 100_000;

const HEADING: &str = "Hints that apply here, from Nudge; check a command before you run it:\n";

/// Asks for the hints that apply here as a block of text for a prompt.
///
/// One hint a slot, the one that a get would choose. The best ones are taken
/// first until the budget is used up, and are then written in the order of
/// their names, without scores and times: the same hints give the same bytes,
/// and prompt caches survive. A hint marked as secret is never shown.
///
/// # Examples
///
/// ```
/// use nudge::{Context, Nudge, PromptBlock, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "test", "make test"))?;
/// nudge.set_hint(SetHint::new("api", "build", "make").reason("cmake is broken here").branch("dev"))?;
///
/// let block = nudge.prompt_block(PromptBlock::new().context(Context::new().branch("dev")))?;
/// assert_eq!(
///     block.text,
///     "Hints that apply here, from Nudge; check a command before you run it:\n\
///      - api/build: make (cmake is broken here)\n\
///      - api/test: make test\n"
/// );
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PromptBlock {
    /// Where the caller is.
    #[serde(
        deserialize_with = "null_as_default",
        skip_serializing_if = "Context::is_empty"
    )]
    pub context: Context,
    /// The most tokens the text may take, from 1 to 100,000; 400 when absent.
    /// A token is counted for every three bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
}

/// A block of text for a prompt.
///
/// # Examples
///
/// ```
/// use nudge::{Nudge, PromptBlock, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make").priority(9))?;
/// nudge.set_hint(SetHint::new("api", "notes", "a long story ".repeat(50)))?;
/// let block = nudge.prompt_block(PromptBlock::new().budget(60))?;
/// assert_eq!((block.shown, block.left_out), (1, 1));
/// assert!(block.text.ends_with("(1 more hint applies here; ask Nudge for it)\n"));
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Block {
    /// The text, empty when nothing applies; its last line says how many hints
    /// were left out, if any.
    pub text: String,
    /// How many hints it shows.
    pub shown: usize,
    /// How many more apply here.
    pub left_out: usize,
}

impl PromptBlock {
    /// How many bytes are taken for a token. Commands and paths have more tokens
    /// to the byte than prose; four would promise too much room.
    pub const BYTES_A_TOKEN: usize = 3;

    /// The budget of a request that states none.
    pub const DEFAULT_BUDGET: i64 = 400;

    /// Asks for a block of the usual size.
    #[must_use]
    pub fn new() -> PromptBlock {
        PromptBlock::default()
    }

    /// Says where the caller is.
    #[must_use]
    pub fn context(mut self, context: impl Into<Context>) -> PromptBlock {
        self.context = context.into();
        self
    }

    /// Gives the most tokens the text may take.
    #[must_use]
    pub fn budget(mut self, tokens: i64) -> PromptBlock {
        self.budget = Some(tokens);
        self
    }
}

impl Nudge {
    /// Writes the hints that apply here as a block of text for a prompt.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Nudge, PromptBlock};
    ///
    /// assert_eq!(Nudge::default().prompt_block(PromptBlock::new())?.text, "");
    /// # Ok::<(), nudge::Error>(())
    /// ```
    #[expect(
        clippy::needless_pass_by_value,
        reason = "every operation takes its request, whether or not it uses it up"
    )]
    pub fn prompt_block(&self, request: PromptBlock) -> Result<Block, Error> {
        let budget = request.budget.unwrap_or(PromptBlock::DEFAULT_BUDGET);
        let budget = in_range("budget", budget, 1, MAX_BUDGET)?;
        let at = self.circumstances(&request.context, self.clock.now());
        let store = self.read();
        let mut fitting: Vec<Candidate<'_>> =
            store.slots().filter_map(|slot| slot.best(at)).collect();
        let total = fitting.len();
        fitting.retain(|candidate| !candidate.hint.is_secret());
        // Every line takes a token and more, so no other hint has a chance.
        if fitting.len() > budget {
            fitting.select_nth_unstable_by(budget, |a, b| a.order(b, at.facts));
            fitting.truncate(budget);
        }
        fitting.sort_by(|a, b| a.order(b, at.facts));
        let best: Vec<_> = fitting
            .iter()
            .map(|best| (best.component.clone(), best.key.clone(), best.hint.clone()))
            .collect();
        drop(fitting);
        drop(store);
        let lines = best.iter().map(|(component, key, hint)| {
            let line = line(component, key, hint);
            ((component, key), line)
        });
        Ok(fill(
            lines.collect(),
            total,
            budget * PromptBlock::BYTES_A_TOKEN,
        ))
    }
}

/// Takes lines in their order while there is room, and writes them by name.
fn fill(lines: Vec<((&Name, &Name), String)>, total: usize, room: usize) -> Block {
    let all: usize = lines.iter().map(|(_, line)| line.len()).sum();
    let whole = lines.len() == total && HEADING.len() + all <= room;
    // The last line is longest when nothing is shown.
    let last = if whole { 0 } else { left_out(total).len() };
    let mut used = HEADING.len() + last;
    let mut taken: Vec<_> = lines
        .into_iter()
        .filter(|(_, line)| {
            let fits = used + line.len() <= room;
            used += if fits { line.len() } else { 0 };
            fits
        })
        .collect();
    taken.sort();
    let mut block = Block {
        text: String::new(),
        shown: taken.len(),
        left_out: total - taken.len(),
    };
    if block.shown > 0 {
        block.text.push_str(HEADING);
    }
    block.text.extend(taken.into_iter().map(|(_, line)| line));
    if block.left_out > 0 && (block.shown > 0 || last <= room) {
        block.text.push_str(&left_out(block.left_out));
    }
    block
}

fn left_out(count: usize) -> String {
    match count {
        1 => "(1 more hint applies here; ask Nudge for it)\n".to_owned(),
        _ => format!("({count} more hints apply here; ask Nudge for them)\n"),
    }
}

fn line(component: &str, key: &str, hint: &Hint) -> String {
    let mut line = format!("- {component}/{key}: ");
    push_in_one_line(&mut line, &hint.value.text());
    if let Some(reason) = &hint.meta.reason {
        line.push_str(" (");
        push_in_one_line(&mut line, reason);
        line.push(')');
    }
    line.push('\n');
    line
}

/// A value with line breaks could otherwise pass for further hints.
fn push_in_one_line(line: &mut String, text: &str) {
    for letter in text.chars() {
        if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') {
            line.extend(letter.escape_default());
        } else {
            line.push(letter);
        }
    }
}
