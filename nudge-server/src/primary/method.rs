//! `Method`: what can be called. A method that is not listed here is neither
//! answered nor described.

/// A method of the store, or of its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the method of its name")]
pub enum Method {
    SetHint,
    GetHint,
    Query,
    DeleteHint,
    ListComponents,
    Bump,
    Export,
    Import,
    SetContext,
    GetContext,
    Propose,
    ListProposals,
    Accept,
    Reject,
    PromptBlock,
    OnEvent,
    Hello,
    Status,
    Stop,
    Discover,
}

impl Method {
    /// Every method, in the order in which people read about them.
    pub const ALL: [Method; 20] = [
        Method::SetHint,
        Method::GetHint,
        Method::Query,
        Method::DeleteHint,
        Method::ListComponents,
        Method::Bump,
        Method::Export,
        Method::Import,
        Method::SetContext,
        Method::GetContext,
        Method::Propose,
        Method::ListProposals,
        Method::Accept,
        Method::Reject,
        Method::PromptBlock,
        Method::OnEvent,
        Method::Hello,
        Method::Status,
        Method::Stop,
        Method::Discover,
    ];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Method::SetHint => "nudge.set_hint",
            Method::GetHint => "nudge.get_hint",
            Method::Query => "nudge.query",
            Method::DeleteHint => "nudge.delete_hint",
            Method::ListComponents => "nudge.list_components",
            Method::Bump => "nudge.bump",
            Method::Export => "nudge.export",
            Method::Import => "nudge.import",
            Method::SetContext => "nudge.set_context",
            Method::GetContext => "nudge.get_context",
            Method::Propose => "nudge.propose",
            Method::ListProposals => "nudge.list_proposals",
            Method::Accept => "nudge.accept",
            Method::Reject => "nudge.reject",
            Method::PromptBlock => "nudge.prompt_block",
            Method::OnEvent => "nudge.on_event",
            Method::Hello => "nudge.hello",
            Method::Status => "nudge.status",
            Method::Stop => "nudge.stop",
            Method::Discover => "rpc.discover",
        }
    }

    /// The method of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name)
    }
}
