//! A call, whoever is PRIMARY, and when that changes under it.

use std::sync::Arc;

use nudge::ErrorKind;
use serde::Deserialize;

use super::{Pauses, Session};
use crate::primary::Primary;
use crate::primary::call::{call, nth};
use crate::primary::operations::Method;
use crate::proxy::backend::Backend;
use crate::proxy::link::Link;
use crate::wire::sender::Sender;
use crate::wire::{Answer, Fault};

/// How many servers may hear a call and go away before it is given up: the call
/// itself may be what ends them.
const HEARD: usize = 3;

impl Session {
    /// Calls a method with the text of its params, as some program.
    ///
    /// When the PRIMARY is gone, whoever is PRIMARY then is asked, be it this
    /// process. The call keeps its request id, so that it is done once.
    pub async fn call(&self, method: impl Into<Method>, params: &str) -> Answer {
        self.call_from(&Sender::default(), method, params).await
    }

    /// Calls a method as [`Session::call`] does, and says who calls.
    pub async fn call_from(
        &self,
        sender: &Sender,
        method: impl Into<Method>,
        params: &str,
    ) -> Answer {
        let method = method.into();
        let id = self.ids.next();
        let mut heard = 0;
        let mut pauses = Pauses::new();
        loop {
            match self.settle().await? {
                Backend::Local(primary) => {
                    // The store is quick and waits for nothing but its own lock.
                    let id = nth(&id, 0);
                    let by = sender.caller().request(&id);
                    let answer = call(&primary, &by, method, params);
                    if !self.steps_back(&primary) || !pauses.next().await {
                        return answer;
                    }
                }
                Backend::Remote(link) => match link.send(&id, sender, method, params).await {
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
