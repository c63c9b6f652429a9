//! A call, whoever is PRIMARY, and when that changes under it.

use std::sync::Arc;

use nudge::{ErrorKind, Origin};
use serde::Deserialize;

use super::{Pauses, Session};
use crate::primary::Primary;
use crate::primary::call::{call_once, nth};
use crate::proxy::backend::Backend;
use crate::proxy::link::Link;
use crate::wire::{Answer, Fault};

/// How many servers may hear a call and go away before it is given up: the call
/// itself may be what ends them.
const HEARD: usize = 3;

impl Session {
    /// Calls a method by its name on the wire, such as `nudge.get_hint`.
    ///
    /// When the PRIMARY is gone, whoever is PRIMARY then is asked, be it this
    /// process. The call keeps its request id, so that it is done once.
    pub async fn call(&self, method: &str, params: &str) -> Answer {
        self.call_from(None, method, params).await
    }

    /// Calls a method as [`Session::call`] does, and says who a write comes from.
    pub async fn call_from(&self, origin: Option<&Origin>, method: &str, params: &str) -> Answer {
        let id = self.ids.next();
        let mut heard = 0;
        let mut pauses = Pauses::new();
        loop {
            match self.settle().await? {
                Backend::Local(primary) => {
                    // The store is quick and waits for nothing but its own lock.
                    let answer = call_once(&primary, Some(&nth(&id, 0)), origin, method, params);
                    if !self.steps_back(&primary) || !pauses.next().await {
                        return answer;
                    }
                }
                Backend::Remote(link) => match link.send(&id, origin, method, params).await {
                    Ok(answer) if is_superseded(&answer) && pauses.next().await => {
                        self.unsettle(&link);
                    }
                    Ok(answer) => return answer,
                    Err(gone) if gone.left() => {
                        heard += usize::from(gone.was_read());
                        self.unsettle(&link);
                        if heard == HEARD || !pauses.next().await {
                            return Err(gone.into());
                        }
                    }
                    Err(gone) => return Err(gone.into()),
                },
            }
        }
    }

    /// Forgets a PRIMARY that is gone, unless another one was found meanwhile.
    pub(super) fn unsettle(&self, gone: &Arc<Link>) {
        self.settled.send_if_modified(|settled| match settled {
            Some(Backend::Remote(link)) if Arc::ptr_eq(link, gone) => {
                *settled = None;
                true
            }
            _ => false,
        });
    }

    /// Forgets a PRIMARY of ours whose session another process has taken over;
    /// false if none has. Where nothing is settled by us, it stays.
    pub(super) fn steps_back(&self, ours: &Arc<Primary>) -> bool {
        if self.settings.is_none() || !ours.is_superseded() {
            return false;
        }
        self.settled.send_if_modified(|settled| match settled {
            Some(Backend::Local(primary)) if Arc::ptr_eq(primary, ours) => {
                *settled = None;
                true
            }
            _ => false,
        });
        ours.stop();
        true
    }
}

/// Whether a PRIMARY says that it is none any more. A store has no other reason
/// to be unavailable.
fn is_superseded(answer: &Answer) -> bool {
    #[derive(Deserialize)]
    struct Code {
        code: i32,
    }
    let Err(Fault::Passed(error)) = answer else {
        return false;
    };
    let code = serde_json::from_str(error.get()).map(|Code { code }| code);
    code.is_ok_and(|code| code == ErrorKind::Unavailable.code())
}
