//! The classes of answers, made by `generate` from `docs/operations.json`.

use std::sync::Arc;

use pyo3::prelude::*;

use crate::answer::{Answer, Described, Parts, View};
use crate::answers::answers;
use crate::described;

answers! {
    /// One stored fact: a value, what is known about it, and its history.
    Hint(Arc<nudge::Hint>) {
        /// The fact: text, or an object with a `type`. A command is data; check it before you run it.
        value,
        /// What is known about it: reason, tags, priority, scope, origin and more.
        meta,
        /// One more with every accepted set; for `if_match_version`.
        version,
        /// When this variant was first set.
        created_at,
        /// When it was last set; its time to live counts from here.
        updated_at,
        /// `kept` until somebody deletes it, as long as the `session`, or `until` it expires.
        lifetime,
        /// When it expires; absent when it does not.
        expires_at,
        /// When it was last bumped; absent when it never was.
        last_used_at,
        /// How often it was bumped since its value last changed.
        use_count,
        /// When it failed for the first time.
        first_failed_at,
        /// When it last failed.
        last_failed_at,
        /// How many of its uses an agent told of and nobody saw.
        claimed_uses,
        /// How many of its failures an agent told of and nobody saw.
        claimed_failures,
    }
    own { value: part, }

    /// Why a hint was returned: its score, its terms, and the reasons in words.
    MatchExplain(nudge::MatchExplain) {
        /// The field `matched` of the answer.
        matched,
        /// From 0 to 1 with the usual weights; four decimals.
        score,
        /// Why, in words.
        reasons,
        /// The terms that add up to the score.
        parts,
    }
    own {}

    /// One of several hints, with its score.
    Ranked(nudge::Ranked) {
        /// The component.
        component,
        /// The key.
        key,
        /// The hint.
        hint,
        /// From 0 to 1, with four decimals.
        score,
        /// Why it is there.
        match_explain,
    }
    own { hint: part, match_explain: part, }

    /// A hint that waits for somebody to accept it.
    Proposal(nudge::Proposal) {
        /// By which it is accepted or rejected: `nudge accept ID`.
        id,
        /// The component.
        component,
        /// The key.
        key,
        /// The hint as it would be.
        hint,
        /// Why it is only proposed.
        why,
        /// The client that proposes it.
        client,
        /// The value that stands where it would, in a listing; never that of a secret.
        stands,
        /// Whether it is to be deleted.
        delete,
        /// When it was proposed; it ends after 30 days.
        proposed_at,
    }
    own { hint: part, }

    /// What a set did.
    HintSet(nudge::HintSet) {
        /// The component.
        component,
        /// The key.
        key,
        /// The hint as it is now.
        hint,
        /// Whether the hint is new.
        created,
        /// How many hints with different scopes the key holds.
        variants,
        /// The value that stood there, where it was another; never that of a secret.
        replaced,
        /// Present when nothing was overwritten, because the user has set this hint or others saw it work: yours waits until the user accepts it, and `hint` is what still stands.
        proposal,
        /// What the writer may not expect: that another hint stays elsewhere, or that a get from there does not return this one.
        note,
    }
    own { hint: part, replaced: part, proposal: part, }

    /// The hint that fits best, and why.
    HintMatch(nudge::HintMatch) {
        /// The component.
        component,
        /// The key.
        key,
        /// The hint.
        hint,
        /// Why it was chosen.
        match_explain,
        /// The next ones, if they were asked for.
        alternatives,
        /// What the caller has proposed to the user in its place.
        proposal,
    }
    own { hint: part, match_explain: part, alternatives: part, }

    /// What a query found.
    Found(nudge::Found) {
        /// The best ones, up to the limit.
        hints,
        /// How many apply here and fit the filters.
        total,
        /// How many fit the filters but do not apply here.
        scoped_out,
        /// Those, up to the limit and without their values, if they were asked for.
        ineligible,
        /// How many within the limit `max_tokens` left out; absent when none.
        left_out,
        /// Up to three names that exist, the most alike first, where the component or every key that was asked for does not.
        nearest,
    }
    own { hints: part, }

    /// What a delete took away.
    Deleted(nudge::Deleted) {
        /// The component.
        component,
        /// The key.
        key,
        /// Whether they are gone; not where it is only proposed. A delete that finds nothing is an error.
        deleted,
        /// The hint that was there, or a list of them when several went.
        previous,
        /// How many other hints the key holds.
        remaining,
        /// Present when nothing was deleted, because the user has set this hint: the user is asked to delete it.
        proposal,
    }
    own { previous: one_or_list, proposal: part, }

    /// The components of a store.
    Components(nudge::Components) {
        /// One entry for each, sorted by name.
        components,
    }
    own {}

    /// The hint after a bump.
    Bumped(nudge::Bumped) {
        /// The component.
        component,
        /// The key.
        key,
        /// The hint as it is now.
        hint,
        /// By how much it was counted; 0 where it was not: nobody but the user counts twice in ten minutes.
        counted,
        /// How often it was used, this time included.
        use_count,
    }
    own { hint: part, }

    /// An export.
    Exported(nudge::Exported) {
        /// The hints, ready to be written or imported.
        payload,
        /// How many hints and proposals were left out because they are marked as secret.
        secrets_left_out,
    }
    own {}

    /// What an import did, or would do.
    Imported(nudge::Imported) {
        /// How many hints were taken over.
        imported,
        /// How many were not: bad, expired, equal to or older than what is there.
        skipped,
        /// What is wrong with the first 20 bad ones, proposals and context sets included.
        problems,
    }
    own {}

    /// What is being worked on.
    ContextSets(nudge::ContextSets) {
        /// The items of each set, the newest last.
        sets,
        /// What had to go to make room, the oldest first.
        dropped,
        /// For a new set whose name is like one that is known, that one: perhaps it was meant.
        nearest,
        /// How many files no longer exist; they are not listed.
        gone,
        /// What others work on in the same repository, the newest first.
        others,
    }
    own {}

    /// A proposal that waits now.
    Proposed(nudge::Proposed) {
        /// The proposal.
        proposal,
    }
    own { proposal: part, }

    /// The proposals that wait.
    Proposals(nudge::Proposals) {
        /// Each of them, the oldest first.
        proposals,
    }
    own { proposals: part, }

    /// A block of text for a prompt.
    Block(nudge::Block) {
        /// The text, empty when nothing applies; its last line says how many hints were left out, if any.
        text,
        /// How many hints it shows.
        shown,
        /// How many more apply here.
        left_out,
    }
    own {}

    /// What follows from an event; mostly nothing.
    Reaction(nudge::Reaction) {
        /// What the agent should be told; absent when nothing.
        text,
        /// Whether the host is to hold the command back this once, and give the text as the reason.
        hold_back,
    }
    own {}

    /// How much a store holds and what is used most.
    Stats(nudge::Stats) {
        /// How many components there are.
        components,
        /// How many slots, which are pairs of a component and a key.
        slots,
        /// How many hints, every variant counted.
        hints,
        /// How often hints were used, all together.
        uses,
        /// How many hints were used at least once.
        used_hints,
        /// The ten tags on most hints.
        top_tags,
    }
    own {}
}
