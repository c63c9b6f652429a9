//! `Event`: what happened in a host, as its hook says.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::caller::{Actor, Caller, Via};
use crate::api::event_kind::{EventKind, HoldBack};
use crate::api::lenient::{lenient, lenient_context};
use crate::scope::context::Context;

/// How much of a command's output is looked at, from its end.
const OUTPUT: usize = 4 * 1024;

/// What happened in a program that runs an agent: a session started or ended, the user asked
/// for something, a file is about to be changed or was changed, a command is about to run or
/// has run.
///
/// As JSON, only `event` is needed. Whatever else is not known, or is of another
/// type than expected, counts as absent: a hook of another version must never fail.
///
/// # Examples
///
/// ```
/// use nudge::{Context, Did, Event, Nudge, SetHint};
///
/// let nudge = Nudge::default();
/// nudge.set_hint(SetHint::new("api", "build", "make"))?;
///
/// let here = Context::new().cwd("/work/api");
/// let event = |event: Event| event.host("codex").session("s1").context(&here);
/// let before = nudge.on_event(event(Event::before_command("ninja")))?;
/// assert_eq!(before.text.as_deref(), Some(r#"Nudge: [user] api/build here is "make""#));
///
/// let after = nudge.on_event(event(Event::after_command("make")).exit_code(0))?;
/// assert_eq!(after.did, [Did::Bumped("api/build".to_owned())]);
/// # Ok::<(), nudge::Error>(())
/// ```
#[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Event {
    /// What happened.
    pub event: EventKind,
    /// The program whose hook it is, such as `claude`.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub host: Option<String>,
    /// What the host calls its session.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub session: Option<String>,
    /// Why a session starts: `startup`, `resume`, `clear` or `compact`.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub reason: Option<String>,
    /// What the host calls this use of a tool, before and after it.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub call: Option<String>,
    /// The command that is about to run, or has run.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub command: Option<String>,
    /// What the user asks for. The store looks at its words and keeps nothing of it.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub prompt: Option<String>,
    /// The file that is about to be changed, or was; one that is not absolute is in the folder
    /// of the context.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub file: Option<String>,
    /// Whether it worked; nothing is counted when absent.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub ok: Option<bool>,
    /// How it ended; 0 is success where `ok` is absent.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub exit_code: Option<i64>,
    /// The end of what it printed.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub output: Option<String>,
    /// How many milliseconds it took.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub duration_ms: Option<u64>,
    /// How many bytes the file has now.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub size: Option<u64>,
    /// The most tokens of a text at the start of a session; 400 when absent.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub budget: Option<u32>,
    /// After how many commands the agent is reminded of one that works here and that no hint
    /// has; never when absent.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub remind_after: Option<u32>,
    /// Of the programs that the command runs, those that are on the PATH, each with what is another
    /// text once its file has changed.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub programs: Option<BTreeMap<String, String>>,
    /// Whether the host can hold the command back, where the user wants that.
    #[serde(
        default,
        deserialize_with = "lenient",
        skip_serializing_if = "Option::is_none"
    )]
    pub hold_back: Option<HoldBack>,
    /// Where it happened.
    #[serde(
        default,
        deserialize_with = "lenient_context",
        skip_serializing_if = "Context::is_empty"
    )]
    pub context: Context,
}

impl Event {
    /// An event of a kind, of which nothing else is known.
    #[must_use]
    pub fn new(event: EventKind) -> Event {
        Event {
            event,
            host: None,
            session: None,
            reason: None,
            call: None,
            command: None,
            prompt: None,
            file: None,
            ok: None,
            exit_code: None,
            output: None,
            duration_ms: None,
            size: None,
            budget: None,
            remind_after: None,
            programs: None,
            hold_back: None,
            context: Context::new(),
        }
    }

    /// A session starts.
    #[must_use]
    pub fn session_start() -> Event {
        Event::new(EventKind::SessionStart)
    }

    /// The user asks for something.
    pub fn prompt(prompt: impl Into<String>) -> Event {
        Event {
            prompt: Some(prompt.into()),
            ..Event::new(EventKind::Prompt)
        }
    }

