//! The hooks that a host runs: where they are written down, and how.
//!
//! Every hook of ours is a command, also where a host could call a tool instead:
//! a command answers within 150 ms or not at all, whatever state the server and
//! the host's connection to it are in, and it can be timed.

mod command;
mod lists;
mod plugin;
mod status_line;

use std::path::Path;

use super::config_file::ConfigFile;
use super::format::{Flaw, Format};
use super::machine::{Location, Machine};
use super::table::{COMMENTED, Host, LOOSE, STRICT, Scope};

use self::command::{BY_SHELL, Guard, OR_TRUE, UNGUARDED};

/// The hooks of a host, as far as installing needs to know them.
#[derive(Debug)]
pub(crate) struct Hooks {
    host: &'static str,
    /// Their file below the host's folder.
    user_file: &'static str,
    /// The same below the root of a project.
    project_file: &'static str,
    /// How they are written down in lists; absent where they are a program that the host loads.
    pub(super) lists: Option<Lists>,
    /// What people should know who install them.
    pub(super) note: Option<&'static str>,
}

/// A list of hooks for each event, below the key `hooks`.
#[derive(Debug)]
pub(super) struct Lists {
    format: Format,
    /// What lets the host go on without the program.
    guard: Guard,
    /// The events that we want to hear of, and for which tools.
    events: &'static [(&'static str, Option<&'static str>)],
    shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// In a group with the matcher: `{"matcher": …, "hooks": [{"type": "command", …}]}`.
    Grouped { timeout: u32 },
    /// By itself, with the matcher, in a file that says that it is of version 1.
    Flat,
    /// By itself, for a shell, and the command says which event it is; in such a file too.
    ForBash,
}

/// A hook of ours that a file has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// The event; empty for a plugin, which hears of all.
    pub(crate) event: String,
    /// Its place in the list of the event: that of its group, and its own in there.
    pub(crate) place: [usize; 2],
    /// For which tools.
    matcher: Option<String>,
    /// Whether it is written as this version would.
    is_current: bool,
    pub(crate) program: String,
}

/// Hosts wait for a hook at most so long, should ever one not end by itself.
const SECONDS: u32 = 2;

/// The events of Claude Code, for its tools that run commands and change files.
const CLAUDE: &[(&str, Option<&str>)] = &[
    ("SessionStart", None),
    ("SubagentStart", None),
    ("SessionEnd", None),
    ("UserPromptSubmit", None),
    ("PreToolUse", Some("Bash|Edit|MultiEdit|Write")),
    ("PostToolUse", Some("Bash|Edit|MultiEdit|Write")),
    ("PostToolUseFailure", Some("Bash")),
];

static ALL: [Hooks; 6] = [
    Hooks {
        host: "claude",
        user_file: "settings.json",
        project_file: ".claude/settings.json",
        lists: Some(Lists {
            format: STRICT,
            guard: OR_TRUE,
            events: CLAUDE,
            shape: Shape::Grouped { timeout: SECONDS },
        }),
        note: None,
    },
    Hooks {
        host: "codex",
        user_file: "hooks.json",
        project_file: ".codex/hooks.json",
        lists: Some(Lists {
            format: STRICT,
            // It goes on by itself, and a line that changes has to be trusted again.
            guard: UNGUARDED,
            // It has no event of its own for what fails.
            events: &[
                ("SessionStart", None),
                ("SubagentStart", None),
                ("SessionEnd", None),
                ("UserPromptSubmit", None),
                ("PreToolUse", Some("Bash")),
                ("PostToolUse", Some("Bash|apply_patch")),
            ],
            shape: Shape::Grouped { timeout: SECONDS },
        }),
        note: Some("Codex runs hooks once they are trusted: type `/hooks` in it and press `t`"),
    },
    Hooks {
        host: "gemini",
        user_file: "settings.json",
        project_file: ".gemini/settings.json",
        lists: Some(Lists {
            format: COMMENTED,
            guard: BY_SHELL,
            events: &[
                ("SessionStart", None),
                ("SessionEnd", None),
                // Its own compressions are told of before each turn, done or not.
                ("PreCompress", Some("manual")),
                ("BeforeAgent", None),
                // What is said before a tool, it drops, but a command can be held back.
                ("BeforeTool", Some("run_shell_command")),
                ("AfterTool", Some("run_shell_command|write_file|replace")),
            ],
            // It counts in milliseconds.
            shape: Shape::Grouped {
                timeout: SECONDS * 1000,
            },
        }),
        note: None,
    },
    Hooks {
        host: "cursor",
        user_file: "hooks.json",
        project_file: ".cursor/hooks.json",
        lists: Some(Lists {
            format: LOOSE,
            guard: OR_TRUE,
            // Before a command Cursor can only be told to refuse it.
            events: &[
                ("sessionStart", None),
                ("sessionEnd", None),
                ("postToolUse", Some("Shell")),
                ("postToolUseFailure", Some("Shell")),
                ("afterFileEdit", None),
            ],
            shape: Shape::Flat,
        }),
        note: None,
    },
    Hooks {
        host: "opencode",
        user_file: "plugins/nudge.js",
        project_file: ".opencode/plugins/nudge.js",
        lists: None,
        note: None,
    },
    Hooks {
        host: "copilot",
        user_file: "hooks/nudge.json",
        project_file: ".github/hooks/nudge.json",
        lists: Some(Lists {
            format: LOOSE,
            guard: OR_TRUE,
            events: &[
                ("sessionStart", None),
                ("subagentStart", None),
                ("sessionEnd", None),
                ("preCompact", None),
                ("userPromptSubmitted", None),
                ("preToolUse", None),
                ("postToolUse", None),
            ],
            shape: Shape::ForBash,
        }),
        note: None,
    },
];

