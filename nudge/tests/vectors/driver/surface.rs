//! What the driver needs of a surface.

use serde_json::Value;

/// One way to reach a store. It converts, calls, converts back, and expects nothing.
pub(crate) trait Surface {
    /// Starts over with an empty store, made at a time.
    fn open(&mut self, config: &Value, at: &str);

    /// Sets the clock of the store, forwards or backwards.
    fn at(&mut self, time: &str);

    /// Says who calls from now on: an actor, a client and an agent session, in words such
    /// as `agent codex s-1`. `None` is whoever calls by this surface when nobody says so.
    fn caller(&mut self, words: Option<&str>);

    /// Calls a method by its name without the prefix. An error is the object
    /// `{code, message, data}`.
    fn call(&mut self, method: &str, params: &Value) -> Result<Value, Value>;

    /// The word by which this surface says in `meta.origin` that a hint came by
    /// it; none where hints come without an origin.
    fn via(&self) -> Option<&'static str> {
        None
    }
}
