//! What came of telling: how many hints hooks told, and which commands were avoided.

use super::command_hints::CommandHint;
use super::with_client;
use super::wording::MOST_BYTES;
use crate::api::answer::Ranked;
use crate::api::event::Event;
use crate::api::receipts::Receipt;
use crate::command::client::CommandRun;
use crate::hint::told::{is_name, is_plain};
use crate::model::host::known_by;
use crate::model::rate_limit::print;
use crate::nudge::Nudge;

/// Counts hints that an agent is told by a hook, which names its host. What somebody asks
/// for, as `nudge prime` does, is no receipt.
pub(super) fn told(nudge: &Nudge, event: &Event, hints: usize) {
    if event.client().0.is_empty() {
        return;
    }
    nudge.change_receipts(|receipts| receipts.told = receipts.told.saturating_add(hints));
}

/// Counts the commands that a client has avoided by this one, which some hints hold.
pub(super) fn count_avoided(nudge: &Nudge, event: &Event, run: &CommandRun, same: &[CommandHint]) {
    let variants: Vec<u64> = same.iter().map(|known| variant(&known.hint)).collect();
    let avoided = with_client(nudge, event, |client| client.take_avoided(&variants, run));
    let (host, _) = event.client();
    let Some(last) = avoided.last().filter(|_| !host.is_empty()) else {
        return;
    };
    let name = known_by(host);
    let (ran, instead_of) = (&run.line.text, &last.line.text);
    let texts = [ran, instead_of];
    let is_shown =
        |text: &&String| text.len() <= MOST_BYTES && is_plain(text) && !nudge.has_secret_in(text);
    let last = texts.iter().all(is_shown).then(|| Receipt {
        client: if is_name(name) { name } else { "an agent" }.to_owned(),
        ran: ran.clone(),
        instead_of: instead_of.clone(),
        at: run.at,
    });
    nudge.change_receipts(|receipts| {
        receipts.avoided = receipts.avoided.saturating_add(avoided.len());
        receipts.last = last;
    });
}

/// What a variant is known by.
pub(super) fn variant(hint: &Ranked) -> u64 {
    print(&(&*hint.component, &*hint.key, hint.hint.scope()))
}
