//! The library, called in process.

use std::sync::Arc;

use nudge::{Actor, Caller, ManualClock, Nudge, Operation, from_json};
use serde_json::Value;

use super::driver::Surface;

/// A store with a clock that the vectors set.
#[derive(Default)]
pub(crate) struct Rust {
    store: Option<(Nudge, Arc<ManualClock>)>,
    caller: String,
}

impl Surface for Rust {
    fn open(&mut self, config: &Value, at: &str) {
        let clock = Arc::new(ManualClock::at(at.parse().unwrap()));
        let config = from_json(config.to_string().as_bytes()).unwrap();
        let nudge = Nudge::new(config).with_clock(Arc::clone(&clock));
        self.store = Some((nudge, clock));
    }

    fn at(&mut self, time: &str) {
        let (_, clock) = self.store.as_ref().unwrap();
        clock.set(time.parse().unwrap());
    }

    fn caller(&mut self, words: Option<&str>) {
        words.unwrap_or("user").clone_into(&mut self.caller);
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, Value> {
        let (nudge, _) = self.store.as_ref().unwrap();
        let operation = Operation::named(&format!("nudge.{method}"));
        let operation = operation.unwrap_or_else(|| panic!("no method {method:?}"));
        let (params, mut answer) = (params.to_string(), Vec::new());
        nudge
            .call(
                &caller(&self.caller),
                operation,
                params.as_bytes(),
                &mut answer,
            )
            .map_err(|error| serde_json::to_value(error).unwrap())?;
        Ok(serde_json::from_slice(&answer).unwrap())
    }
}

/// The caller that some words say: an actor, a client and a session, and then what only the library
/// is told, by which way and from which repository; `-` is none.
pub(crate) fn caller(words: &str) -> Caller<'_> {
    let mut words = words.split(' ').map(|word| (word != "-").then_some(word));
    let actor = words.next().unwrap_or_default();
    let actor = serde_json::from_value::<Actor>(actor.into()).unwrap();
    let [client, session, via, repo] = [(); 4].map(|()| words.next().flatten());
    let mut caller = Caller::user().actor(actor);
    (caller.client, caller.session) = (client, session);
    if let Some(via) = via {
        caller = caller.via(serde_json::from_value(via.into()).unwrap());
    }
    repo.map_or(caller, |repo| caller.repo(repo))
}
