//! What each host is: where its files are, and how it writes down a server.

use super::entry::Part::{self, Arguments, CommandLine, Number, Program, Word, Words};
use super::format::Format::{self, Toml};
use super::machine::Root::{self, Home, In};
use crate::platform::desktop::{IS_MACOS, IS_WINDOWS};

/// Whose file an entry goes into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Scope {
    /// The files of this user, for every project
    User,
    /// The files of this project, for everybody who works on it
    Project,
}

impl Scope {
    /// The word for it, as it is typed.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Scope::User => "user",
            Scope::Project => "project",
        }
    }

    /// What to type for it behind a command.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Scope::User => "",
            Scope::Project => " --scope project",
        }
    }
}

/// A program that starts MCP servers, as far as installing needs to know it.
#[derive(Debug)]
pub(crate) struct Host {
    /// The word that people type.
    pub(crate) id: &'static str,
    pub(crate) aliases: &'static [&'static str],
    pub(crate) name: &'static str,
    /// Its commands; one on the PATH shows that it is installed.
    pub(crate) commands: &'static [&'static str],
    /// Its folder, the first that the environment names; it shows that as well.
    pub(crate) folder: &'static [Root],
    /// Where the files of a user are, if not in its folder.
    pub(crate) user: &'static [Root],
    /// The names of a user's file there; the first is made where none is.
    pub(crate) user_files: &'static [&'static str],
    /// The same below the root of a project.
    pub(crate) project_files: &'static [&'static str],
    pub(crate) format: Format,
    /// The key under which the servers are.
    pub(crate) servers: &'static str,
    /// The fields of a server, in order.
    pub(crate) entry: &'static [(&'static str, Part)],
    /// The fields that pass variables on, where the host keeps most from its servers.
    pub(crate) passes: &'static [&'static str],
    /// Files in its folder, each with the text that shows Nudge as a plugin, by the host's own command.
    pub(crate) plugin: &'static [(&'static str, &'static str)],
    /// What people should know who install it, and whether that is of projects alone.
    note: Option<&'static str>,
    is_for_projects: bool,
}

pub(super) const STRICT: Format = Format::Json {
    comments: false,
    commas: false,
};
pub(super) const COMMENTED: Format = Format::Json {
    comments: true,
    commas: false,
};
/// JSON with comments, and commas after the last of a list.
pub(super) const LOOSE: Format = Format::Json {
    comments: true,
    commas: true,
};

/// The fields that most hosts have.
const USUAL: &[(&str, Part)] = &[
    ("type", Word("stdio")),
    ("command", Program),
    ("args", Arguments),
];

/// How Claude Code and Copilot CLI write down a plugin that is on.
const ENABLED: &str = "\"nudge@nudge\": true";

const VSCODE: &[Root] = &[
    In("VSCODE_PORTABLE", "user-data"),
    In("VSCODE_APPDATA", "Code"),
    if IS_MACOS {
        Home("Library/Application Support/Code")
    } else if IS_WINDOWS {
        In("APPDATA", "Code")
    } else {
        In("XDG_CONFIG_HOME", "Code")
    },
    Home(".config/Code"),
];

/// What most hosts are; each says what it has otherwise.
const HOST: Host = Host {
    id: "",
    aliases: &[],
    name: "",
    commands: &[],
    folder: &[],
    user: &[],
    user_files: &[],
    project_files: &[],
    format: LOOSE,
    servers: "mcpServers",
    entry: USUAL,
    passes: &[],
    plugin: &[],
    note: None,
    is_for_projects: false,
};

