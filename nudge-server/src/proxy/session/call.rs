//! A call, whoever is PRIMARY, and when that changes under it.

use std::sync::Arc;

use super::{Pauses, Session};
use crate::primary::call::{call, nth};
use crate::primary::operations::Method;
use crate::proxy::backend::Backend;
use crate::proxy::link::Link;
use crate::wire::Answer;
use crate::wire::sender::Sender;

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
                    return call(&primary, &by, method, params);
                }
                Backend::Remote(link) => match link.send(&id, sender, method, params).await {
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
}
