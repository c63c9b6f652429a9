//! Whether what works is kept for the next session, which the user says once.

use crate::config::UserFile;

/// What is known of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// It is this, by a flag or because nobody minds.
    Answered(bool),
    /// The user's file has one, whatever the flag says.
    Settled,
    /// It is for the user to say.
    Open,
}

impl Keep {
    /// Writes the answer into the user's file, and says so. A session that has begun goes on
    /// as it is.
    pub(crate) fn write(self, file: &UserFile, has_session: bool) -> String {
        let shown = file.path.display();
        let keep = match self {
            Keep::Answered(keep) => keep,
            Keep::Settled => return format!("`{shown}` says `keep` already; change it there"),
            Keep::Open => {
                return "nothing is kept for the next session until the user types `nudge install`"
                    .to_owned();
            }
        };
        if let Err(words) = file.write_keep(keep) {
            return format!("{words}; nothing is kept for the next session");
        }
        let restart = if has_session {
            "; `nudge restart` applies it to the session that has begun"
        } else {
            ""
        };
        let (what, other) = if keep {
            ("what works is kept", "`keep = false`")
        } else {
            ("nothing is kept", "`keep = true`")
        };
        format!("{what} for the next session, unless you write {other} into `{shown}`{restart}")
    }
}
