//! `Host`: the programs that agents run in, by all the names that they go by.

/// A program that agents run in. It goes by one name over MCP, by another in its hooks,
/// and its shell is known by its variables.
///
/// # Examples
///
/// ```
/// use nudge::Host;
///
/// let host = Host::named("codex-mcp-client/0.166").unwrap();
/// assert_eq!(host.id, "codex");
/// assert_eq!(Host::named("my-tool/1.0"), None);
/// ```
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Host {
    /// What its hooks call it.
    pub id: &'static str,
    /// How the names begin that it gives itself over MCP, in lower case.
    names: Words,
    /// The variables that only the shell of its agent has.
    pub shell: &'static [&'static str],
    /// Whether it puts the name of a server before the names of its tools, as in `nudge_get_hint`.
    pub joins: bool,
    /// The variables that hold the id of its agent's session, as its hooks tell it.
    pub session: &'static [&'static str],
}

impl Host {
    /// The variable in which an agent names itself, if it has none of its own.
    pub const NAMED: &str = "AI_AGENT";

    /// The programs that only the shell of an agent has among its parents.
    pub const PARENTS: &[&str] = &["claude", "codex", "gemini", "opencode", "copilot"];

    /// Those that are known.
    pub const ALL: &[Host] = &[
        host(
            "claude",
            &["claude"],
            &[
                "CLAUDECODE",
                "CLAUDE_CODE_SESSION_ID",
                "CLAUDE_CODE_IS_COWORK",
            ],
            &["CLAUDE_CODE_SESSION_ID"],
        ),
        host(
            "codex",
            &["codex"],
            &[
                "CODEX_THREAD_ID",
                "CODEX_SESSION_ID",
                "CODEX_SANDBOX",
                "CODEX_CI",
            ],
            &["CODEX_SESSION_ID", "CODEX_THREAD_ID"],
        ),
        host("gemini", &["gemini"], &["GEMINI_CLI"], &[]),
        host(
            "opencode",
            &["opencode"],
            &["OPENCODE", "OPENCODE_CLIENT"],
            &[],
        )
        .joining(),
        host(
            "copilot",
            &["copilot", "github-copilot", "github copilot"],
            &["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"],
            &["COPILOT_AGENT_SESSION_ID"],
        )
        .joining(),
        host("cursor", &["cursor"], &["CURSOR_AGENT"], &[]),
        host(
            "vscode",
            &["visual studio code", "vscode", "vs code"],
            &[],
            &[],
        ),
        // Of these only the shells are known. What an editor or its terminal sets is none of it.
        of_shell("amp", &["AMP_CURRENT_THREAD_ID"]),
        of_shell("antigravity", &["ANTIGRAVITY_AGENT"]),
        of_shell("auggie", &["AUGMENT_AGENT"]),
        of_shell("cline", &["CLINE_ACTIVE"]),
        of_shell("crush", &["CRUSH"]),
        of_shell("goose", &["GOOSE_TERMINAL"]),
        of_shell("hermes", &["HERMES_SESSION_ID"]),
        of_shell("openclaw", &["OPENCLAW_SHELL"]),
        of_shell("pi", &["PI_CODING_AGENT"]),
        of_shell("qwen", &["QWEN_CODE"]),
        of_shell("roo", &["ROO_ACTIVE"]),
        of_shell("trae", &["TRAE_AI_SHELL_ID"]),
        // Any other names itself there, so it comes last.
        of_shell("agent", &[Host::NAMED]),
    ];

    const fn joining(mut self) -> Host {
        self.joins = true;
        self
    }

    /// The host of a client, by whichever of its names.
    #[must_use]
    pub fn named(client: &str) -> Option<&'static Host> {
        let starts = |name: &&str| {
            let start = client.get(..name.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        let mut hosts = Host::ALL.iter();
        hosts.find(|host| host.names.iter().any(starts))
    }
}

type Words = &'static [&'static str];

/// A row of the table: the id, the names, and the variables of its shell and of its session.
const fn host(id: &'static str, names: Words, shell: Words, session: Words) -> Host {
    Host {
        id,
        names,
        shell,
        joins: false,
        session,
    }
}

/// A host of which only the variables of its shell are known.
const fn of_shell(id: &'static str, shell: Words) -> Host {
    host(id, &[], shell, &[])
}

/// What a client is known by: its host, or else its name without the version.
pub(crate) fn known_by(client: &str) -> &str {
    let name = client.split_once('/').map_or(client, |(name, _)| name);
    Host::named(client).map_or(name, |host| host.id)
}
