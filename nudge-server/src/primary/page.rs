//! Where the page for people is, and by what it is known.

use std::fmt;
use std::sync::{Arc, OnceLock};

use nudge::{Caller, Error, ErrorKind, Via};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::platform::random::key;

/// Asks where the page is.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FindPage {}

/// Where the page is, and what it must show.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct PageAddress {
    /// Its own port on 127.0.0.1.
    pub(crate) port: u16,
    /// What it must show: whoever has it is the user.
    pub(crate) key: Arc<str>,
}

/// The page of a PRIMARY.
pub struct Page {
    /// What lets a browser in. It is in no file but the one that `nudge ui` opens.
    pub(crate) key: Arc<str>,
    port: OnceLock<u16>,
}

impl Page {
    pub(super) fn new() -> Page {
        Page {
            key: key().into(),
            port: OnceLock::new(),
        }
    }

    /// Remembers where it is served.
    pub(crate) fn is_at(&self, port: u16) {
        // A server has one page for life.
        let _ = self.port.set(port);
    }

    /// Says where the page is. No browser is told, and the page itself has no need.
    pub(super) fn find(&self, by: &Caller<'_>) -> Result<PageAddress, Error> {
        if by.via == Via::Page {
            let words = "`nudge.page` is not for browsers; run `nudge ui` in a terminal";
            return Err(Error::new(ErrorKind::Forbidden, words));
        }
        let (port, key) = (self.port.get().copied(), Arc::clone(&self.key));
        let found = port.map(|port| PageAddress { port, key });
        found.ok_or_else(|| {
            let words = "the server has no port for a browser; end it with `nudge stop`, \
                         then start one with `nudge serve`";
            Error::new(ErrorKind::Unavailable, words)
        })
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page")
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}
