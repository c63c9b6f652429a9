//! A server that never stops answering, and never has answered.

use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// How long it takes for a letter; whoever waits for each by itself waits forever.
const A_LETTER: Duration = Duration::from_millis(50);

/// Listens on a socket. To every request it says the start of a head, letter by
/// letter, until nobody listens.
pub(crate) fn slow_server(socket: &Path) {
    let listener = UnixListener::bind(socket).unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            thread::spawn(move || {
                let asked = stream.read(&mut [0; 4096]).is_ok_and(|read| read > 0);
                let head = stream.write_all(b"HTTP/1.1 200 OK\r\nnever: ");
                while asked && head.is_ok() && stream.write_all(b"x").is_ok() {
                    thread::sleep(A_LETTER);
                }
            });
        }
    });
}
