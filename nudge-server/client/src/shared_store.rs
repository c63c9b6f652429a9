//! `SharedStore`: the session of this machine, with the methods of a store of one's own.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process;
use std::sync::Arc;
use std::time::Duration;

use nudge::{
    Actor, Block, Bumped, Components, Context, ContextSets, ContextUse, Deleted, Error, ErrorKind,
    Exported, Found, HintMatch, HintSet, Imported, Nudge, Operation, Proposals, Proposed, Reaction,
    Request, Speaker, Stats, Via, from_json,
};
use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::client::Client;
use crate::folder::Runtime;
use crate::sender::Sender;
use crate::start::Starter;

/// How long a server is waited for that was started.
const STARTED_WITHIN: Duration = Duration::from_secs(5);

/// How to join the session of this machine. All of it is optional.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Connect {
    /// The session folder; that of `NUDGE_RUNTIME_DIR`, or the usual one, when absent.
    pub runtime_dir: Option<PathBuf>,
    /// The program `nudge`, by which a server is started where none answers; the one on the
    /// `PATH` when absent.
    pub program: Option<PathBuf>,
    /// Whether one may be started.
    pub start: bool,
    /// The program that joins, with its version, such as `my-tool/1`.
    pub client: Option<String>,
}

impl Default for Connect {
    fn default() -> Connect {
        Connect {
            runtime_dir: None,
            program: None,
            start: true,
            client: None,
        }
    }
}

/// The store that all programs of this user share: each call is one to its server.
///
/// Whoever joins it is a program, and can be an agent or a hook instead, but never the user:
/// what the user has set, others only propose to change. A clone is a second handle.
#[derive(Debug, Clone)]
pub struct SharedStore {
    link: Arc<Link>,
    sender: Sender,
}

#[derive(Debug)]
struct Link {
    runtime: Runtime,
    starter: Option<Starter>,
    /// With the process that has it: a child of a fork must not use its parent's connection.
    client: Mutex<(u32, Arc<Client>)>,
}

impl Link {
    fn client(&self) -> Arc<Client> {
        let mut client = self.client.lock();
        if client.0 != process::id() {
            let new = Client::of(&self.runtime, self.starter.clone());
            *client = (process::id(), Arc::new(new));
        }
        Arc::clone(&client.1)
    }
}

/// Makes a method of each operation, as a store of one's own has it.
macro_rules! methods {
    ($($name:ident $Request:ident -> $Answer:ident,)+) => {
        $(
            #[doc = concat!("As `Nudge::", stringify!($name), "`.")]
            pub fn $name(&self, request: nudge::$Request) -> Result<$Answer, Error> {
                self.ask(&request)
            }
        )+
    };
}

impl SharedStore {
    /// Joins the session, and starts its server where none answers.
    pub fn connect(how: Connect) -> Result<SharedStore, Error> {
        let asked_for = how.runtime_dir.or_else(|| {
            let folder = std::env::var_os("NUDGE_RUNTIME_DIR")?;
            (!folder.is_empty()).then(|| folder.into())
        });
        let runtime = Runtime::open(asked_for.as_deref())?;
        let program = how.program.unwrap_or_else(|| PathBuf::from("nudge"));
        let starter = Starter::new(Some(program), asked_for.as_deref(), STARTED_WITHIN);
        let starter = how.start.then_some(starter);
        let client = Client::of(&runtime, starter.clone());
        client.reach().map_err(Error::from)?;
        let sender = Sender::new(Via::Http, how.client).here(true);
        Ok(SharedStore {
            link: Arc::new(Link {
                runtime,
                starter,
                client: Mutex::new((process::id(), Arc::new(client))),
            }),
            sender,
        })
    }

    /// Gives the same store to somebody else, who is not the user.
    pub fn speaking_as(&self, speaker: Speaker) -> Result<SharedStore, Error> {
        if speaker.actor == Actor::User {
            let words = "a connected program cannot act as the user; be an `agent`, a `hook` or a \
                         `program`, and let the user run `nudge`";
            return Err(Error::new(ErrorKind::Forbidden, words));
        }
        let sender = Sender::new(Via::Http, speaker.client).here(true);
        Ok(SharedStore {
            link: Arc::clone(&self.link),
            sender: sender.actor(speaker.actor).session(speaker.session),
        })
    }

