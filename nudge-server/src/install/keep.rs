//! Whether what works is kept for the next session: a question that is asked once.

use std::io::{BufRead, Write};

use crate::config::UserFile;

/// What is known of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// It is this, by a flag, by word or for want of one.
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

/// Whether the question is answered with yes, which it is unless somebody says no.
pub(crate) fn is_kept(mut answers: impl BufRead, mut questions: impl Write) -> bool {
    // Somebody who sees no question gives no answer.
    let _ = write!(questions, "Keep what works for the next session? [Y/n] ");
    let _ = questions.flush();
    let mut answer = String::new();
    let _ = answers.read_line(&mut answer);
    !answer.trim().to_lowercase().starts_with('n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_no_is_a_no() {
        for (answer, expected) in [
            ("\n", true),
            ("", true),
            ("y\n", true),
            (" YES \n", true),
            ("n\n", false),
            (" No\n", false),
            ("nope\ny\n", false),
        ] {
            let mut asked = Vec::new();
            assert_eq!(is_kept(answer.as_bytes(), &mut asked), expected, "{answer}");
            assert_eq!(asked, b"Keep what works for the next session? [Y/n] ");
        }
    }
}
