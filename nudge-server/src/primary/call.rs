//! A call of the store or of its owner.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};

use nudge::{Caller, Context, ContextUse, Cost, Error, ErrorKind, Operation};
use parking_lot::Mutex;
use serde_json::value::RawValue;

use super::Primary;
use super::operations::Method;
use crate::config::LogLevel;
use crate::log::log_with;
use crate::wire::{Answer, Fault};

/// The longest call that is surely quick.
pub(crate) const QUICK: usize = 256 * 1024;

/// Calls a method with the text of its params; a write that is known by a request was
/// made once and is answered again, also where an earlier PRIMARY of the session made it.
///
/// A panic, which is a bug in Nudge, is an answer like any other.
pub fn call(primary: &Primary, by: &Caller<'_>, method: Method, params: &str) -> Answer {
    let call = || {
        let mut answer = Vec::new();
        call_into(primary, by, method, params, &mut answer)?;
        raw(answer)
    };
    match (by.request, primary.memory()) {
        (Some(id), Some(memory)) if method.writes() => {
            memory.once(id, [method.name(), params], call)
        }
        _ => call(),
    }
}

/// Calls a method, as often as it is asked to, and appends the result to `response`. What
/// is there after a failure is to be thrown away.
pub fn call_into(
    primary: &Primary,
    by: &Caller<'_>,
    method: Method,
    params: &str,
    response: &mut Vec<u8>,
) -> Result<(), Fault> {
    primary.calls.fetch_add(1, Ordering::Relaxed);
    let places = primary.places(by);
    let by = &by.places(&places);
    let _working = primary.presence.work();
    if params.trim_start().starts_with('[') {
        return Err(Fault::Params);
    }
    // A shell asks what is told of an event wherever the user goes.
    let is_typed = by.is_typed() && method != Operation::OnEvent.into();
    let enter = |context: &Context| primary.enter(context, is_typed);
    let by = &by.on_enter(&enter);
    let states_none = matches!(
        method.about().context,
        ContextUse::None | ContextUse::Selector
    );
    if let Some(here) = by.here.filter(|_| states_none) {
        enter(here);
    }
    let bytes = params.as_bytes();
    let answer = caught(|| match method {
        Method::Store(operation) => primary.nudge.call(by, operation, bytes, response),
        Method::Server(operation) => (operation.row().call)(primary, by, bytes, response),
    });
    if method == Operation::OnEvent.into() && answer.is_ok() {
        primary.note_event(params);
        primary.hear(by);
    }
    primary.save_roots(false);
    primary.due.notify_one();
    let level = match method {
        Method::Store(Operation::OnEvent) => LogLevel::Info,
        _ => LogLevel::Debug,
    };
    log_with(level, || {
        let came_of_it = answer
            .as_ref()
            .map_or_else(|error| error.kind().reason(), |()| "done");
        let client = by.client.unwrap_or("nobody that said so");
        format!("{} by {client:?}: {came_of_it}", method.name())
    });
    Ok(answer?)
}

/// The order in which events came. Each has a thread of its own, on which it would overtake
/// another, so that what happened later is recorded first.
#[derive(Default)]
pub(crate) struct Turns(Mutex<Option<Receiver<()>>>);

impl Turns {
    /// Takes a turn: what waits for all that were taken before, and gives what ends it.
    pub(crate) fn take(&self) -> impl FnOnce() -> Sender<()> + Send + use<> {
        let (done, is_done) = channel();
        let before = self.0.lock().replace(is_done);
        move || {
            // Nothing is ever sent: it is over once its sender is dropped.
            let _ = before.map(|before| before.recv());
            done
        }
    }
}

impl Primary {
    /// Whether a call of this cost may be made right here, by the thread that answers all others.
    /// The store is quick and waits for nothing but its own lock, unless somebody has it do
    /// something in bulk.
    pub(crate) fn is_quick(&self, cost: Cost) -> bool {
        let is_quick = match cost {
            Cost::Quick => true,
            Cost::Disk => !self.is_observing(),
            Cost::Search | Cost::Bulk => false,
        };
        is_quick && Arc::strong_count(&self.bulk) == 1
    }

    /// Makes a call on a thread of its own; none where that has failed.
    pub(crate) async fn in_bulk<T: Send + 'static>(
        self: &Arc<Primary>,
        call: impl FnOnce(&Primary) -> T + Send + 'static,
    ) -> Option<T> {
        let (primary, bulk) = (Arc::clone(self), Arc::clone(&self.bulk));
        let called = tokio::task::spawn_blocking(move || {
            let answer = call(&primary);
            drop(bulk);
            answer
        });
        called.await.ok()
    }

    /// Where a caller is known to be: where its process is, and where hooks of its agent
    /// session have been.
    pub(crate) fn places(&self, by: &Caller<'_>) -> Vec<Context> {
        let told = (!by.is_user()).then(|| self.folders.told(by, None));
        by.places
            .iter()
            .cloned()
            .chain(told.into_iter().flatten())
            .collect()
    }
}

/// What a call is known by, of those that a request holds: each but the first is that of
/// a client of its own, so that its number is not lower than that of another.
pub(crate) fn nth(request: &str, number: usize) -> String {
    match request.rsplit_once('-') {
        _ if number == 0 => request.to_owned(),
        Some((client, last)) => format!("{client}/{number}-{last}"),
        None => format!("{request}/{number}"),
    }
}

/// Does some work, in which a panic is an error and nothing more.
fn caught(work: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
    // A store that a panic went through is whole: what an operation changes is
    // worked out first and then put in place. What the panic says is not
    // repeated, for it may quote what is stored.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let words = "this is a bug in Nudge; nothing was changed, please report it";
        Err(Error::new(ErrorKind::Internal, words))
    })
}

fn raw(json: Vec<u8>) -> Answer {
    let text = String::from_utf8(json).ok();
    let raw = text.and_then(|text| RawValue::from_string(text).ok());
    raw.ok_or_else(|| Error::new(ErrorKind::Internal, "an answer is not JSON").into())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread::scope;

    use super::{Turns, nth};

    #[test]
    fn events_are_taken_in_the_order_in_which_they_came() {
        let turns = Turns::default();
        let (tell, told) = channel();
        let taken: Vec<_> = (0..9).map(|number| (number, turns.take())).collect();
        scope(|scope| {
            for (number, turn) in taken.into_iter().rev() {
                let tell = tell.clone();
                scope.spawn(move || {
                    let _done = turn();
                    tell.send(number).unwrap();
                });
            }
        });
        drop(tell);
        assert!(told.iter().eq(0..9));
    }

    #[test]
    fn each_call_of_a_batch_is_numbered_by_itself() {
        let batch = |id: &str| [0, 2].map(|number| nth(id, number));
        assert_eq!(batch("c-7"), ["c-7", "c/2-7"]);
        assert_eq!(batch("build"), ["build", "build/2"]);
    }
}
