//! How each host tells of an event: the names of its events, and where in the
//! JSON the rest is. What a host does not say is not listed. And how it wants to be told.

use std::io::{Write, stdout};

use nudge::EventKind::{self, AfterEdit, AfterWrite};
use serde_json::{Value, json};

use super::ending::{self, Ending};

/// The language of a host. Of several paths the first that leads somewhere counts.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// The word for the host, as it is typed.
    pub(crate) id: &'static str,
    /// Where an event says what it is. It may be typed instead.
    pub(super) name: &'static str,
    /// What its events are. What is not listed is nothing to us.
    pub(super) events: &'static [(&'static str, EventKind)],
    /// What the host calls its session.
    pub(super) session: &'static [&'static str],
    /// What it calls a use of a tool.
    pub(super) call: &'static [&'static str],
    /// Why a session starts.
    pub(super) reason: &'static [&'static str],
    /// Why one starts for which the host drops what it is told.
    pub(super) unheard: &'static [&'static str],
    /// The folder of the session.
    pub(super) folder: &'static [&'static str],
    /// The folder of the command, which may be said relative to that.
    pub(super) inner_folder: &'static [&'static str],
    /// What the user asks for.
    pub(super) prompt: &'static [&'static str],
    /// The tool that is used, and the names of those that run commands and change files.
    pub(super) tool: &'static str,
    pub(super) shells: &'static [&'static str],
    pub(super) editors: &'static [&'static str],
    /// The tools that are told of after they changed a file, and in which way.
    pub(super) edits: &'static [(&'static str, EventKind)],
    /// The command, and the file.
    pub(super) command: &'static [&'static str],
    pub(super) file: &'static [&'static str],
    /// How many milliseconds it took.
    pub(super) duration: &'static [&'static str],
    /// What the command printed; all of these together.
    pub(super) output: &'static [&'static str],
    /// How the command ended.
    pub(super) ending: fn(&str, &Value) -> Ending,
    /// A field by which an event shows that another host runs these hooks, and
    /// will run its own as well.
    pub(super) foreign: &'static str,
    /// How the host wants to be told.
    pub(super) shape: Shape,
    /// How it holds a command back.
    pub(super) refusal: Refusal,
    /// Whether it drops what else is said before a command, so that this is said after it.
    pub(super) hears_after: bool,
}

/// The events of Claude Code, which Codex took over.
const CLAUDE_EVENTS: &[(&str, EventKind)] = &[
    ("SessionStart", EventKind::SessionStart),
    // One that starts to work for an agent knows as little.
    ("SubagentStart", EventKind::SessionStart),
    ("UserPromptSubmit", EventKind::Prompt),
    ("PreToolUse", EventKind::BeforeCommand),
    ("PostToolUse", EventKind::AfterCommand),
    ("PostToolUseFailure", EventKind::AfterCommand),
    ("SessionEnd", EventKind::SessionEnd),
];

/// What a host says as most of them do; each names what it says otherwise.
const USUAL: Dialect = Dialect {
    id: "",
    name: "hook_event_name",
    events: CLAUDE_EVENTS,
    session: &["session_id"],
    call: &[],
    reason: &["source"],
    unheard: &[],
    folder: &["cwd"],
    inner_folder: &[],
    prompt: &["prompt"],
    tool: "tool_name",
    shells: &["Bash"],
    editors: &[],
    edits: &[],
    command: &["tool_input.command"],
    file: &[],
    duration: &[],
    output: &[],
    ending: ending::claude,
    foreign: "",
    shape: Shape::Specific,
    refusal: Refusal::Specific,
    hears_after: false,
};

impl Dialect {
    /// That of a host, by the word for it.
    pub(super) fn of(host: &str) -> Option<&'static Dialect> {
        DIALECTS.iter().find(|known| known.id == host)
    }
}

