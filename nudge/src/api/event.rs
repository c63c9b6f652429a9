//! `Event`: what happened in a host, as its hook says.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::api::caller::{Actor, Caller, Via};
use crate::model::json::likest;
use crate::model::rows::{setters, shows};
use crate::model::scope::Os;
use crate::scope::context::Context;

/// How much of a command's output is looked at, from its end.
const OUTPUT: usize = 4 * 1024;

/// Makes the struct of the fields that may be absent, which are all but the kind and the place.
macro_rules! event {
    ($(#[$about:meta])* pub struct Event {
        $(#[$kind_docs:meta])+ event: EventKind;
        $($(#[$docs:meta])+ $field:ident: $kind:ty,)+;
        $(#[$context_docs:meta])+ context: Context;
    }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[non_exhaustive]
        pub struct Event {
            $(#[$kind_docs])+
            pub event: EventKind,
            $(
                $(#[$docs])+
                #[serde(
                    default,
                    deserialize_with = "lenient",
                    skip_serializing_if = "Option::is_none"
                )]
                pub $field: Option<$kind>,
            )+
            $(#[$context_docs])+
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
                Event { event, $($field: None,)+ context: Context::new() }
            }
        }
    };
}

event! {
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
    pub struct Event {
        /// What happened.
        event: EventKind;
        /// The program whose hook it is, such as `claude`.
        host: String,
        /// What the host calls its session.
        session: String,
        /// Why a session starts: `startup`, `resume`, `clear` or `compact`.
        reason: String,
        /// What the host calls this use of a tool, before and after it.
        call: String,
        /// The command that is about to run, or has run.
        command: String,
        /// What the user asks for. The store looks at its words and keeps nothing of it.
        prompt: String,
        /// The file that is about to be changed, or was; one that is not absolute is in the folder
        /// of the context.
        file: String,
        /// Whether it worked; nothing is counted when absent.
        ok: bool,
        /// How it ended; 0 is success where `ok` is absent.
        exit_code: i64,
        /// The end of what it printed.
        output: String,
        /// How many milliseconds it took.
        duration_ms: u64,
        /// How many bytes the file has now.
        size: u64,
        /// The most tokens of a text at the start of a session; 400 when absent.
        budget: u32,
        /// After how many commands the agent is reminded of one that works here and that no hint
        /// has; never when absent.
        remind_after: u32,
        /// Of the programs that the command runs, those that are on the PATH, each with what is another
        /// text once its file has changed.
        programs: BTreeMap<String, String>,
        /// Whether the host can hold the command back, where the user wants that.
        hold_back: HoldBack,
        ;
        /// Where it happened.
        context: Context;
    }
}

/// Makes a constructor of each row: the field that it is given, and the kind of the event.
macro_rules! constructors {
    ($($(#[$docs:meta])+ $name:ident($field:ident) $kind:ident;)+) => {
        impl Event {$(
            $(#[$docs])+
            pub fn $name($field: impl Into<String>) -> Event {
                let mut event = Event::new(EventKind::$kind);
                event.$field = Some($field.into());
                event
            }
        )+}
    };
}

constructors! {
    /// The user asks for something.
    prompt(prompt) Prompt;
    /// A file is about to be changed.
    before_edit(file) BeforeEdit;
    /// A command is about to run.
    before_command(command) BeforeCommand;
    /// A command has run.
    after_command(command) AfterCommand;
}

impl Event {
    /// A session starts.
    #[must_use]
    pub fn session_start() -> Event {
        Event::new(EventKind::SessionStart)
    }

    /// A session ends: what its client ran is forgotten.
    #[must_use]
    pub fn session_end() -> Event {
        Event::new(EventKind::SessionEnd)
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

setters! { Event:
    /// Names the program whose hook it is.
    host(host: impl Into<String>) |it| it.host = Some(host.into());
    /// Names the session, as the host does.
    session(session: impl Into<String>) |it| it.session = Some(session.into());
    /// Says why a session starts: `startup`, `resume`, `clear` or `compact`.
    reason(reason: impl Into<String>) |it| it.reason = Some(reason.into());
    /// Says whether the command worked.
    ok(ok: bool) |it| it.ok = Some(ok);
    /// Says how the command ended.
    exit_code(code: i64) |it| it.exit_code = Some(code);
    /// Gives what the command printed; its end is looked at.
    output(output: impl Into<String>) |it| it.output = Some(output.into());
    /// Gives the most tokens of a text at the start of a session.
    budget(tokens: u32) |it| it.budget = Some(tokens);
    /// Asks to be reminded, after so many commands, of one that works here and that no hint has.
    remind_after(commands: u32) |it| it.remind_after = Some(commands);
    /// Says where it happened.
    context(context: impl Into<Context>) |it| it.context = context.into();
}

// Prompts, commands and what they print may hold credentials.
shows! { Event: event host session context }

/// Whether a host can hold a command back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(with = "String", inline, description = "")]
#[non_exhaustive]
pub enum HoldBack {
    /// It can, and takes words besides.
    May,
    /// It can do nothing else before a command: other words would be lost.
    Only,
    /// It is neither to hold it back nor to say a word before it, as the user wants.
    Never,
}

/// The kinds of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", from = "String")]
#[schemars(with = "String", inline, description = "")]
#[non_exhaustive]
pub enum EventKind {
    /// A session starts, is resumed, or was compacted.
    SessionStart,
    /// What the agent was told is gone, where the host takes no words; they come with its next
    /// event.
    ContextLost,
    /// The user asks for something.
    Prompt,
    /// A command is about to run.
    BeforeCommand,
    /// A command has run.
    AfterCommand,
    /// A file is about to be changed.
    BeforeEdit,
    /// A file was changed.
    AfterEdit,
    /// A file was written as a whole.
    AfterWrite,
    /// A session ends.
    SessionEnd,
    /// Anything else; nothing follows from it.
    Other,
}

/// What each is called in JSON.
const NAMES: [(&str, EventKind); 9] = [
    ("session_start", EventKind::SessionStart),
    ("context_lost", EventKind::ContextLost),
    ("prompt", EventKind::Prompt),
    ("before_command", EventKind::BeforeCommand),
    ("after_command", EventKind::AfterCommand),
    ("before_edit", EventKind::BeforeEdit),
    ("after_edit", EventKind::AfterEdit),
    ("after_write", EventKind::AfterWrite),
    ("session_end", EventKind::SessionEnd),
];

impl EventKind {
    /// The name that is most like one that is none.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(nudge::EventKind::nearest("after_comand"), Some("after_command"));
    /// ```
    #[must_use]
    pub fn nearest(name: &str) -> Option<&'static str> {
        likest(name, &NAMES.map(|(known, _)| known)).map(|(known, _)| known)
    }

    /// Its name in JSON.
    pub(crate) fn name(self) -> &'static str {
        let named = NAMES.iter().find(|(_, kind)| *kind == self);
        named.map_or("other", |(name, _)| name)
    }
}

impl From<String> for EventKind {
    fn from(name: String) -> EventKind {
        let named = NAMES.iter().find(|(known, _)| *known == name);
        named.map_or(EventKind::Other, |(_, kind)| *kind)
    }
}

/// A field that counts as absent where it is not what is expected.
pub(super) fn lenient<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let given = Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(given).ok())
}

/// Reads each fact on its own, so that one that cannot be read is the only one
/// that is missing.
pub(super) fn lenient_context<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Context, D::Error> {
    let given = Value::deserialize(deserializer)?;
    let text = |name: &str| given.get(name).and_then(Value::as_str).into_iter();
    let mut context = text("cwd").fold(Context::new(), Context::cwd);
    context = text("root").fold(context, Context::root);
    context = text("branch").fold(context, Context::branch);
    let os = given.get("os").and_then(|os| Os::deserialize(os).ok());
    context = os.into_iter().fold(context, Context::os);
    let repos = given.get("repo").and_then(Value::as_array).into_iter();
    let repos = repos.flatten().filter_map(Value::as_str);
    context = repos.chain(text("repo")).fold(context, Context::repo);
    let env = given.get("env").and_then(Value::as_object);
    let env = env.into_iter().flatten();
    let context = env.fold(context, |context, (name, value)| match value {
        Value::Null => context.env(name, None),
        Value::String(value) => context.env(name, &**value),
        _ => context,
    });
    Ok(context.forgiven())
}
