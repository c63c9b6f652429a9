//! Where the page for people is, and by what it is known.

use std::sync::{Arc, OnceLock};

use nudge::{Caller, Context, Error, ErrorKind, Name, Scope, Via};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Primary;
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

/// Asks which hints apply in a place.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(super) struct GetApplying {
    /// The place.
    pub(super) context: Context,
}

/// All that applies there.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Applying {
    /// Which hints, in no order.
    hints: Vec<AppliedHint>,
}

/// By what a hint is known.
#[derive(Debug, Serialize, JsonSchema)]
struct AppliedHint {
    /// The component.
    component: Name,
    /// The key.
    key: Name,
    /// Where it applies; everywhere when absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<Scope>,
}

impl Primary {
    /// Says which hints apply in a place. Their values the page has: where a place is chosen
    /// among thousands of hints, to send them again takes longer than anybody waits.
    pub(super) fn applying(&self, by: &Caller<'_>, asked: &GetApplying) -> Result<Applying, Error> {
        let found = self.nudge.found_here(by, &asked.context)?.into_iter();
        let hints = found.map(|(component, key, hint)| AppliedHint {
            component,
            key,
            scope: hint.scope().cloned(),
        });
        Ok(Applying {
            hints: hints.collect(),
        })
    }
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
