//! The client of CLI and PROXY, against servers that are none, or not ours.

use nudge::Operation;
use nudge_server::primary::operations::ServerOperation;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::mpsc;
use std::thread;

use nudge::ErrorKind;
use nudge_client::Client;
use nudge_client::folder::Runtime;
use nudge_server::wire::{Answer, Fault};
use serde_json::{Value, json};

use crate::process::{Server, within};

fn value(answer: Answer) -> Value {
    serde_json::from_str(answer.unwrap().get()).unwrap()
}

/// A server that answers each connection's first request with a body, then hangs
/// up; the requests are handed to the test.
pub(crate) fn answering(socket: &Path, bodies: Vec<String>) -> mpsc::Receiver<String> {
    let listener = UnixListener::bind(socket).unwrap();
    let (told, requests) = mpsc::channel();
    thread::spawn(move || {
        for body in bodies {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).unwrap();
            request.truncate(length);
            let response = format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(response.as_bytes()).unwrap();
            drop(stream);
            told.send(String::from_utf8(request).unwrap()).unwrap();
        }
    });
    requests
}

/// What is answered to a call with some more headers.
pub(crate) fn posted(socket: &Path, headers: &str, body: &Value) -> Value {
    let mut stream = UnixStream::connect(socket).unwrap();
    let body = body.to_string();
    let head = "POST /rpc HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    let request = format!(
        "{head}{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    serde_json::from_str(said.split_once("\r\n\r\n").unwrap().1).unwrap()
}

pub(crate) fn result(result: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "result": result}).to_string()
}

#[test]
fn a_connection_that_the_server_closed_is_made_anew_and_every_request_has_its_id() {
    let runtime = crate::process::folder();
    let socket = runtime.path().join("nudge.sock");
    let requests = answering(&socket, (0..3).map(|n| result(&json!(n))).collect());
    let client = Client::unix(&socket).unwrap();
    let mut ids = Vec::new();
    for number in 0..3 {
        assert_eq!(
            value(client.call_blocking(Operation::Bump, "{}")),
            json!(number)
        );
        let request = requests.recv().unwrap();
        assert!(request.starts_with("POST /rpc HTTP/1.1\r\n"), "{request}");
        assert!(request.contains("\r\nHost: localhost\r\n"), "{request}");
        let id = request
            .lines()
            .find(|line| line.starts_with("Nudge-Request-Id: "));
        ids.push(id.unwrap().to_owned());
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 3);
}

#[test]
fn a_server_that_does_not_answer_in_http_or_json_is_no_server() {
    for response in [
        "SSH-2.0-OpenSSH\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 999999999999\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1, 2, 3]",
        "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{",
        "HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno",
        "",
    ] {
        let runtime = crate::process::folder();
        let socket = runtime.path().join("nudge.sock");
        let listener = UnixListener::bind(&socket).unwrap();
        thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]).unwrap();
            stream.write_all(response.as_bytes()).unwrap();
        });
        let client = Client::unix(&socket).unwrap();
        let answer = within(move || client.call_blocking(Operation::Query, "{}"));
        let Err(Fault::Core(error)) = answer else {
            panic!("{response:?} passed for an answer");
        };
        assert_eq!(error.kind(), ErrorKind::Unavailable, "{response:?}");
    }
}

#[test]
fn nothing_is_said_to_another_product_or_another_server_on_the_port() {
    let runtime = crate::process::folder();
    let server = Server::start(runtime.path());
    assert!(server.is_primary());
    let identity = Runtime::open(Some(runtime.path()))
        .unwrap()
        .identity()
        .unwrap();
    let client = Client::tcp(identity.port, Some(&identity.nonce)).unwrap();
    let hello = value(client.call_blocking(ServerOperation::Hello, "{}"));
    assert_eq!(hello["session_id"], identity.session_id.as_str());
    for unknown in [None, Some("another")] {
        let Err(Fault::Core(error)) = Client::tcp(identity.port, unknown) else {
            panic!("a server was trusted without its nonce");
        };
        assert!(error.to_string().contains("another server's"), "{error}");
    }

    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port();
    let heard = thread::spawn(move || {
        let (mut stream, _) = other.accept().unwrap();
        let mut request = vec![0; 4096];
        let length = stream.read(&mut request).unwrap();
        let body = r#"{"product": "other"}"#;
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", body.len());
        stream
            .write_all(format!("{head}{body}").as_bytes())
            .unwrap();
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).unwrap();
        request.truncate(length);
        (String::from_utf8(request).unwrap(), rest)
    });
    let Err(Fault::Core(error)) = Client::tcp(port, None) else {
        panic!("another product was taken for Nudge");
    };
    assert!(error.to_string().contains("another product"), "{error}");
    let (request, rest) = within(move || heard.join().unwrap());
    assert!(request.starts_with("GET /health "), "{request}");
    assert!(rest.is_empty());
}
