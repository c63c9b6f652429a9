//! `Report`: what was done in one host, or was not.

use std::path::Path;

use serde::Serialize;

use super::table::{Host, Scope};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Installed,
    Updated,
    AlreadyInstalled,
    WouldInstall,
    WouldUpdate,
    Removed,
    WouldRemove,
    NotInstalled,
    Refused,
    Printed,
}

#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// The word for the host, as it is typed.
    pub(crate) host: &'static str,
    pub(crate) name: &'static str,
    pub(crate) scope: &'static str,
    pub(crate) outcome: Outcome,
    pub(crate) message: String,
    /// The file that holds the entry, or held it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// What the file would be, as a diff, or what to paste into it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// What people should know beside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) notes: Vec<String>,
}

impl Report {
    pub(crate) fn new(host: &Host, scope: Scope, outcome: Outcome, message: String) -> Report {
        Report {
            host: host.id,
            name: host.name,
            scope: scope.word(),
            outcome,
            message,
            file: None,
            text: None,
            notes: Vec::new(),
        }
    }

    /// What was done, or why it was not.
    pub(crate) fn of(host: &Host, scope: Scope, done: Result<Report, String>) -> Report {
        done.unwrap_or_else(|words| Report::new(host, scope, Outcome::Refused, words))
    }

    pub(crate) fn about(mut self, file: &Path) -> Report {
        self.file = Some(file.display().to_string());
        self
    }

    pub(crate) fn showing(mut self, text: String) -> Report {
        self.text = Some(text);
        self
    }

    pub(crate) fn noting(mut self, note: Option<impl Into<String>>) -> Report {
        self.notes.extend(note.map(Into::into));
        self
    }
}
