//! What each method is for, in words, and which errors it can give.

use nudge::ErrorKind::{
    self, Conflict, Invalid, NotFound, Quota, ScopeInvalid, SecretRejected, Unavailable,
};

use crate::primary::method::Method;

/// What a schema does not say about a method.
pub(super) struct Entry {
    pub(super) summary: &'static str,
    pub(super) description: &'static str,
    /// What the result is called.
    pub(super) result: &'static str,
    refuses: &'static [ErrorKind],
}

impl Entry {
    /// Whether the method can fail so. A bug can be anywhere.
    pub(super) fn refuses(&self, kind: ErrorKind) -> bool {
        kind == ErrorKind::Internal || self.refuses.contains(&kind)
    }
}

/// What is said about a method.
pub(super) const fn entry(method: Method) -> &'static Entry {
    match method {
        Method::SetHint => &SET_HINT,
        Method::GetHint => &GET_HINT,
        Method::Query => &QUERY,
        Method::DeleteHint => &DELETE_HINT,
        Method::ListComponents => &LIST_COMPONENTS,
        Method::Bump => &BUMP,
        Method::Export => &EXPORT,
        Method::Import => &IMPORT,
        Method::SetContext => &SET_CONTEXT,
        Method::GetContext => &GET_CONTEXT,
        Method::Propose => &PROPOSE,
        Method::ListProposals => &LIST_PROPOSALS,
        Method::Accept => &ACCEPT,
        Method::Reject => &REJECT,
        Method::OnEvent => &ON_EVENT,
        Method::PromptBlock => &PROMPT_BLOCK,
        Method::Hello => &HELLO,
        Method::Status => &STATUS,
        Method::Stop => &STOP,
        Method::Discover => &DISCOVER,
    }
}

const SET_HINT: Entry = Entry {
    summary: "Sets a hint: a new one, or a variant that is there already.",
    description: "With `meta.scope`, the variant with that very scope is written, or a new one. Without it, the only \
                  variant of the slot, whose scope stays; several are `E_CONFLICT` with `detail` `ambiguous`. A set that \
                  changes the value starts its use anew.",
    result: "hint_set",
    refuses: &[
        Invalid,
        SecretRejected,
        ScopeInvalid,
        Conflict,
        Quota,
        Unavailable,
    ],
};

const GET_HINT: Entry = Entry {
    summary: "Gives the hint of a slot that fits best, and why.",
    description: "A variant whose conditions contain another's goes first, then the score decides. A miss is \
                  `E_NOT_FOUND`, whose `near_misses` say which condition failed and what would mend it.",
    result: "hint_match",
    refuses: &[Invalid, NotFound],
};

const QUERY: Entry = Entry {
    summary: "Searches the hints that apply, best first.",
    description: "The filters combine by AND; within `keys` and `tags` one is enough. An unknown component gives an \
                  empty list.",
    result: "found",
    refuses: &[Invalid],
};

const DELETE_HINT: Entry = Entry {
    summary: "Deletes a variant of a slot, or all of them.",
    description: "`scope`, `context` or `all` say which; with none of them, the only one. Several are then `E_INVALID` \
                  with `detail` `ambiguous`.",
    result: "deleted",
    refuses: &[Invalid, ScopeInvalid, NotFound, Unavailable],
};

const LIST_COMPONENTS: Entry = Entry {
    summary: "Lists the components, sorted; of one that is named, its keys too.",
    description: "Only live hints count, and with a context only those that apply there.",
    result: "components",
    refuses: &[Invalid],
};

const BUMP: Entry = Entry {
    summary: "Says that a hint proved useful, so that it ranks higher.",
    description: "Neither the version nor the time to live changes. `scope` or `context` say which variant is meant.",
    result: "bumped",
    refuses: &[Invalid, ScopeInvalid, NotFound, Unavailable],
};

