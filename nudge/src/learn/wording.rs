//! The text that an agent is given unasked: one short line, or none.

use chrono::{DateTime, Utc};

use crate::active::is_active;
use crate::api::answer::Ranked;
use crate::api::prompt_block::PromptBlock;
use crate::secret::redact;

/// The most tokens of one text.
const MOST_TOKENS: usize = 60;

/// The same in bytes.
pub(super) const MOST_BYTES: usize = MOST_TOKENS * PromptBlock::BYTES_A_TOKEN;

/// The names of a hint, as people write them.
pub(super) fn display_name(hint: &Ranked) -> String {
    format!("{}/{}", hint.component, hint.key)
}

/// Says how a step is done here and, as far as there is room, how that went and why it is so.
pub(super) fn how(hint: &Ranked, now: DateTime<Utc>, says_why: bool) -> Option<String> {
    let value = hint.hint.value.text();
    let (who, name) = (hint.hint.told_by(), display_name(hint));
    let mut text = format!("Nudge: [{who}] {name} here is \"{value}\"");
    // Of others' hints that stands in front, where no value can say it.
    let record = hint.hint.describe_use(now).filter(|_| hint.hint.is_users());
    let record = record.map(|record| format!(" ({record})"));
    let reason = hint.hint.meta.reason.as_deref().filter(|_| says_why);
    let reason = reason.map(|reason| format!(": {reason}"));
    for piece in record.into_iter().chain(reason) {
        if text.len() + piece.len() <= MOST_BYTES && is_inert(&piece) {
            text.push_str(&piece);
        }
    }
    fit(text)
}

/// A text that is short, in one line, and holds nothing that the guard would refuse.
pub(super) fn fit(text: String) -> Option<String> {
    let is_fit = text.len() <= MOST_BYTES && is_inert(&text);
    (is_fit && redact(&text) == text).then_some(text)
}

/// Whether a text is one line, and nothing in it is more than text.
fn is_inert(text: &str) -> bool {
    !text.contains(is_active)
}
