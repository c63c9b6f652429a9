//! `Terminal`: what a command works with, the server and somewhere to print.

use std::cell::{OnceCell, RefCell};
use std::io::Read;
use std::path::PathBuf;

use nudge::{Actor, Context, Error, ErrorKind, Fix, Operation};
use nudge_client::Client;
use nudge_client::client::no_server;
use nudge_client::folder::Runtime;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::failure::error_of;
use super::flags::Params;
use super::output::Output;
use super::start;
use crate::config::{SessionSettings, Settings};
use crate::primary::operations::{Method, ServerOperation};
use crate::proxy::infer::{infer, infers, lacks};
use crate::wire::escape::shown;
use crate::wire::shell::Shell;
use crate::wire::{Answer, Fault};

/// What a command works with.
pub(crate) struct Terminal {
    /// Where it prints.
    pub(crate) out: Output,
    settings: Settings,
    client: OnceCell<Client>,
    /// The agent that types, where it is not the user.
    shell: Option<Shell>,
    /// What the user is told after the command.
    notices: RefCell<Vec<String>>,
}

impl Drop for Terminal {
    fn drop(&mut self) {
        for notice in self.notices.take() {
            self.out.note(&shown(&notice));
        }
    }
}

/// What came of a call, and what belongs to it.
pub(crate) struct Asked {
    /// The result, or why there is none.
    pub(crate) answer: Answer,
    /// What this process adds to the result: where the caller is, or what it
    /// did on its own account.
    pub(crate) echo: Option<(&'static str, Value)>,
    /// The component and the key, as they are typed.
    pub(crate) slot: Option<String>,
}

impl From<Answer> for Asked {
    fn from(answer: Answer) -> Asked {
        Asked {
            answer,
            echo: None,
            slot: None,
        }
    }
}

impl Asked {
    /// An answer to a call that may name a slot.
    pub(crate) fn about(params: &Params, answer: Answer) -> Asked {
        Asked {
            slot: params.typed_slot(),
            ..answer.into()
        }
    }
}

impl Terminal {
    pub(crate) fn new(settings: Settings, out: Output) -> Terminal {
        Terminal {
            out,
            settings,
            client: OnceCell::new(),
            shell: Shell::this(),
            notices: RefCell::default(),
        }
    }

    /// Calls a method with the text of its params, and says who does.
    pub(crate) fn call(&self, method: impl Into<Method>, params: &str) -> Answer {
        self.call_on(self.client()?, method.into(), params)
    }

    /// Calls a method of the server of the session that there is; none is begun.
    pub(crate) fn call_session(&self, method: impl Into<Method>, params: &str) -> Answer {
        self.call_on(&start::of_session(&self.settings)?, method.into(), params)
    }

    /// Whether there is a session, which a call would begin otherwise.
    pub(crate) fn has_session(&self) -> bool {
        start::is_there(&self.settings)
    }

    /// The session folder.
    pub(crate) fn found_runtime(&self) -> Option<Runtime> {
        Runtime::find(self.settings.runtime_dir.as_deref()).ok()?
    }

    /// The folder where this user's processes meet.
    pub(crate) fn runtime(&self) -> Result<Runtime, Fault> {
        start::runtime(&self.settings)
    }

    /// How the user wants the session set up, by the file, variables and flags.
    pub(crate) fn session_settings(&self) -> &SessionSettings {
        &self.settings.session
    }

    fn call_on(&self, client: &Client, method: Method, params: &str) -> Answer {
        let mut sender = Shell::sender(self.shell());
        // What `nudge prime` asks for is what a hook does; no other command can tell of an event.
        if self.shell.is_some() && method == Operation::OnEvent.into() {
            sender = sender.actor(Actor::Hook);
        }
        // Where the user is matters to what is left behind, and to what is told.
        sender = sender.here(self.settings.scope_writes);
        let answer = client.call_from(&sender, method, params);
        self.notices.borrow_mut().extend(client.take_notices());
        match &self.shell {
            Some(shell) => answer.map_err(|fault| explained(fault, shell)),
            None => answer,
        }
    }

    /// Calls a method on behalf of somebody else than whoever types.
    pub(crate) fn call_as(&self, actor: Actor, method: impl Into<Method>, params: &str) -> Answer {
        let sender = Shell::sender(None).actor(actor);
        self.client()?.call_from(&sender, method.into(), params)
    }

    /// The agent that types, where it is not the user.
    pub(crate) fn shell(&self) -> Option<&Shell> {
        self.shell.as_ref()
    }

    /// Refuses what an agent's shell may not do.
    pub(crate) fn only_user(&self, what: &str) -> Result<(), Fault> {
        let Some(shell) = &self.shell else {
            return Ok(());
        };
        let words = format!("{}, and only the user may use {what}", shell.describe());
        Err(Error::new(ErrorKind::Forbidden, words).into())
    }

