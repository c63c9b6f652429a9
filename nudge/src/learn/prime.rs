//! The start of a session: what applies here, what is being worked on, and what
//! waits for the user.

use super::receipts;
use crate::api::context_sets::{ContextSets, GetContext};
use crate::api::event::Event;
use crate::api::prompt_block::PromptBlock;
use crate::api::proposals::ListProposals;
use crate::hint::told::is_plain;
use crate::model::name::Name;
use crate::nudge::Nudge;

/// How many items of a set are listed where there is room.
const MOST_ITEMS: usize = 5;

/// The text for a session that starts, is resumed, or was compacted.
///
/// The budget is in tokens; it doubles where a compaction or the user has thrown away
/// what the agent knew.
pub(super) fn prime(nudge: &Nudge, event: &Event) -> String {
    let reason = event.reason.as_deref().unwrap_or_default();
    let budget = event
        .budget
        .unwrap_or(PromptBlock::DEFAULT_BUDGET)
        .clamp(1, 50_000);
    let is_emptied = matches!(reason, "compact" | "clear");
    let budget = if is_emptied { budget * 2 } else { budget };
    // Hints come first: the rest may take a third and no more.
    let room = budget as usize * PromptBlock::BYTES_A_TOKEN / 3;
    let waiting = nudge.list_proposals(ListProposals::default());
    let mut more = proposed(waiting.map_or(0, |waiting| waiting.proposals.len()));
    if more.len() > room {
        more.clear();
    }
    if is_emptied || reason == "resume" {
        let sets = nudge.get_context(GetContext::default()).unwrap_or_default();
        let mut lines = (0..=MOST_ITEMS).rev().map(|count| working_on(&sets, count));
        let fitting = lines.find(|line| line.len() + more.len() <= room);
        more.insert_str(0, &fitting.unwrap_or_default());
    }
    let taken = more.len().div_ceil(PromptBlock::BYTES_A_TOKEN);
    let left = budget
        .saturating_sub(u32::try_from(taken).unwrap_or(budget))
        .max(1);
    let block = nudge.block(
        &PromptBlock::new().context(&event.context).budget(left),
        true,
    );
    let block = block.unwrap_or_default();
    receipts::told(nudge, event, block.shown);
    block.text + &more
}

/// The sets in one line, with the newest items of each. Agents wrote them: what could
/// pass for more than an item is only counted.
fn working_on(sets: &ContextSets, count: usize) -> String {
    let set = |(name, items): (&Name, &Vec<String>)| {
        let plain = items.iter().rev().filter(|item| is_plain(item));
        let newest: Vec<String> = plain.take(count).cloned().collect();
        let more = items.len() - newest.len();
        let more = (more > 0).then(|| format!("{more} more"));
        let all: Vec<String> = newest.into_iter().chain(more).collect();
        is_plain(name).then(|| format!("{name} {}", all.join(", ")))
    };
    let gone =
        |(name, gone): (&Name, &usize)| is_plain(name).then(|| format!("{name} gone: {gone}"));
    let parts = sets.sets.iter().filter_map(set);
    let parts = parts.chain(sets.gone.iter().filter_map(gone));
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() {
        return String::new();
    }
    format!("Working on: {}\n", parts.join("; "))
}

fn proposed(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "1 proposed hint waits for the user (`nudge proposals`)\n".to_owned(),
        _ => format!("{count} proposed hints wait for the user (`nudge proposals`)\n"),
    }
}
