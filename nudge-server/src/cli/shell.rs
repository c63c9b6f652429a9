//! Words and commands as the user's shell takes them.

use std::path::Path;

use crate::platform::desktop::IS_WINDOWS;
use crate::wire::escape::shown;

/// The shell that what we print is pasted into. `cd`, `kill`, `rm` and `ls` are words of both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shell {
    Posix,
    PowerShell,
}

pub(crate) const SHELL: Shell = if IS_WINDOWS {
    Shell::PowerShell
} else {
    Shell::Posix
};

impl Shell {
    pub(crate) fn quoted(self, word: &str) -> String {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "._/@:+-=".contains(letter);
        if !word.is_empty() && word.chars().all(plain) {
            return word.to_owned();
        }
        let quote = match self {
            Shell::Posix => r"'\''",
            Shell::PowerShell => "''",
        };
        format!("'{}'", shown(word).replace('\'', quote))
    }

    pub(crate) fn path(self, path: &Path) -> String {
        self.quoted(&path.to_string_lossy())
    }

    pub(crate) fn unset(self, variable: &str) -> String {
        match self {
            Shell::Posix => format!("unset {}", self.quoted(variable)),
            Shell::PowerShell => format!("rm {}", self.quoted(&format!("Env:{variable}"))),
        }
    }

    /// Sets a variable to a folder below the home.
    pub(crate) fn set_below_home(self, variable: &str, folder: &str) -> String {
        match self {
            Shell::Posix => format!("export {variable}=\"$HOME/{folder}\""),
            Shell::PowerShell => format!("$env:{variable} = \"$HOME/{folder}\""),
        }
    }

    /// Has programs looked for in a folder first.
    pub(crate) fn put_on_path(self, folder: &Path) -> String {
        match self {
            Shell::Posix => format!("export PATH={}:\"$PATH\"", self.path(folder)),
            Shell::PowerShell => {
                let folder = format!("{};", folder.display());
                format!("$env:PATH = {} + $env:PATH", self.quoted(&folder))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stays_one_word() {
        for (word, posix, powershell) in [
            ("http-proxy", "http-proxy", "http-proxy"),
            ("env.FEATURE_X", "env.FEATURE_X", "env.FEATURE_X"),
            ("two words", "'two words'", "'two words'"),
            ("it's", r"'it'\''s'", "'it''s'"),
            (r"C:\a", r"'C:\a'", r"'C:\a'"),
            ("", "''", "''"),
        ] {
            assert_eq!(Shell::Posix.quoted(word), posix);
            assert_eq!(Shell::PowerShell.quoted(word), powershell);
        }
    }

    #[test]
    fn each_shell_has_its_own_words_for_variables() {
        let folder = Path::new("/opt/a b");
        let (sh, powershell) = (Shell::Posix, Shell::PowerShell);
        assert_eq!(sh.put_on_path(folder), "export PATH='/opt/a b':\"$PATH\"");
        assert_eq!(
            powershell.put_on_path(folder),
            "$env:PATH = '/opt/a b;' + $env:PATH"
        );
        assert_eq!(sh.unset("NUDGE_X"), "unset NUDGE_X");
        assert_eq!(powershell.unset("NUDGE_X"), "rm Env:NUDGE_X");
    }
}
