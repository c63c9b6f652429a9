//! `Terminal`: what a command works with, the server and somewhere to print.

use std::cell::{OnceCell, RefCell};
use std::io::Read;

use nudge::{Actor, Context, Error, ErrorKind, Fix, Operation};
use nudge_client::Client;
use nudge_client::folder::Runtime;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::flags::Params;
use super::output::{Exit, Output, Page};
use super::shell::SHELL;
use super::start;
use crate::config::Settings;
use crate::primary::operations::Method;
use crate::proxy::infer::{infer, infers};
use crate::wire::escape::shown;
use crate::wire::sender::{Known, Sender};
use crate::wire::shell::Shell;
use crate::wire::{Answer, Fault};

pub(crate) struct Terminal {
    pub(crate) out: Output,
    pub(crate) settings: Settings,
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
    /// Where the caller is, of a call that says so.
    pub(crate) context: Option<Value>,
    /// The component and the key, as they are typed.
    pub(crate) slot: Option<String>,
}

impl From<Answer> for Asked {
    fn from(answer: Answer) -> Asked {
        Asked {
            answer,
            context: None,
            slot: None,
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
        let (client, method) = (self.client()?, method.into());
        self.call_on(client, method, |by| client.call_from(by, method, params))
    }

    /// Calls a method of the server of the session that there is; none is begun.
    pub(crate) fn call_session(&self, method: impl Into<Method>, params: &str) -> Answer {
        let (client, method) = (start::of_session(&self.settings)?, method.into());
        self.call_on(&client, method, |by| client.call_from(by, method, params))
    }

    pub(crate) fn found_runtime(&self) -> Option<Runtime> {
        Runtime::find(self.settings.runtime_dir.as_deref()).ok()?
    }

    /// The folder where this user's processes meet.
    pub(crate) fn runtime(&self) -> Result<Runtime, Fault> {
        Ok(Runtime::open(self.settings.runtime_dir.as_deref())?)
    }

    /// Makes a call, and says who does.
    fn call_on(
        &self,
        client: &Client,
        method: Method,
        call: impl FnOnce(&Sender) -> Answer,
    ) -> Answer {
        let mut sender = Shell::sender(self.shell());
        // What `nudge prime` asks for is what a hook does; no other command can tell of an event.
        if self.shell.is_some() && method == Operation::OnEvent.into() {
            sender = sender.actor(Actor::Hook);
        }
        // Where the user is matters to what is left behind, and to what is told.
        sender = sender.here(self.settings.scope_writes);
        let answer = call(&sender);
        self.notices.borrow_mut().extend(client.take_notices());
        match &self.shell {
            Some(shell) => answer.map_err(|fault| explained(fault, shell)),
            None => answer,
        }
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

    /// Calls a method. One that asks where the caller is means here, unless it names a scope or
    /// all: what `given` leaves out is inferred.
    pub(crate) fn ask(
        &self,
        method: impl Into<Method>,
        request: &impl Serialize,
        given: Option<Value>,
    ) -> Asked {
        let (method, params) = (method.into(), Params::of(request));
        let slot = params.typed_slot();
        let has = |field: &str| params.has(field) || (field == "context" && given.is_some());
        let (answer, context) = if infers(method, has) {
            let mut used = None;
            let answer = self.ask_from_here(method, &params, &given.unwrap_or_default(), &mut used);
            (answer, used)
        } else {
            (self.call_here(method, &params), None)
        };
        Asked {
            answer,
            context,
            slot,
        }
    }

    /// Asks, and reads the answer.
    pub(crate) fn get<T: DeserializeOwned>(
        &self,
        method: impl Into<Method>,
        request: &impl Serialize,
        given: Option<Value>,
    ) -> Result<T, Fault> {
        read(&self.ask(method, request, given).answer?)
    }

    /// Asks, prints what came of it, and ends as `pretty` says.
    #[expect(clippy::unnecessary_wraps, reason = "every command ends so")]
    pub(crate) fn tell<T: DeserializeOwned>(
        &self,
        method: impl Into<Method>,
        request: &impl Serialize,
        given: Option<Value>,
        pretty: impl FnOnce(&mut Page, &T) -> Exit,
    ) -> Result<Exit, Fault> {
        Ok(self.out.asked(&self.ask(method, request, given), pretty))
    }

    /// How a command ended; why it could not be run is printed.
    pub(crate) fn ended(&self, ended: Result<Exit, Fault>) -> Exit {
        ended.unwrap_or_else(|fault| self.out.refused(fault))
    }

    /// Calls a method that is not told where the caller is; `.` still is there.
    pub(crate) fn call_here(&self, method: impl Into<Method>, request: &impl Serialize) -> Answer {
        let mut params = Params::of(request);
        if params.is_here() {
            params = params.at(&here()?)?;
        }
        self.call(method, &params.to_json())
    }

    /// Calls a method in a context.
    fn ask_from_here(
        &self,
        method: Method,
        params: &Params,
        given: &Value,
        used: &mut Option<Value>,
    ) -> Answer {
        let client = self.client()?;
        let params = |known: &Known| {
            let context = infer(Some(given), &known.env_names)?;
            let params = params.clone().at(&context)?;
            *used = serde_json::to_value(&context).ok();
            Ok(params.with("context", used.clone()).to_json())
        };
        self.call_on(client, method, |by| {
            client.call_knowing_blocking(by, method, params)
        })
    }

    /// The server, which is started if none runs.
    pub(crate) fn client(&self) -> Result<&Client, Fault> {
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
pub(crate) fn misuse(words: impl Into<String>) -> Error {
    Error::new(ErrorKind::Invalid, words.into())
}

/// This command line.
fn typed() -> String {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| SHELL.quoted(&word.to_string_lossy()));
    let words: Vec<String> = ["nudge".to_owned()].into_iter().chain(words).collect();
    words.join(" ")
}

/// A refusal of what only the user may do, with why this shell is not the user's.
fn explained(fault: Fault, shell: &Shell) -> Fault {
    let error = Error::from(&fault);
    if error.kind() != ErrorKind::Forbidden {
        return fault;
    }
    let (why, problem) = (shell.describe(), error.problem());
    // The store knows the name of the method, and not what was typed.
    let asks = problem.split_once("; ask the user to run ");
    let problem = asks.map_or_else(
        || problem.to_owned(),
        |(what, _)| format!("{what}; ask the user to run `{}`", typed()),
    );
    let fix = error.data().fix.map_or("", Fix::words);
    let words = format!("{why}, and {problem}; the page (`nudge ui`) is always the user's{fix}");
    let mut error = serde_json::to_value(&error).unwrap_or_default();
    error["message"] = words.into();
    to_raw_value(&error).map_or(fault, Fault::Passed)
}
