//! `nudge hook`: what a host's hook runs. It reads the host's event, tells it to
//! the server, and prints what the agent is to know.
//!
//! A host waits for its hooks, and some take a bad exit for a veto. So this one
//! ends well whatever happens, and soon: one thread does the work, and the
//! process does not wait for it any longer than it may take.

mod dialect;
mod ending;
mod event;
pub(crate) mod input;
mod path;
mod status_line;
mod transcript;

use std::ffi::OsString;
use std::io::{IsTerminal, Write, stderr, stdin};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use nudge::{Event, EventKind, Operation, Reaction, Via, from_json};
use nudge_client::Client;
use nudge_client::folder::Runtime;
use serde_json::{Value, json};

pub(crate) use self::dialect::DIALECTS;
use self::dialect::{Dialect, print, refused, shaped};
pub(crate) use self::ending::codex_header;
use self::event::HookEvent;
pub(crate) use self::transcript::ended as codex_ended;
use crate::config::{Before, Flags, Settings, UserFile};
use crate::proxy::infer::infer;
use crate::proxy::session::starter;
use crate::store::Memory;
use crate::sync::start_if_due;
use crate::wire::Answer;
use crate::wire::sender::Sender;

/// What starting and ending the process takes of the time on a busy machine.
const AROUND: Duration = Duration::from_millis(20);

/// How much longer a session that starts may take, to start a server.
const START: Duration = Duration::from_millis(300);

/// Runs a hook for the words after `nudge hook`. It always ends well.
pub(crate) fn run(words: Vec<String>) -> ExitCode {
    end_soon(move |settings, starts| done(&words, settings, starts))
}

/// Prints a line for a host's status line. It always ends well, as a hook does.
pub(crate) fn run_status_line() -> ExitCode {
    end_soon(|settings, _| {
        status_line::print(settings);
        Ok(())
    })
}

/// Does some work for as long as a hook may take. The work may say that it starts a session,
/// which takes longer; its error is one line for whoever wired it.
fn end_soon(
    work: impl FnOnce(&Settings, &AtomicBool) -> Result<(), String> + Send + 'static,
) -> ExitCode {
    // What means nothing counts as not said; `nudge doctor` tells of it.
    let variable = |name: &str| std::env::var_os(name);
    let (settings, _) = Settings::read_each(&Flags::default(), variable, &UserFile::read());
    let most = u64::try_from(settings.hook_ms).unwrap_or(u64::MAX);
    let patience = Duration::from_millis(most).saturating_sub(AROUND);
    let starts = Arc::new(AtomicBool::new(false));
    let (may_start, (done_with, is_done)) = (Arc::clone(&starts), mpsc::channel());
    // What is not done by then is left undone, and so is what comes of a bug.
    let working = thread::Builder::new().spawn(move || {
        if let Err(words) = work(&settings, &may_start) {
            // Nobody may be listening.
            let _ = writeln!(stderr(), "nudge: {words}");
        }
        let _ = done_with.send(());
    });
    if working.is_ok() && is_done.recv_timeout(patience).is_err() && starts.load(Ordering::Relaxed)
    {
        let _ = is_done.recv_timeout(START);
    }
    ExitCode::SUCCESS
}

/// The words after a command such as `nudge hook`, of a command line that asks for nothing
/// else. They are read without clap: it refuses, and it takes its time.
pub(crate) fn asked(command: &str, line: impl Iterator<Item = OsString>) -> Option<Vec<String>> {
    let mut line = line.skip(1).map(|word| word.to_string_lossy().into_owned());
    if line.next()? != command {
        return None;
    }
    let words: Vec<String> = line.collect();
    let is_help = |word: &String| word == "--help" || word == "-h";
    (!words.iter().any(is_help)).then_some(words)
}

/// What a host's event after a tool says, for whoever reads it later, and in which folder it
/// was: nothing if the event means nothing.
pub(crate) fn read_event(host: &str, event: &Value) -> Option<(String, Vec<Event>)> {
    HookEvent::read(Dialect::of(host)?, None, event)?.into_events()
}

/// A hook of a host that changes nothing, to be tried, the start of a session: the words after
/// `nudge`, and what it reads.
pub(crate) fn trial(host: &str) -> Option<([String; 3], String)> {
    let dialect = Dialect::of(host)?;
    let mut events = dialect.events.iter();
    let (name, _) = events.find(|(_, kind)| *kind == EventKind::SessionStart)?;
    let event = json!({ dialect.name: name }).to_string();
    Some((["hook", host, name].map(str::to_owned), event))
}

