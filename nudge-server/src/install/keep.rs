//! Whether hints are kept beyond the session, and what agents do recorded, which the user says
//! once.

use crate::config::UserFile;

/// A setting that `nudge install` writes, and what it says then.
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    pub(crate) variable: &'static str,
    is_on: &'static str,
    is_off: &'static str,
    /// What is so where nobody has said anything, and what to type for the other.
    unsaid: &'static str,
    typed: &'static str,
}

pub(crate) const KEEP: Setting = Setting {
    name: "keep",
    variable: "NUDGE_KEEP",
    is_on: "what you set and what works is kept",
    is_off: "everything ends with the session",
    unsaid: "what you set and what works is kept",
    typed: "nudge install --no-keep",
};

pub(crate) const OBSERVE: Setting = Setting {
    name: "observe",
    variable: "NUDGE_OBSERVE",
    is_on: "what agents do is recorded, to be searched",
    is_off: "nothing is recorded",
    unsaid: "nothing is recorded",
    typed: "nudge install --observe",
};

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
    pub(crate) fn write(self, setting: &Setting, file: &UserFile, has_session: bool) -> String {
        let (shown, Setting { name, unsaid, .. }) = (file.path.display(), setting);
        let is_on = match self {
            Keep::Answered(is_on) => is_on,
            Keep::Settled => return format!("`{shown}` says `{name}` already; change it there"),
            Keep::Open => return format!("{unsaid} until the user types `{}`", setting.typed),
        };
        if let Err(why) = file.write(name, &is_on.to_string()) {
            return format!("{why}; {unsaid}");
        }
        let restart = if has_session {
            "; `nudge restart` applies it to the session that has begun"
        } else {
            ""
        };
        let what = if is_on { setting.is_on } else { setting.is_off };
        let other = !is_on;
        format!("{what}, unless you write `{name} = {other}` into `{shown}`{restart}")
    }
}
