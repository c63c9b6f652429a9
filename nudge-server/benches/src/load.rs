//! A load of HTTP calls: one thread, many connections, one call in flight on each.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Instant;

use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};

use crate::Outcome;
use crate::measure::{Figures, number, percentile};

/// How long an answer may take; only what hangs takes that long.
const PATIENCE: Timespec = Timespec {
    tv_sec: 60,
    tv_nsec: 0,
};

/// One connection and the call that it waits for.
struct Connection {
    stream: TcpStream,
    sent: Instant,
    /// What has come of the answer.
    answer: Vec<u8>,
}

impl Connection {
    fn new(port: u16) -> Outcome<Connection> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_nodelay(true)?;
        Ok(Connection {
            stream,
            sent: Instant::now(),
            answer: Vec::with_capacity(1 << 14),
        })
    }

    fn send(&mut self, request: &[u8]) -> Outcome<()> {
        self.answer.clear();
        self.sent = Instant::now();
        Ok(self.stream.write_all(request)?)
    }

    /// Reads what is there, and says whether that was the end of the answer.
    fn receive(&mut self, piece: &mut [u8]) -> Outcome<bool> {
        let read = self.stream.read(piece)?;
        if read == 0 {
            return Err("it hung up".into());
        }
        self.answer.extend_from_slice(&piece[..read]);
        is_whole(&self.answer)
    }
}

/// Whether an answer is there to its last byte; one without success is an error.
fn is_whole(answer: &[u8]) -> Outcome<bool> {
    let Some(end) = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n") else {
        return Ok(false);
    };
    let head = std::str::from_utf8(&answer[..end])?;
    if !head.starts_with("HTTP/1.1 200") {
        return Err(String::from_utf8_lossy(answer).into());
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim())
    });
    let length: usize = length
        .ok_or("it does not say how long its answer is")?
        .parse()?;
    Ok(answer.len() >= end + 4 + length)
}

/// One call on a connection of its own: the body of the answer.
pub(crate) fn ask_once(port: u16, request: &[u8]) -> Outcome<Vec<u8>> {
    let mut connection = Connection::new(port)?;
    connection.send(request)?;
    while !connection.receive(&mut [0; 1 << 14])? {}
    let answer = connection.answer;
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n");
    Ok(answer[end.map_or(0, |end| end + 4)..].to_vec())
}

/// Makes so many calls over so many connections, and gives back how many there
/// were in a second and below which time 99 of 100 were answered.
pub(crate) fn load(
    port: u16,
    requests: &[Vec<u8>],
    connections: usize,
    calls: usize,
) -> Outcome<Figures> {
    let connected = (0..connections).map(|_| Connection::new(port));
    let mut connections = connected.collect::<Outcome<Vec<_>>>()?;
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    for (index, connection) in (0..).zip(&connections) {
        let data = epoll::EventData::new_u64(index);
        epoll::add(&epoll, &connection.stream, data, epoll::EventFlags::IN)?;
    }
    let mut in_turn = requests.iter().cycle();
    let mut next = || in_turn.next().map(Vec::as_slice).ok_or("no requests");
    let mut piece = [0; 1 << 14];
    // The server looks at each connection once: that is not what is measured.
    for connection in &mut connections {
        connection.send(next()?)?;
        while !connection.receive(&mut piece)? {}
    }

    let mut times = Vec::with_capacity(calls);
    let mut to_send = calls.saturating_sub(connections.len());
    let mut events = Vec::with_capacity(connections.len());
    let start = Instant::now();
    for connection in &mut connections {
        connection.send(next()?)?;
    }
    while times.len() < calls {
        epoll::wait(&epoll, spare_capacity(&mut events), Some(&PATIENCE))?;
        if events.is_empty() {
            return Err("it does not answer".into());
        }
        for event in events.drain(..) {
            let connection = &mut connections[usize::try_from(event.data.u64())?];
            if !connection.receive(&mut piece)? {
                continue;
            }
            times.push(connection.sent.elapsed().as_secs_f64());
            if to_send > 0 {
                to_send -= 1;
                connection.send(next()?)?;
            }
        }
    }
    let rate = number(calls.try_into()?) / start.elapsed().as_secs_f64();
    Ok(vec![rate, percentile(&mut times, 99)])
}
