//! `nudge watch`: what happens in the store, as lines, until somebody has seen enough.

use std::io;
use std::process::ExitCode;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use chrono::Local;
use nudge::{Change, ChangeKind, Name};
use nudge_client::exchange::Event;
use nudge_client::{Client, Events};
use serde::Deserialize;
use tokio::signal::ctrl_c;
use tokio::sync::mpsc;

use super::prelude::*;
use super::pretty::named;
use super::proposals::describe;
use super::start;
use super::status::Status;
use crate::platform::signals::wait_for_end_of_output;
use crate::wire::sender::Sender;
use crate::wire::shell::Shell;

/// How long a server that went away is looked for.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to wait before it is looked for again.
const PAUSE: Duration = Duration::from_millis(10);

#[derive(Debug, Args)]
#[command(
    after_help = "It ends with the session, as by `nudge stop`, and on Ctrl-C.

Examples:
  nudge watch                       all that happens, as it happens
  nudge watch --component api
  nudge watch --json | jq .key      one JSON object a line"
)]
pub(crate) struct Watch {
    /// Only what happens in this component; repeat it for more
    #[arg(long)]
    component: Vec<String>,
}

impl Watch {
    /// Follows the session until it ends, the reader is gone, or Ctrl-C.
    pub(crate) fn run(self, terminal: Terminal) -> ExitCode {
        while_read(move || {
            let mut follower = Follower {
                components: self.component,
                by: Shell::sender(terminal.shell()),
                session: String::new(),
                last_change: 0,
                terminal: &terminal,
            };
            terminal.ended(follower.follow())
        })
    }
}

/// Does what prints as it goes, until it ends by itself, the reader is gone, or Ctrl-C.
pub(crate) fn while_read(work: impl FnOnce() -> Exit + Send + 'static) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let Ok(runtime) = runtime else {
        return super::output::misused("signals cannot be heard").into();
    };
    let exit = runtime.block_on(async {
        let work = async {
            let (done, mut ended) = mpsc::unbounded_channel();
            let reader_gone = done.clone();
            thread::spawn(move || done.send(work()));
            thread::spawn(move || {
                wait_for_end_of_output();
                reader_gone.send(Exit::Done)
            });
            ended.recv().await.unwrap_or(Exit::Done)
        };
        tokio::select! {
            biased;
            // Heard from before the first line on, for whoever waits for that.
            Ok(()) = ctrl_c() => Exit::Done,
            exit = work => exit,
        }
    });
    // A line that is being written is written whole.
    let _whole = io::stdout().lock();
    std::process::exit(exit as i32)
}

/// One who reads the events of one session.
struct Follower<'t> {
    terminal: &'t Terminal,
    components: Vec<String>,
    by: Sender,
    /// The session that is followed, and the number of its last change that was seen.
    session: String,
    last_change: u64,
}

impl Follower<'_> {
    /// Prints what happens from now on, until the session ends.
    fn follow(&mut self) -> Result<Exit, Fault> {
        let mut events = self.begin()?;
        loop {
            while let Ok(event) = events.next_event() {
                if let Err(error) = self.tell(&event) {
                    return Ok(ended_by(&error));
                }
            }
            self.terminal.out.note("the server is gone; reconnecting");
            let Some(next) = self.reconnect()? else {
                self.terminal.out.note("the session has ended");
                return Ok(Exit::Done);
            };
            events = next;
        }
    }

    /// Follows the server that runs, or one that is started now.
    fn begin(&mut self) -> Result<Events, Fault> {
        let client = start::reach(&self.terminal.settings)?;
        (self.session, self.last_change) = seen(&client)?;
        let events = client.events(&self.by, Some(self.last_change));
        events.map_err(|error| unavailable(&format!("the events cannot be read ({error})")))
    }

    /// Follows whoever goes on with the session; `None` when it has ended. A
    /// session that comes after it is not followed: it has other hints.
    fn reconnect(&self) -> Result<Option<Events>, Fault> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let client = match start::of_session(&self.terminal.settings) {
                Ok(client) => client,
                Err(fault) if start::is_there(&self.terminal.settings) => return Err(fault),
                Err(_) => return Ok(None),
            };
            match seen(&client) {
                Ok((session, _)) if session != self.session => return Ok(None),
                Ok(_) => {
                    if let Ok(events) = client.events(&self.by, Some(self.last_change)) {
                        return Ok(Some(events));
                    }
                }
                Err(_) => sleep(PAUSE),
            }
        }
        Err(unavailable("no server goes on with the session"))
    }

    /// Prints an event, and how many before it nobody could tell us of.
    fn tell(&mut self, event: &Event) -> io::Result<()> {
        let last = self.last_change;
        if event.id <= last {
            return Ok(());
        }
        self.last_change = event.id;
        match event.id - last - 1 {
            0 => {}
            // Others than the user are not told of all.
            _ if !self.by.caller().is_user() => {}
            1 => self.terminal.out.note("1 change was missed"),
            missed => self
                .terminal
                .out
                .note(&format!("{missed} changes were missed")),
        }
        let told: Value = serde_json::from_str(&event.data).unwrap_or_default();
        let words = match Change::deserialize(&told) {
            Ok(change) if !self.wants(&change) => return Ok(()),
            Ok(change) => line(&change, told["what"].as_str().unwrap_or_default()),
            // A server of another version may say what this one cannot read.
            Err(_) => shown(&event.data).into_owned(),
        };
        self.terminal.out.event(&event.data, &words)
    }

    /// Whether a change is one that was asked for. That everything is gone
    /// concerns every component, and what is being worked on concerns none.
    fn wants(&self, change: &Change) -> bool {
        let is_wanted = |name: &Name| self.components.iter().any(|wanted| *wanted == **name);
        change.kind == ChangeKind::Clear
            || self.components.is_empty()
            || change
                .kind
                .slot()
                .is_some_and(|(component, _)| is_wanted(component))
    }
}

/// When as the reader has it, what in the word of the event, where, which value, and who did it.
fn line(change: &Change, what: &str) -> String {
    let kind = &change.kind;
    let about = match (kind, kind.slot()) {
        (ChangeKind::Propose(proposal), _) => describe(proposal),
        (ChangeKind::Context { working_set, .. }, _) => {
            let items = working_set.items();
            let items = items.map(|(set, item)| format!("{} {}", shown(set), shown(item)));
            items.collect::<Vec<_>>().join(", ")
        }
        (_, Some((component, key))) => named(component, key, kind.hint()),
        (_, None) => "everything".to_owned(),
    };
    let set_by = || kind.hint()?.meta.origin.as_deref();
    let by = change.by.as_deref().or_else(set_by);
    let by = by.map(|by| match &by.client {
        Some(client) => format!(" ({} over {})", shown(client), shown(&by.via)),
        None => format!(" (over {})", shown(&by.via)),
    });
    let time = change.at.with_timezone(&Local).format("%T");
    format!("{time} {what:<8} {about}{}", by.unwrap_or_default())
}

/// The session of a server, and where it is.
fn seen(client: &Client) -> Result<(String, u64), Fault> {
    let status = client.call_blocking(ServerOperation::Status, "{}")?;
    let status: Status = read(&status)?;
    Ok((status.session_id, status.last_change))
}

/// How it ends when a line cannot be written: a reader who has seen enough is
/// no failure.
pub(super) fn ended_by(error: &io::Error) -> Exit {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Exit::Done,
        _ => Exit::Refused,
    }
}

fn unavailable(words: &str) -> Fault {
    Fault::unavailable(format!("{words}; `nudge doctor` says why"))
}
