//! The start of a session: what applies here, what is being worked on, and what
//! waits for the user.

use super::location::Location;
use super::{pitfall, session_print, told, work};
use crate::api::caller::Caller;
use crate::api::event::Event;
use crate::api::prompt_block::PromptBlock;
use crate::command::step::Step;
use crate::nudge::Nudge;

/// The text for a session that starts, is resumed, or was compacted.
///
/// The budget is in tokens; it doubles where a compaction or the user has thrown away
/// what the agent knew.
pub(super) fn prime(nudge: &Nudge, by: &Caller<'_>, event: &Event) -> String {
    let reason = event.reason.as_deref().unwrap_or_default();
    let is_emptied = matches!(reason, "compact" | "clear");
    let budget = event.budget.unwrap_or(PromptBlock::DEFAULT_BUDGET);
    let budget = budget.clamp(1, 50_000) * if is_emptied { 2 } else { 1 };
    // Hints come first: the rest may take a third and no more.
    let room = budget as usize * PromptBlock::BYTES_A_TOKEN / 3;
    // Those for elsewhere are no news here, nor are those that an earlier session was told of:
    // through that one the user knows.
    let facts = event.context.facts();
    let waiting = nudge.waiting(&Caller::user()).proposals;
    let here = waiting.iter().filter(|one| one.hint.applies(facts));
    let newest = here.clone().map(|one| one.id).max().unwrap_or_default();
    let is_news = nudge.clients.lock().may_tell_of(newest) || is_emptied;
    let mut more = proposed(if is_news { here.count() } else { 0 });
    if more.len() > room {
        more.clear();
    }
    let left = room.saturating_sub(more.len());
    more.insert_str(0, &work::told(nudge, by, event, left));
    let taken = more.len().div_ceil(PromptBlock::BYTES_A_TOKEN);
    let left = budget
        .saturating_sub(u32::try_from(taken).unwrap_or(budget))
        .max(1);
    let block = nudge.block(
        &nudge.reach(&Caller::user(), Some(&event.context)),
        &PromptBlock::new().context(&event.context).budget(left),
        true,
    );
    let (block, values) = block.unwrap_or_default();
    for (key, value) in values {
        told::way(nudge, event, &value, (Step::of_key(&key), None));
    }
    // Who only looks, as `nudge prime` does, begins no session.
    if event.session.is_some()
        && let Some(repo) = Location::at(&event.context).book(nudge)
    {
        nudge.with_book(repo, |book| book.note_session(session_print(event), None));
    }
    let full = budget as usize * PromptBlock::BYTES_A_TOKEN;
    let left = full.saturating_sub(block.text.len() + more.len());
    let mut pitfalls = pitfall::at_start(nudge, event, &block.text);
    if pitfalls.len() > left {
        pitfalls.clear();
    }
    block.text + &pitfalls + &more
}

fn proposed(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "1 proposed hint waits for the user (`nudge proposals`)\n".to_owned(),
        _ => format!("{count} proposed hints wait for the user (`nudge proposals`)\n"),
    }
}
