//! Following a session, whoever is its PRIMARY.

use std::io;
use std::thread::sleep;
use std::time::{Duration, Instant};

use chrono::Local;
use nudge::{Change, ChangeKind, Name};
use nudge_client::exchange::Event;
use nudge_client::{Client, Events};
use serde::Deserialize;
use serde_json::Value;

use crate::cli::output::{Exit, Output};
use crate::cli::pretty::named;
use crate::cli::proposals::describe;
use crate::cli::start;
use crate::cli::status::Status;
use crate::cli::terminal::read;
use crate::config::Settings;
use crate::primary::operations::ServerOperation;
use crate::wire::Fault;
use crate::wire::escape::shown;
use crate::wire::sender::Sender;
use crate::wire::shell::Shell;

/// How long a server that went away is looked for.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to wait before it is looked for again.
const PAUSE: Duration = Duration::from_millis(10);

/// One who reads the events of one session.
pub(super) struct Follower {
    settings: Settings,
    out: Output,
    components: Vec<String>,
    by: Sender,
    /// The session that is followed, and the number of its last change that was seen.
    session: String,
    last_change: u64,
}

impl Follower {
    pub(super) fn new(settings: Settings, out: Output, components: Vec<String>) -> Follower {
        Follower {
            settings,
            out,
            components,
            by: Shell::sender(Shell::this().as_ref()),
            session: String::new(),
            last_change: 0,
        }
    }

    /// Prints what happens from now on, until the session ends.
    pub(super) fn follow(mut self) -> Exit {
        let ended = self.until_the_end();
        ended.unwrap_or_else(|fault| self.out.refused(fault))
    }

    fn until_the_end(&mut self) -> Result<Exit, Fault> {
        let mut events = self.begin()?;
        loop {
            while let Ok(event) = events.next_event() {
                if let Err(error) = self.tell(&event) {
                    return Ok(ended_by(&error));
                }
            }
            self.out.note("the server is gone; reconnecting");
            let Some(next) = self.reconnect()? else {
                self.out.note("the session has ended");
                return Ok(Exit::Done);
            };
            events = next;
        }
    }

    /// Follows the server that runs, or one that is started now.
    fn begin(&mut self) -> Result<Events, Fault> {
        let client = start::reach(&self.settings)?;
        (self.session, self.last_change) = seen(&client)?;
        let events = client.events(&self.by, Some(self.last_change));
        events.map_err(|error| unavailable(&format!("the events cannot be read ({error})")))
    }

    /// Follows whoever goes on with the session; `None` when it has ended. A
    /// session that comes after it is not followed: it has other hints.
    fn reconnect(&self) -> Result<Option<Events>, Fault> {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            let client = match start::of_session(&self.settings) {
                Ok(client) => client,
                Err(fault) if start::is_there(&self.settings) => return Err(fault),
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
            1 => self.out.note("1 change was missed"),
            missed => self.out.note(&format!("{missed} changes were missed")),
        }
        let told: Value = serde_json::from_str(&event.data).unwrap_or_default();
        let words = match Change::deserialize(&told) {
            Ok(change) if !self.wants(&change) => return Ok(()),
            Ok(change) => line(&change, told["what"].as_str().unwrap_or_default()),
            // A server of another version may say what this one cannot read.
            Err(_) => shown(&event.data).into_owned(),
        };
        self.out.event(&event.data, &words)
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
pub(crate) fn ended_by(error: &io::Error) -> Exit {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Exit::Done,
        _ => Exit::Refused,
    }
}

fn unavailable(words: &str) -> Fault {
    Fault::unavailable(format!("{words}; `nudge doctor` says why"))
}
