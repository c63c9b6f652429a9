//! Calls with params that say where the caller is, which follow from what is known.

use std::sync::Arc;

use crate::answer::{Answer, Fault};
use crate::client::Client;
use crate::exchange::wait;
use crate::sender::{Known, Sender};
use crate::transport::{Method, Transport};

/// How often such a call is made.
const TRIES: usize = 3;

impl Client {
    /// Calls a method as [`Client::call_knowing`] does, and waits for the answer.
    pub fn call_knowing_blocking<'a>(
        &self,
        sender: &Sender,
        method: impl Into<Method<'a>>,
        params: impl FnMut(&Known) -> Result<String, Fault>,
    ) -> Answer {
        wait(self.call_knowing(sender, method.into(), params))
    }
}

impl<T: Transport> Client<T> {
    /// Calls a method. Its params are worked out again where the server knows it otherwise, and so
    /// has made no call.
    pub async fn call_knowing(
        &self,
        sender: &Sender,
        method: Method<'_>,
        mut params: impl FnMut(&Known) -> Result<String, Fault>,
    ) -> Answer {
        let (mut sender, mut tries) = (sender.clone(), 0);
        loop {
            let known = Arc::clone(&self.told.lock().known);
            sender.known = Some(known.tag.clone());
            let answer = self.call(&sender, method, &params(&known)?).await;
            tries += 1;
            if answer.is_ok() || tries == TRIES || self.told.lock().known == known {
                return answer;
            }
        }
    }
}
