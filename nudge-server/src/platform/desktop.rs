//! What the desktop of a system is like.

/// Whether programs keep their settings where macOS wants them.
pub(crate) const IS_MACOS: bool = cfg!(target_os = "macos");

/// Whether paths have drives and backslashes, and no shell reads a hook as Unix does.
pub(crate) const IS_WINDOWS: bool = cfg!(windows);

/// The variable that names the user's folder.
pub(crate) const HOME: &str = if IS_WINDOWS { "USERPROFILE" } else { "HOME" };

/// The program that opens an address.
pub(crate) const OPENER: &[&str] = if IS_MACOS {
    &["open"]
} else if IS_WINDOWS {
    &["rundll32", "url.dll,FileProtocolHandler"]
} else {
    &["xdg-open"]
};

/// The program that edits a text, where the user names none.
pub(crate) const EDITOR: &str = if IS_WINDOWS { "notepad" } else { "vi" };

/// What stands between the browsers that `BROWSER` names.
pub(crate) const BETWEEN_BROWSERS: char = if IS_WINDOWS { ';' } else { ':' };

/// Whether the environment of a process says that there is a display.
pub(crate) const DISPLAYS_ARE_NAMED: bool = cfg!(all(unix, not(target_os = "macos")));
