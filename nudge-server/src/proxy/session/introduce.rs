//! Saying which client a process serves, to whoever owns the store.

use super::Session;
use crate::primary::member::Introduction;
use crate::primary::operations::ServerOperation;
use crate::proxy::backend::Backend;
use crate::wire::sender::Sender;

impl Session {
    /// Says which client this process serves, by name and version. Members hear
    /// it; the first word stands.
    pub async fn introduce(&self, client: String) {
        if self.client.set(client).is_err() {
            return;
        }
        match self.backend() {
            Some(Backend::Local(primary)) => primary.meet(self.introduction()),
            Some(Backend::Remote(link)) => {
                let said = self.introduction_json();
                // One that is gone hears it from us when we join its successor.
                let (us, hello) = (Sender::process(), ServerOperation::Hello.into());
                let _ = link.send(&link.request_id(), &us, hello, &said).await;
            }
            None => {}
        }
    }

    /// Whether the client has said who it is.
    #[must_use]
    pub fn is_introduced(&self) -> bool {
        self.client.get().is_some()
    }

    pub(super) fn introduction(&self) -> Introduction {
        Introduction::here(self.client.get().map(String::as_str))
    }

    pub(super) fn introduction_json(&self) -> String {
        serde_json::to_string(&self.introduction()).unwrap_or_else(|_| "{}".to_owned())
    }
}
