//! The operations about what is being worked on.

use crate::api::caller::Caller;
use crate::api::context_sets::{ContextSets, GetContext, SetContext};
use crate::model::error::Error;
use crate::nudge::Nudge;

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
        self.ask(&Caller::user(), request)
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
    pub fn get_context(&self, request: GetContext) -> Result<ContextSets, Error> {
        self.ask(&Caller::user(), request)
    }
}
