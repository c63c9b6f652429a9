//! `Events`: what happens in the store, read as it happens.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use super::connection::Connection;
use super::wire::hung_up;

/// How long a server may say nothing. It shows every 15 s that it is there.
const SILENCE: Duration = Duration::from_secs(40);

/// The longest line: a value, its meta and its scope have their limits, but a
/// server may have been told to take larger ones.
const MAX_LINE: usize = 64 * 1024 * 1024;

/// One thing that happened.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its number.
    pub(crate) id: u64,
    /// What it says, as the server wrote it.
    pub(crate) data: String,
}

/// A stream of events.
#[derive(Debug)]
pub(crate) struct Events {
    connection: Connection,
    /// What was read and is not a whole line yet.
    bytes: Vec<u8>,
    ready: VecDeque<Event>,
    /// The event whose lines are being read.
    open: Event,
}

impl Events {
    /// Asks for the events after a number, or from now on, and waits until they
    /// are told: what happens after this is missed no more.
    pub(super) fn open(
        mut connection: Connection,
        host: &str,
        after: Option<u64>,
    ) -> io::Result<Events> {
        let after = after.map_or_else(String::new, |id| format!("Last-Event-ID: {id}\r\n"));
        // Without chunks, which HTTP/1.0 does not know: the body is the stream itself.
        let request = format!(
            "GET /events HTTP/1.0\r\nHost: {host}\r\nAccept: text/event-stream\r\n{after}\r\n"
        );
        connection.write(request.as_bytes())?;
        let mut events = Events {
            connection,
            bytes: Vec::new(),
            ready: VecDeque::new(),
            open: Event::default(),
        };
        let status = events.line()?;
        if status.split(' ').nth(1) != Some("200") {
            let words = format!("the server does not tell its events: {}", status.trim_end());
            return Err(io::Error::new(io::ErrorKind::InvalidData, words));
        }
        while !events.line()?.is_empty() {}
        events.connection.wait_up_to(SILENCE)?;
        Ok(events)
    }

    /// Waits for the next event. The end of the stream is an error like any other.
    pub(crate) fn next(&mut self) -> io::Result<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Ok(event);
            }
            let line = self.line()?;
            self.take(&line);
        }
    }

    /// Takes a line of the stream; an empty one ends an event.
    fn take(&mut self, line: &str) {
        if let Some(id) = line.strip_prefix("id:") {
            self.open.id = id.trim().parse().unwrap_or_default();
        } else if let Some(data) = line.strip_prefix("data:") {
            self.open.data.push_str(data.trim_start());
        } else if line.is_empty() {
            let event = std::mem::take(&mut self.open);
            if !event.data.is_empty() {
                self.ready.push_back(event);
            }
        }
    }

    /// The next line, without its end.
    fn line(&mut self) -> io::Result<String> {
        let mut looked_at = 0;
        loop {
            let rest = self.bytes.get(looked_at..).unwrap_or_default();
            if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.bytes.drain(..=looked_at + end).collect();
                let line = String::from_utf8_lossy(&line);
                return Ok(line.trim_end_matches(['\r', '\n']).to_owned());
            }
            looked_at = self.bytes.len();
            if looked_at > MAX_LINE {
                return Err(hung_up());
            }
            self.connection.read_more(&mut self.bytes)?;
        }
    }
}
