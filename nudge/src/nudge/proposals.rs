//! The operations about proposals.

use crate::api::answer::HintSet;
use crate::api::caller::Caller;
use crate::api::proposals::{Accept, ListProposals, Proposals, Propose, Proposed, Reject};
use crate::model::error::Error;
use crate::nudge::Nudge;

/// Proposals.
impl Nudge {
    /// Proposes a hint: it is never served until it is accepted.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{ErrorKind, Nudge, Propose, SetHint};
    ///
    /// let nudge = Nudge::default();
    /// nudge.set_hint(SetHint::new("api", "build", "make"))?;
    /// let known = Propose::new(SetHint::new("api", "build", "make"), "it worked");
    /// assert_eq!(nudge.propose(known).unwrap_err().kind(), ErrorKind::Conflict);
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn propose(&self, request: Propose) -> Result<Proposed, Error> {
        self.ask(&Caller::user(), request)
    }

    /// Lists the proposals that wait.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{ListProposals, Nudge};
    ///
    /// assert!(Nudge::default().list_proposals(ListProposals::default())?.proposals.is_empty());
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn list_proposals(&self, request: ListProposals) -> Result<Proposals, Error> {
        self.ask(&Caller::user(), request)
    }

    /// Sets the hint of a proposal, as the user's own.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{Accept, Nudge, Propose, SetHint, Source};
    ///
    /// let nudge = Nudge::default();
    /// let hint = SetHint::new("api", "build", "make").source(Source::Agent);
    /// let id = nudge.propose(Propose::new(hint, "it worked"))?.proposal.id;
    /// let set = nudge.accept(Accept::new(id))?;
    /// assert_eq!(set.hint.meta.source, Some(Source::User));
    /// # Ok::<(), nudge::Error>(())
    /// ```
    pub fn accept(&self, request: Accept) -> Result<HintSet, Error> {
        self.ask(&Caller::user(), request)
    }

    /// Drops a proposal.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::{ErrorKind, Nudge, Reject};
    ///
    /// let error = Nudge::default().reject(Reject::new(7)).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotFound);
    /// ```
    pub fn reject(&self, request: Reject) -> Result<Proposed, Error> {
        self.ask(&Caller::user(), request)
    }
}
