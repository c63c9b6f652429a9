//! Whether what works is kept for the next session, and what agents do recorded, which the
//! user says once.

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
        let none = "nothing is kept for the next session";
        let keep = match self {
            Keep::Answered(keep) => keep,
            Keep::Settled => return settled(file, "keep"),
            Keep::Open => return format!("{none} until the user types `nudge install`"),
        };
        let done = if keep {
            "what works is kept for the next session"
        } else {
            none
        };
        write(file, ("keep", keep), has_session, (done, none))
    }

    /// The same for what is recorded.
    pub(crate) fn write_observe(self, file: &UserFile, has_session: bool) -> String {
        let none = "nothing is recorded";
        match self {
            Keep::Answered(on) => {
                let done = "what agents do is recorded, to be searched";
                write(file, ("observe", on), has_session, (done, none))
            }
            Keep::Settled => settled(file, "observe"),
            Keep::Open => format!("{none} until the user types `nudge install --observe`"),
        }
    }
}

fn settled(file: &UserFile, name: &str) -> String {
    let shown = file.path.display();
    format!("`{shown}` says `{name}` already; change it there")
}

fn write(
    file: &UserFile,
    (name, is_on): (&str, bool),
    has_session: bool,
    (done, none): (&str, &str),
) -> String {
    if let Err(words) = file.write(name, is_on) {
        return format!("{words}; {none}");
    }
    let restart = if has_session {
        "; `nudge restart` applies it to the session that has begun"
    } else {
        ""
    };
    let (other, shown) = (!is_on, file.path.display());
    format!("{done}, unless you write `{name} = {other}` into `{shown}`{restart}")
}