    /// Calls a read that chooses by context: what `given` leaves out is inferred.
    ///
    /// Which variables matter is known once the server has answered; if one of
    /// them is set here, it is stated and the call made again.
    pub(crate) fn ask(
        &self,
        method: impl Into<Method>,
        params: &Params,
        given: Option<&Value>,
    ) -> Asked {
        let method = method.into();
        let asked = self.asked(method, params, given, &[]);
        let again = |(answer, context): (Answer, Context)| {
            let names = self.client()?.env_names();
            if lacks(&context, &names) {
                return self.asked(method, params, given, &names);
            }
            Ok((answer, context))
        };
        in_context(params, asked.and_then(again))
    }

    /// Calls a method. One that asks where the caller is means here, unless it names a
    /// scope or all. It may be a write, which must not be made twice, so the variables
    /// that matter are asked for first.
    pub(crate) fn choose(
        &self,
        method: impl Into<Method>,
        params: &Params,
        given: Option<&Value>,
    ) -> Asked {
        let method = method.into();
        let has = |field: &str| params.has(field) || (field == "context" && given.is_some());
        if !infers(method, has) {
            return Asked::about(params, self.call_here(method, params));
        }
        let names = self.env_names();
        let asked = names.and_then(|names| self.asked(method, params, given, &names));
        in_context(params, asked)
    }

    /// Calls a method that takes no context; `.` still is where the caller is.
    pub(crate) fn call_here(&self, method: impl Into<Method>, params: &Params) -> Answer {
        let params = params.clone().at(&infer(None, &[])?)?;
        self.call(method, &params.to_json())
    }

    fn asked(
        &self,
        method: Method,
        params: &Params,
        given: Option<&Value>,
        names: &[String],
    ) -> Result<(Answer, Context), Fault> {
        let given = given.and_then(|given| to_raw_value(given).ok());
        let context = infer(given.as_deref(), names)?;
        let stated = serde_json::to_value(&context).unwrap_or_default();
        let params = params.clone().at(&context)?;
        let params = params.with("context", Some(stated)).to_json();
        Ok((self.call(method, &params), context))
    }

    /// The variables that live scopes mention.
    fn env_names(&self) -> Result<Vec<String>, Fault> {
        #[derive(Deserialize)]
        struct Hello {
            #[serde(default)]
            env_names: Vec<String>,
        }
        let hello = self.call(ServerOperation::Hello, "{}")?;
        let hello = serde_json::from_str::<Hello>(hello.get());
        Ok(hello.map(|hello| hello.env_names).unwrap_or_default())
    }

    /// How many tokens the start of a session is told in, if somebody said so.
    pub(crate) fn prime_tokens(&self) -> Option<i64> {
        self.settings
            .prime_tokens
            .and_then(|most| i64::try_from(most).ok())
    }

    /// The word of the session that lets in a caller who cannot show who it is.
    pub(crate) fn token(&self) -> Result<String, Fault> {
        self.client()?;
        let token = self.runtime()?.token();
        token.ok_or_else(no_server)
    }

    /// Writes the file that leads a browser to the page.
    pub(crate) fn write_page(&self, html: &str) -> Result<PathBuf, Fault> {
        Ok(self.runtime()?.write_page(html)?)
    }

    /// The server, which is started if none runs.
    fn client(&self) -> Result<&Client, Fault> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        let client = start::reach(&self.settings)?;
        Ok(self.client.get_or_init(|| client))
    }
}

/// Where the user is; no variables, which nobody has asked about.
pub(crate) fn here() -> Result<Context, Fault> {
    Ok(infer(None, &[])?)
}

/// Reads an answer.
pub(crate) fn read<T: DeserializeOwned>(answer: &RawValue) -> Result<T, Fault> {
    serde_json::from_str(answer.get()).map_err(|_| {
        let words = "this server's answer cannot be read; `nudge restart` replaces it";
        Fault::unavailable(words)
    })
}

/// Reads all of stdin, without the line end that `echo` adds.
pub(crate) fn stdin() -> Result<String, Error> {
    let mut text = String::new();
    let read = std::io::stdin().read_to_string(&mut text);
    read.map_err(|error| misuse(format!("stdin cannot be read: {error}")))?;
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(text)
}

/// The error for what was typed wrong and never reached a server.
pub(crate) fn misuse(words: String) -> Error {
    Error::new(ErrorKind::Invalid, words)
}

/// A refusal of what only the user may do, with why this shell is not the user's.
fn explained(fault: Fault, shell: &Shell) -> Fault {
    let error = error_of(&fault);
    if error.kind() != ErrorKind::Forbidden {
        return fault;
    }
    let (why, problem) = (shell.describe(), error.problem());
    let fix = error.data().fix.map_or("", Fix::words);
    let words = format!("{why}, and {problem}; the page (`nudge ui`) is always the user's{fix}");
    let mut error = serde_json::to_value(&error).unwrap_or_default();
    error["message"] = words.into();
    to_raw_value(&error).map_or(fault, Fault::Passed)
}

/// What was asked, with where the caller is.
fn in_context(params: &Params, asked: Result<(Answer, Context), Fault>) -> Asked {
    let (answer, context) = match asked {
        Ok((answer, context)) => (answer, serde_json::to_value(context).ok()),
        Err(fault) => (Err(fault), None),
    };
    Asked {
        echo: context.map(|context| ("context_used", context)),
        ..Asked::about(params, answer)
    }
}
