//! What the desktop of a system is like.

/// Whether programs keep their settings where macOS wants them.
pub(crate) const IS_MACOS: bool = cfg!(target_os = "macos");

/// The program that opens an address.
pub(crate) const OPENER: &[&str] = if IS_MACOS {
    &["open"]
} else if cfg!(windows) {
    &["rundll32", "url.dll,FileProtocolHandler"]
} else {
    &["xdg-open"]
};

/// What stands between the browsers that `BROWSER` names.
pub(crate) const BETWEEN_BROWSERS: char = if cfg!(windows) { ';' } else { ':' };

/// Whether the environment of a process says that there is a display.
pub(crate) const DISPLAYS_ARE_NAMED: bool = cfg!(all(unix, not(target_os = "macos")));
