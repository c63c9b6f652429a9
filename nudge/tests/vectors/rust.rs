//! The library, called in process.

use std::sync::Arc;

use nudge::{
    Accept, Bump, DeleteHint, Error, Export, GetContext, GetHint, Import, ListComponents,
    ListProposals, ManualClock, Nudge, Propose, Query, SetContext, SetHint, from_json,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::driver::Surface;

/// A store with a clock that the vectors set.
#[derive(Default)]
pub(crate) struct Rust(Option<(Nudge, Arc<ManualClock>)>);

impl Surface for Rust {
    fn open(&mut self, config: &Value, at: &str) {
        let clock = Arc::new(ManualClock::at(at.parse().unwrap()));
        let config = from_json(config.to_string().as_bytes()).unwrap();
        let nudge = Nudge::new(config).with_clock(Arc::clone(&clock));
        self.0 = Some((nudge, clock));
    }

    fn at(&mut self, time: &str) {
        let (_, clock) = self.0.as_ref().unwrap();
        clock.set(time.parse().unwrap());
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let (nudge, _) = self.0.as_ref().unwrap();
        let json = params.to_string();
        let answer = match method {
            "set_hint" => through(&json, |request: SetHint| nudge.set_hint(request)),
            "get_hint" => through(&json, |request: GetHint| nudge.get_hint(request)),
            "query" => through(&json, |request: Query| nudge.query(request)),
            "delete_hint" => through(&json, |request: DeleteHint| nudge.delete_hint(request)),
            "list_components" => through(&json, |request: ListComponents| {
                nudge.list_components(request)
            }),
            "bump" => through(&json, |request: Bump| nudge.bump(request)),
            "export" => through(&json, |request: Export| nudge.export(request)),
            "import" => through(&json, |request: Import| nudge.import(request)),
            "set_context" => through(&json, |request: SetContext| nudge.set_context(request)),
            "get_context" => through(&json, |request: GetContext| nudge.get_context(request)),
            "propose" => through(&json, |request: Propose| nudge.propose(request)),
            "list_proposals" => through(&json, |request: ListProposals| {
                nudge.list_proposals(request)
            }),
            "accept" => through(&json, |request: Accept| nudge.accept(request)),
            "reject" => through(&json, |request: Accept| nudge.reject(request)),
            other => panic!("no method {other:?}"),
        };
        answer.map_err(|error| serde_json::to_value(error).unwrap())
    }
}

/// Reads a request, calls, and writes the answer.
fn through<Q: DeserializeOwned, A: Serialize>(
    json: &str,
    call: impl FnOnce(Q) -> Result<A, Error>,
) -> Result<Value, Error> {
    let answer = call(from_json(json.as_bytes())?)?;
    Ok(serde_json::to_value(answer).unwrap())
}