/// The error is one line for whoever wired the hook.
fn done(words: &[String], settings: &Settings, starts: &AtomicBool) -> Result<(), String> {
    let mut words = words.iter().filter(|word| !word.starts_with('-'));
    let host = words.next().map(String::as_str);
    if host == Some(GENERIC) {
        return generic(settings, starts);
    }
    let Some(dialect) = host.and_then(Dialect::of) else {
        let known = DIALECTS.iter().map(|known| known.id).chain([GENERIC]);
        let known: Vec<_> = known.collect();
        let host = host.unwrap_or_default().escape_debug().to_string();
        let known = known.join("`, `");
        return Err(format!("no host `{host}`; name one of `{known}`"));
    };
    let event = given()?;
    let named = words.next().map(String::as_str);
    let Some(told) = HookEvent::read(dialect, named, &event) else {
        return Ok(());
    };
    starts.store(told.starts_session(), Ordering::Relaxed);
    // The user's machines are brought in step by a process that nobody waits for.
    let runtime = Runtime::find(settings.runtime_dir.as_deref());
    if let (true, Ok(Some(runtime))) = (told.starts_session(), runtime) {
        start_if_due(runtime.folder());
    }
    let said = tell(dialect.id, &told, settings).unwrap_or_default();
    let hold_back = said.iter().any(|said| said.hold_back);
    let texts = said.into_iter().filter_map(|said| said.text);
    let text = texts.collect::<Vec<_>>().join("\n\n");
    if hold_back {
        print(&refused(dialect.refusal, &told.name, &text));
    } else if !text.is_empty() {
        print(&shaped(dialect.shape, &told.name, &text));
    }
    Ok(())
}

/// The event that a host writes.
fn given() -> Result<Value, String> {
    if stdin().is_terminal() {
        let words = "a host runs this and writes an event to stdin; see `nudge install --hooks`";
        return Err(words.to_owned());
    }
    input::read(stdin().lock())
}

/// The word for a host that has no table: its event is in the words of `nudge.on_event`, and so
/// is the answer.
const GENERIC: &str = "generic";

fn generic(settings: &Settings, starts: &AtomicBool) -> Result<(), String> {
    let given = given()?;
    let event: Event = from_json(given.to_string().as_bytes())
        .map_err(|error| format!("{error}; docs/hooks.md has the fields of an event"))?;
    let name = given["event"].as_str().unwrap_or_default();
    if event.event == EventKind::Other && name != "other" {
        let (name, near) = (name.escape_debug(), EventKind::nearest(name));
        let near = near.unwrap_or_default();
        return Err(format!("no event `{name}`; the nearest is `{near}`"));
    }
    let host = event.host.clone().unwrap_or_else(|| GENERIC.to_owned());
    let told = HookEvent::own(event);
    starts.store(told.starts_session(), Ordering::Relaxed);
    let said = tell(&host, &told, settings).unwrap_or_default();
    for said in said.iter().filter(|said| **said != Reaction::default()) {
        print(&json!(said));
    }
    Ok(())
}

/// What follows for the agent, as the server says; nothing where none answers.
fn tell(host: &str, told: &HookEvent, settings: &Settings) -> Option<Vec<Reaction>> {
    if told.only_holds_back() && settings.before != Before::Stop {
        return None;
    }
    let place = settings.runtime_dir.as_deref();
    let (runtime, patience) = if told.starts_session() {
        (Runtime::open(place).ok()?, START)
    } else {
        // The next event finds what this one starts.
        (Runtime::find(place).ok()??, Duration::ZERO)
    };
    let starter =
        starter(settings).filter(|_| told.starts_session() || Memory::is_there(runtime.folder()));
    let client = Client::of(&runtime, starter.map(|starter| starter.within(patience)));
    let mut by = Sender::new(Via::Hook, Some(host.to_owned())).session(told.session());
    by.moved_to.clone_from(&told.moved_to);
    let mut rest = Vec::new();
    let first = client.call_knowing_blocking(&by, Operation::OnEvent, |known| {
        let context = infer(told.given().as_ref(), &known.env_names)?;
        rest = told.params(&context, settings);
        Ok(rest.remove(0))
    });
    let rest = rest.into_iter();
    let rest = rest.map(|params| client.call_from(&by, Operation::OnEvent, &params));
    let answers = [first].into_iter().chain(rest);
    let said = |answer: Answer| serde_json::from_str(answer.ok()?.get()).ok();
    Some(answers.filter_map(said).collect())
}