impl Hooks {
    /// The hooks of a host, if it has any that Nudge knows.
    pub(crate) fn of(host: &Host) -> Option<&'static Hooks> {
        ALL.iter().find(|hooks| hooks.host == host.id)
    }

    pub(crate) fn file(&self, scope: Scope, machine: &Machine) -> Result<ConfigFile, String> {
        ConfigFile::open(&self.location(scope, machine), scope)
    }

    pub(super) fn location(&self, scope: Scope, machine: &Machine) -> Location {
        let folder = || Host::named(self.host).map(|host| machine.folder(host));
        let (base, name) = match scope {
            Scope::User => (folder().unwrap_or_default(), self.user_file),
            Scope::Project => (machine.project(), self.project_file),
        };
        Location { base, name }
    }

    /// Whether their file is the one that has the servers too.
    pub(crate) fn is_in(&self, path: &Path, scope: Scope, machine: &Machine) -> bool {
        self.location(scope, machine).path() == path
    }

    /// The hooks of ours that a text has.
    pub(crate) fn found(&self, text: &str) -> Result<Vec<Found>, Flaw> {
        match &self.lists {
            Some(lists) => lists.found(text, self.host),
            None => plugin::found(text),
        }
    }

    /// Whether a text has hooks of ours, as far as it can be read.
    pub(crate) fn is_wired(&self, text: &str) -> bool {
        self.found(text).is_ok_and(|found| !found.is_empty())
    }

    /// Whether a text has each hook once, for this very binary, and no others of ours.
    pub(crate) fn are_complete(&self, found: &[Found], scope: Scope, machine: &Machine) -> bool {
        let is_right = |hook: &Found| hook.is_current && machine.wants(&hook.program, scope);
        let wanted = self.lists.as_ref();
        let wanted = wanted.map_or(&[("", None)][..], |lists| lists.events);
        let is_wanted = |(event, matcher): &(&str, Option<&str>)| {
            let mut of_event = found.iter().filter(|hook| hook.event == *event);
            of_event.next().is_some_and(|hook| {
                hook.matcher.as_deref() == *matcher && of_event.next().is_none()
            })
        };
        found.len() == wanted.len() && found.iter().all(is_right) && wanted.iter().all(is_wanted)
    }

    /// A text with each hook once, for a program, and with a status line where one is to be set.
    pub(super) fn wired(&self, scope: Scope, text: &str, program: &str) -> Result<String, Flaw> {
        let Some(lists) = &self.lists else {
            return Ok(plugin::text(program));
        };
        let text = status_line::unset(lists.format, text)?;
        let wired = lists.wired(&text, self.host, program)?;
        if self.lacks_status_line(scope, &text) {
            return status_line::set(lists.format, &wired, program);
        }
        Ok(wired)
    }

    /// Whether a status line of ours is to be set in a text.
    pub(super) fn lacks_status_line(&self, scope: Scope, text: &str) -> bool {
        let is_theirs = self.host == status_line::HOST && scope == Scope::User;
        is_theirs && !self.has(text, &[status_line::KEY])
    }

    /// A text without hooks of ours. A list that is empty then goes too, unless
    /// it `had` been there before.
    pub(crate) fn unwired(
        &self,
        text: &str,
        had: &dyn Fn(&[&str]) -> bool,
    ) -> Result<String, Flaw> {
        let Some(lists) = &self.lists else {
            let is_ours = !plugin::found(text)?.is_empty();
            return Ok(if is_ours { "" } else { text }.to_owned());
        };
        let text = lists.unwired(text, self.host, had)?;
        status_line::unset(lists.format, &text)
    }

    /// Whether an older text has something at a key.
    pub(crate) fn has(&self, text: &str, keys: &[&str]) -> bool {
        let lists = self.lists.as_ref();
        lists.is_some_and(|lists| lists.format.has(text, keys))
    }

    /// Whether two texts differ in nothing but layout.
    pub(super) fn is_same(&self, one: &str, other: &str) -> bool {
        let lists = self.lists.as_ref();
        lists.map_or(one == other, |lists| lists.format.is_same(one, other))
    }

    /// Whether a text says nothing, but perhaps of which version it is.
    pub(super) fn is_empty(&self, text: &str) -> bool {
        let lists = self.lists.as_ref();
        lists.map_or(text.is_empty(), |lists| lists.is_empty(text))
    }
}

#[cfg(test)]
mod tests;