/// Every host, in the order in which they are listed.
pub(crate) static HOSTS: [Host; 7] = [
    Host {
        id: "claude",
        aliases: &["claude-code"],
        name: "Claude Code",
        commands: &["claude"],
        folder: &[In("CLAUDE_CONFIG_DIR", ""), Home(".claude")],
        user: &[In("CLAUDE_CONFIG_DIR", ""), Home("")],
        user_files: &[".claude.json"],
        project_files: &[".mcp.json"],
        format: STRICT,
        plugin: &[("settings.json", ENABLED)],
        note: Some("Claude Code asks everybody once before it uses a project's entry"),
        is_for_projects: true,
        ..HOST
    },
    Host {
        id: "codex",
        name: "Codex",
        commands: &["codex"],
        folder: &[In("CODEX_HOME", ""), Home(".codex")],
        user_files: &["config.toml"],
        project_files: &[".codex/config.toml"],
        format: Toml,
        servers: "mcp_servers",
        entry: &[("command", Program), ("args", Arguments)],
        passes: &["env", "env_vars"],
        plugin: &[("config.toml", "[plugins.\"nudge@nudge\"]\nenabled = true")],
        note: Some("Codex reads a project's entry where the project is trusted"),
        is_for_projects: true,
        ..HOST
    },
    Host {
        id: "gemini",
        aliases: &["gemini-cli"],
        name: "Gemini CLI",
        commands: &["gemini"],
        folder: &[In("GEMINI_CLI_HOME", ".gemini"), Home(".gemini")],
        user_files: &["settings.json"],
        project_files: &[".gemini/settings.json"],
        format: COMMENTED,
        // Without a type: Gemini CLI goes by the field `command`. It would wait for a server that
        // says nothing for ten minutes, with all that its user asks.
        entry: &[
            ("command", Program),
            ("args", Arguments),
            ("timeout", Number(10_000)),
        ],
        plugin: &[("extensions/nudge/gemini-extension.json", "\"nudge\"")],
        note: Some("Gemini CLI starts servers in trusted folders only"),
        ..HOST
    },
    Host {
        id: "cursor",
        name: "Cursor",
        commands: &["cursor", "cursor-agent"],
        folder: &[Home(".cursor")],
        user_files: &["mcp.json"],
        project_files: &[".cursor/mcp.json"],
        // Cursor starts servers elsewhere unless it is told to do it here.
        entry: &[
            ("type", Word("stdio")),
            ("command", Program),
            ("args", Arguments),
            ("cwd", Word("${workspaceFolder}")),
        ],
        note: Some("turn `nudge` on in Cursor's settings if it is listed as disabled"),
        ..HOST
    },
    Host {
        id: "vscode",
        aliases: &["code"],
        name: "VS Code",
        commands: &["code"],
        folder: VSCODE,
        user_files: &["User/mcp.json"],
        project_files: &[".vscode/mcp.json"],
        servers: "servers",
        note: Some("VS Code asks once whether it trusts a server"),
        ..HOST
    },
    Host {
        id: "opencode",
        name: "OpenCode",
        commands: &["opencode"],
        folder: &[In("XDG_CONFIG_HOME", "opencode"), Home(".config/opencode")],
        user_files: &["opencode.json", "opencode.jsonc"],
        project_files: &["opencode.json", "opencode.jsonc"],
        servers: "mcp",
        entry: &[("type", Word("local")), ("command", CommandLine)],
        plugin: &[
            ("opencode.json", "\"nudge-hints-opencode"),
            ("opencode.jsonc", "\"nudge-hints-opencode"),
        ],
        ..HOST
    },
    Host {
        id: "copilot",
        aliases: &["copilot-cli"],
        name: "Copilot CLI",
        commands: &["copilot"],
        folder: &[In("COPILOT_HOME", ""), Home(".copilot")],
        user_files: &["mcp-config.json"],
        // It also reads `.mcp.json`, which is Claude Code's.
        project_files: &[".github/mcp.json"],
        entry: &[
            ("type", Word("local")),
            ("command", Program),
            ("args", Arguments),
            ("tools", Words(&["*"])),
        ],
        plugin: &[("settings.json", ENABLED)],
        note: Some("Copilot CLI reads a project's entry where the folder is trusted"),
        is_for_projects: true,
        ..HOST
    },
];

impl Host {
    /// The host that a word stands for.
    pub(crate) fn named(id: &str) -> Option<&'static Host> {
        HOSTS.iter().find(|host| host.id == id)
    }

    pub(crate) fn note(&self, scope: Scope) -> Option<&'static str> {
        let is_meant = scope == Scope::Project || !self.is_for_projects;
        self.note.filter(|_| is_meant)
    }

    pub(crate) fn keys(&self) -> [&'static str; 2] {
        [self.servers, "nudge"]
    }
}