const EXPORT: Entry = Entry {
    summary: "Gives the store, or a part of it, as one payload.",
    description: "Everything is sorted: equal stores give equal bytes. Hints marked as secret are left out unless asked \
                  for, and counted.",
    result: "exported",
    refuses: &[Invalid],
};

const IMPORT: Entry = Entry {
    summary: "Takes over the hints of a payload.",
    description: "`merge` passes over what is bad and lists the first 20 problems; `replace` is refused if anything is \
                  bad. Every hint passes the guard, the checks and the limits as if it were set.",
    result: "imported",
    refuses: &[Invalid, SecretRejected, ScopeInvalid, Quota, Unavailable],
};

const SET_CONTEXT: Entry = Entry {
    summary: "Says what is being worked on, in named sets.",
    description: "A set has 10 items at most and all have 50: the newest stay, and `dropped` says what went. Sets that are \
                  not named stay as they are.",
    result: "context_sets",
    refuses: &[Invalid, SecretRejected, Unavailable],
};

const GET_CONTEXT: Entry = Entry {
    summary: "Tells what is being worked on.",
    description: "Files that no longer exist on this machine are counted in `gone` and not listed.",
    result: "context_sets",
    refuses: &[Invalid, NotFound],
};

const PROPOSE: Entry = Entry {
    summary: "Proposes a hint: it is never served until it is accepted.",
    description: "50 may wait, and the oldest go. What waits already waits once; what is set already is `E_CONFLICT`.",
    result: "proposed",
    refuses: &[
        Invalid,
        SecretRejected,
        ScopeInvalid,
        Conflict,
        Quota,
        Unavailable,
    ],
};

const LIST_PROPOSALS: Entry = Entry {
    summary: "Lists the hints that wait to be accepted.",
    description: "A set of a program that would overwrite what the user has set waits here as well.",
    result: "proposals",
    refuses: &[Invalid],
};

const ACCEPT: Entry = Entry {
    summary: "Sets the hint of a proposal, as the user's own.",
    description: "Over MCP it is refused: who proposes does not decide.",
    result: "hint_set",
    refuses: &[Invalid, NotFound, Conflict, Quota, Unavailable],
};

const REJECT: Entry = Entry {
    summary: "Drops a proposal.",
    description: "Over MCP it is refused: who proposes does not decide.",
    result: "proposed",
    refuses: &[Invalid, NotFound, Unavailable],
};

const ON_EVENT: Entry = Entry {
    summary: "Takes an event of a host's hook, and says what the agent should be told.",
    description: "A command that equals a hint that applies there bumps it or counts a failure. Mostly nothing is said. \
                  `nudge hook` calls it.",
    result: "reaction",
    refuses: &[Invalid, Unavailable],
};

const PROMPT_BLOCK: Entry = Entry {
    summary: "Writes the hints that apply as text for a prompt, within a budget.",
    description: "One hint a slot, the one that a get would choose, in the order of names: the same hints give the same \
                  bytes, and prompt caches survive. Secrets are never shown.",
    result: "block",
    refuses: &[Invalid],
};

const HELLO: Entry = Entry {
    summary: "Says who the server is, and which variables its scopes mention.",
    description: "What a client asks first: the first number of `protocol` must agree with its own.",
    result: "identity",
    refuses: &[Invalid],
};

const STATUS: Entry = Entry {
    summary: "Says how the server is doing.",
    description: "Counts, limits, and the processes that share the session.",
    result: "status",
    refuses: &[Invalid],
};

const STOP: Entry = Entry {
    summary: "Ends the server and its session.",
    description: "The store is gone with it. PROXYs stay with their hosts, and the next call starts a new session.",
    result: "stopped",
    refuses: &[Invalid],
};

const DISCOVER: Entry = Entry {
    summary: "Gives this document.",
    description: "As OpenRPC asks of a server that describes itself.",
    result: "openrpc",
    refuses: &[Invalid],
};