    /// A file is about to be changed.
    pub fn before_edit(file: impl Into<String>) -> Event {
        Event {
            file: Some(file.into()),
            ..Event::new(EventKind::BeforeEdit)
        }
    }

    /// A command is about to run.
    pub fn before_command(command: impl Into<String>) -> Event {
        Event {
            command: Some(command.into()),
            ..Event::new(EventKind::BeforeCommand)
        }
    }

    /// A command has run.
    pub fn after_command(command: impl Into<String>) -> Event {
        Event {
            command: Some(command.into()),
            ..Event::new(EventKind::AfterCommand)
        }
    }

    /// A session ends: what its client ran is forgotten.
    #[must_use]
    pub fn session_end() -> Event {
        Event::new(EventKind::SessionEnd)
    }

    /// Names the program whose hook it is.
    #[must_use]
    pub fn host(mut self, host: impl Into<String>) -> Event {
        self.host = Some(host.into());
        self
    }

    /// Names the session, as the host does.
    #[must_use]
    pub fn session(mut self, session: impl Into<String>) -> Event {
        self.session = Some(session.into());
        self
    }

    /// Says why a session starts: `startup`, `resume`, `clear` or `compact`.
    #[must_use]
    pub fn reason(mut self, reason: impl Into<String>) -> Event {
        self.reason = Some(reason.into());
        self
    }

    /// Says whether the command worked.
    #[must_use]
    pub fn ok(mut self, ok: bool) -> Event {
        self.ok = Some(ok);
        self
    }

    /// Says how the command ended.
    #[must_use]
    pub fn exit_code(mut self, code: i64) -> Event {
        self.exit_code = Some(code);
        self
    }

    /// Gives what the command printed; its end is looked at.
    #[must_use]
    pub fn output(mut self, output: impl Into<String>) -> Event {
        self.output = Some(output.into());
        self
    }

    /// Gives the most tokens of a text at the start of a session.
    #[must_use]
    pub fn budget(mut self, tokens: u32) -> Event {
        self.budget = Some(tokens);
        self
    }

    /// Asks to be reminded, after so many commands, of one that works here and that no hint has.
    #[must_use]
    pub fn remind_after(mut self, commands: u32) -> Event {
        self.remind_after = Some(commands);
        self
    }

    /// Says where it happened.
    #[must_use]
    pub fn context(mut self, context: impl Into<Context>) -> Event {
        self.context = context.into();
        self
    }

    /// The host, and what it calls its session.
    pub(crate) fn client(&self) -> (&str, &str) {
        (
            self.host.as_deref().unwrap_or_default(),
            self.session.as_deref().unwrap_or_default(),
        )
    }

    /// Who writes what follows: the hook of the host, in a repository, within the
    /// request of whoever reports the event.
    pub(crate) fn caller<'a>(&'a self, by: &Caller<'a>, repo: Option<&'a str>) -> Caller<'a> {
        let mut caller = Caller::user().actor(Actor::Hook).via(Via::Hook);
        caller.client = self.host.as_deref().filter(|host| !host.is_empty());
        caller.session = self
            .session
            .as_deref()
            .filter(|session| !session.is_empty());
        caller.repo = repo;
        caller.request = by.request;
        caller
    }

    /// Whether the command worked; `None` when that is not known, and for one
    /// that a signal ended: whoever interrupts a command says nothing about it.
    ///
    /// # Examples
    ///
    /// ```
    /// use nudge::Event;
    ///
    /// let worked = |code| Event::after_command("make").exit_code(code).worked();
    /// assert_eq!([0, 2, 130].map(worked), [Some(true), Some(false), None]);
    /// ```
    #[must_use]
    pub fn worked(&self) -> Option<bool> {
        if matches!(self.exit_code, Some(130 | 137 | 143)) {
            return None;
        }
        self.ok.or(self.exit_code.map(|code| code == 0))
    }

    /// The end of the command's output.
    pub(crate) fn output_end(&self) -> &str {
        let output = self.output.as_deref().unwrap_or_default();
        let start = output.ceil_char_boundary(output.len().saturating_sub(OUTPUT));
        output.get(start..).unwrap_or_default()
    }
}

// Prompts, commands and what they print may hold credentials.
impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Event")
            .field("event", &self.event)
            .field("host", &self.host)
            .field("session", &self.session)
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}
