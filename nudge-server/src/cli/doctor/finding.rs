//! What `nudge doctor` says of one thing that it looked at.

use serde::Serialize;

/// How a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// As it should be.
    Good,
    /// Nudge works, but somebody may be surprised.
    Odd,
    /// Something does not work until it is mended.
    Bad,
}

/// One thing, and how it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Finding {
    /// What was looked at, in a word or two: `server`, `Claude Code`.
    pub(crate) about: String,
    /// How it is.
    pub(crate) state: State,
    /// The same in words, without a full stop.
    pub(crate) words: String,
    /// The command that fixes it, as it is typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) fix: Option<String>,
}

impl Finding {
    /// A thing that is as it should be.
    pub(crate) fn good(about: &str, words: impl Into<String>) -> Finding {
        Finding::new(about, State::Good, words.into())
    }

    /// A thing that may surprise somebody.
    pub(crate) fn odd(about: &str, words: impl Into<String>) -> Finding {
        Finding::new(about, State::Odd, words.into())
    }

    /// A thing that does not work.
    pub(crate) fn bad(about: &str, words: impl Into<String>) -> Finding {
        Finding::new(about, State::Bad, words.into())
    }

    /// The same with the command that fixes it.
    pub(crate) fn fixed_by(mut self, command: impl Into<String>) -> Finding {
        self.fix = Some(command.into());
        self
    }

    fn new(about: &str, state: State, words: String) -> Finding {
        Finding {
            about: about.to_owned(),
            state,
            words,
            fix: None,
        }
    }
}