pub(crate) static DIALECTS: [Dialect; 6] = [
    Dialect {
        id: "claude",
        call: &["tool_use_id"],
        editors: &["Edit", "MultiEdit", "Write"],
        edits: &[
            ("Edit", AfterEdit),
            ("MultiEdit", AfterEdit),
            ("Write", AfterWrite),
        ],
        file: &["tool_input.file_path"],
        duration: &["duration_ms"],
        output: &["tool_response.stdout", "tool_response.stderr", "error"],
        ending: ending::claude,
        // Cursor runs the hooks of Claude Code too, and would count everything twice.
        foreign: "cursor_version",
        ..USUAL
    },
    Dialect {
        id: "codex",
        call: &["tool_use_id"],
        inner_folder: &["tool_input.workdir"],
        edits: &[("apply_patch", AfterEdit)],
        output: &["tool_response.output", "tool_response"],
        ending: ending::codex,
        ..USUAL
    },
    Dialect {
        id: "gemini",
        events: &[
            ("SessionStart", EventKind::SessionStart),
            ("PreCompress", EventKind::ContextLost),
            ("BeforeAgent", EventKind::Prompt),
            ("BeforeTool", EventKind::BeforeCommand),
            ("AfterTool", EventKind::AfterCommand),
            ("SessionEnd", EventKind::SessionEnd),
        ],
        unheard: &["clear"],
        inner_folder: &["tool_input.dir_path", "tool_input.directory"],
        shells: &["run_shell_command"],
        edits: &[("replace", AfterEdit), ("write_file", AfterWrite)],
        file: &["tool_input.file_path"],
        output: &["tool_response.llmContent"],
        ending: ending::gemini,
        refusal: Refusal::Decision,
        hears_after: true,
        ..USUAL
    },
    Dialect {
        id: "copilot",
        // Its events do not say what they are, so the word is typed.
        name: "hookEventName",
        events: &[
            ("sessionStart", EventKind::SessionStart),
            ("subagentStart", EventKind::SessionStart),
            ("preCompact", EventKind::ContextLost),
            ("userPromptSubmitted", EventKind::Prompt),
            ("preToolUse", EventKind::BeforeCommand),
            ("postToolUse", EventKind::AfterCommand),
            ("sessionEnd", EventKind::SessionEnd),
        ],
        session: &["sessionId"],
        tool: "toolName",
        shells: &["bash", "powershell"],
        edits: &[("edit", AfterEdit), ("create", AfterWrite)],
        command: &["toolArgs.command"],
        file: &["toolArgs.path"],
        output: &["toolResult.textResultForLlm"],
        ending: ending::copilot,
        shape: Shape::Field("additionalContext"),
        refusal: Refusal::Flat,
        ..USUAL
    },
    Dialect {
        id: "cursor",
        events: &[
            ("sessionStart", EventKind::SessionStart),
            ("postToolUse", EventKind::AfterCommand),
            ("postToolUseFailure", EventKind::AfterCommand),
            ("afterFileEdit", AfterEdit),
            ("sessionEnd", EventKind::SessionEnd),
        ],
        session: &["conversation_id", "session_id"],
        reason: &[],
        folder: &["cwd", "workspace_roots.0"],
        inner_folder: &["tool_input.working_directory"],
        prompt: &[],
        shells: &["Shell"],
        file: &["file_path"],
        duration: &["duration"],
        output: &[
            "tool_output.stdout",
            "tool_output.stderr",
            "tool_output.output",
            "error_message",
        ],
        ending: ending::cursor,
        shape: Shape::Field("additional_context"),
        refusal: Refusal::None,
        hears_after: true,
        ..USUAL
    },
    // The plugin of ours tells it, so these words are our own.
    Dialect {
        id: "opencode",
        name: "event",
        events: &[
            ("session_start", EventKind::SessionStart),
            ("before_command", EventKind::BeforeCommand),
            ("after_command", EventKind::AfterCommand),
            ("session_end", EventKind::SessionEnd),
        ],
        session: &["session"],
        call: &["call"],
        reason: &["reason"],
        inner_folder: &["workdir"],
        prompt: &[],
        tool: "tool",
        shells: &["bash"],
        edits: &[("edit", AfterEdit), ("write", AfterWrite)],
        command: &["command"],
        file: &["file"],
        output: &["output"],
        ending: ending::opencode,
        shape: Shape::Field("text"),
        refusal: Refusal::Field("deny"),
        ..USUAL
    },
];

/// The shape of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `hookSpecificOutput.additionalContext`, beside the name of the event.
    Specific,
    /// A field of its own, by this name.
    Field(&'static str),
}

pub(super) fn shaped(shape: Shape, event: &str, text: &str) -> Value {
    match shape {
        Shape::Specific => {
            json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})
        }
        Shape::Field(name) => json!({ name: text }),
    }
}

/// How a host is told to hold a command back, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// `permissionDecision`, in `hookSpecificOutput`.
    Specific,
    /// The same by itself.
    Flat,
    /// `decision`, and what its user is shown.
    Decision,
    /// A field of its own, by this name.
    Field(&'static str),
    /// It cannot.
    None,
}

pub(super) fn refused(refusal: Refusal, event: &str, why: &str) -> Value {
    let mut decided = json!({"permissionDecision": "deny", "permissionDecisionReason": why});
    match refusal {
        Refusal::Specific => {
            decided["hookEventName"] = event.into();
            json!({ "hookSpecificOutput": decided })
        }
        Refusal::Flat => decided,
        Refusal::Decision => json!({"decision": "deny", "reason": why, "systemMessage": why}),
        Refusal::Field(name) => json!({ name: why }),
        Refusal::None => Value::Null,
    }
}

/// Prints it in one piece. A host that has stopped listening misses nothing.
pub(super) fn print(answer: &Value) {
    let line = format!("{answer}\n");
    let mut out = stdout().lock();
    let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
}