    /// The same store for whoever a sender says, so that tests can be anybody.
    #[doc(hidden)]
    #[must_use]
    pub fn sent_by(&self, sender: Sender) -> SharedStore {
        SharedStore {
            sender,
            ..self.clone()
        }
    }

    /// Asks for what a store of one's own is asked for.
    pub fn ask<R>(&self, request: &R) -> Result<R::Answer, Error>
    where
        R: Request<Nudge, Answer: DeserializeOwned> + Serialize,
    {
        let params = serde_json::to_string(request).map_err(|error| unread(&error))?;
        let answer = self.answer(R::ABOUT.name, &params)?;
        serde_json::from_str(answer.get()).map_err(|error| unread(&error))
    }

    /// Calls any method of the server by its whole name, with JSON in and JSON out. `here` is where
    /// the caller is, if the params do not say, for an operation of a store.
    pub fn call(
        &self,
        here: Option<&Context>,
        method: &str,
        params: &[u8],
    ) -> Result<String, Error> {
        let operation = Operation::named(method);
        let has_place = operation.is_some_and(|known| known.about().context != ContextUse::None);
        let here = here.filter(|_| has_place);
        // What is not JSON is not a request either.
        let Ok(params) = serde_json::from_slice::<&RawValue>(params) else {
            return Err(from_json::<Value>(params).err().unwrap_or_else(bad_params));
        };
        let answer = match here {
            Some(here) => self.answer(method, &located(params, here)?),
            None => self.answer(method, params.get()),
        };
        answer.map(|answer| String::from(Box::<str>::from(answer)))
    }

    /// The variables that live scopes mention; none where the server does not say.
    #[must_use]
    pub fn env_names(&self) -> Vec<String> {
        #[derive(Deserialize)]
        struct Greeting {
            env_names: Vec<String>,
        }
        let said = self.answer("nudge.hello", "{}").ok();
        let greeting = said.and_then(|said| serde_json::from_str::<Greeting>(said.get()).ok());
        greeting.map_or_else(Vec::new, |greeting| greeting.env_names)
    }

    methods! {
        set_hint SetHint -> HintSet,
        get_hint GetHint -> HintMatch,
        query Query -> Found,
        delete_hint DeleteHint -> Deleted,
        list_components ListComponents -> Components,
        bump Bump -> Bumped,
        export Export -> Exported,
        import Import -> Imported,
        set_context SetContext -> ContextSets,
        get_context GetContext -> ContextSets,
        propose Propose -> Proposed,
        list_proposals ListProposals -> Proposals,
        accept Accept -> HintSet,
        reject Reject -> Proposed,
        prompt_block PromptBlock -> Block,
        on_event Event -> Reaction,
        stats GetStats -> Stats,
    }

    fn answer(&self, method: &str, params: &str) -> Result<Box<RawValue>, Error> {
        let client = self.link.client();
        Ok(client.call_from(&self.sender, method, params)?)
    }
}

/// Params that say where the caller is.
fn located(params: &RawValue, here: &Context) -> Result<String, Error> {
    let Ok(mut fields) = serde_json::from_str::<BTreeMap<String, Box<RawValue>>>(params.get())
    else {
        return Ok(params.get().to_owned());
    };
    let stated = fields.get("context").map(|context| context.get());
    if matches!(stated, None | Some("null")) {
        let here = to_raw_value(here).map_err(|error| unread(&error))?;
        fields.insert("context".to_owned(), here);
    }
    serde_json::to_string(&fields).map_err(|error| unread(&error))
}

fn unread(error: &serde_json::Error) -> Error {
    let words = format!("the server answers with something else ({error}); is it of this version?");
    Error::new(ErrorKind::Unavailable, words)
}

fn bad_params() -> Error {
    Error::new(ErrorKind::Invalid, "the params cannot be read")
}
