//! Noise of all kinds: it is answered or hung up on, and changes nothing.

use nudge::Caller;
use nudge_server::primary::operations::Method;
use std::io::{Read, Write};
use std::net::Shutdown;

use nudge::Config;
use nudge_server::primary::Primary;
use nudge_server::primary::call::call_into;
use nudge_server::surface::rpc;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestRunner;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::served::{Served, TOKEN};

/// Calls that would be carried out as they are.
const CALLS: [&str; 7] = [
    r#"{"jsonrpc":"2.0","method":"nudge.set_hint","params":{"component":"api","key":"build","value":"make","meta":{"ttl":"PT2H","priority":7,"scope":{"cwd_glob":"**/api/{a,b}*","branch":["dev","x/**"],"env_match":{"CI":["1"]}}}},"id":1}"#,
    r#"{"jsonrpc":"2.0","method":"nudge.get_hint","params":{"component":"api","key":"build","context":{"cwd":"/work/api/a","branch":"dev","env":{"CI":"1"}},"alternatives":3},"id":"a"}"#,
    r#"[{"jsonrpc":"2.0","method":"nudge.query","params":{"regex":"ma(ke|de)+","tags":["x"],"limit":5,"include_ineligible":true},"id":null},{"jsonrpc":"2.0","method":"nudge.bump","params":{"component":"api","key":"build","delta":2}}]"#,
    r#"{"jsonrpc":"2.0","method":"nudge.import","params":{"mode":"replace","payload":{"schema_version":"1.0","components":{"api":{"run":{"value":{"type":"command","cmd":"make run","shell":"bash"},"version":3,"created_at":"2025-11-04T10:00:00Z","updated_at":"2025-11-04T10:00:00Z"}}}}},"id":2}"#,
    r#"{"jsonrpc":"2.0","method":"nudge.delete_hint","params":{"component":"api","key":"build","all":true},"id":-3.5}"#,
    r#"{"jsonrpc":"2.0","method":"nudge.export","params":{"format":"json","include_secrets":true},"id":4}"#,
    r#"{"jsonrpc":"2.0","method":"nudge.set_hint","params":{"component":"web","key":"dir","value":{"type":"path","abs":"C:\\code\\web","os":["windows"]}},"id":5}"#,
];

/// Pieces that mean something to one of the readers on the way.
const PIECES: [&str; 24] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "null",
    "-0",
    "1e999",
    "\\ud800",
    "\u{feff}",
    "\0",
    "\r\n",
    "\r\n\r\n",
    "Host: evil\r\n",
    "Content-Length: 3\r\n",
    "Transfer-Encoding: chunked\r\n",
    "ffffffffffffffff\r\n",
    " HTTP/1.0",
    "\"id\":7",
    "é",
    "!(**/{1..99}",
];

/// One thing that happens to a text on its way.
#[derive(Debug, Clone)]
enum Harm {
    Insert(Vec<u8>),
    Cut(usize),
    Flip(u8),
    Repeat(usize),
}

fn harm() -> impl Strategy<Value = (Index, Harm)> {
    let piece = select(&PIECES[..]).prop_map(|piece| Harm::Insert(piece.into()));
    let bytes = vec(any::<u8>(), 1..6).prop_map(Harm::Insert);
    let harm = prop_oneof![
        piece,
        bytes,
        (1..40_usize).prop_map(Harm::Cut),
        (1..=u8::MAX).prop_map(Harm::Flip),
        (1..40_usize).prop_map(Harm::Repeat),
    ];
    (any::<Index>(), harm)
}

/// A text with so much harm done to it.
fn harmed(mut text: Vec<u8>, harms: &[(Index, Harm)]) -> Vec<u8> {
    for (place, harm) in harms {
        let at = place.index(text.len() + 1);
        let within = |length: &usize| at..text.len().min(at + length);
        match harm {
            Harm::Insert(bytes) => drop(text.splice(at..at, bytes.iter().copied())),
            Harm::Cut(length) => drop(text.drain(within(length))),
            Harm::Flip(bits) => text.get_mut(at).into_iter().for_each(|byte| *byte ^= bits),
            Harm::Repeat(length) => text.extend_from_within(within(length)),
        }
    }
    text
}

/// A call with some harm done to it, or bytes that never were one.
fn body() -> impl Strategy<Value = Vec<u8>> {
    let call = (select(&CALLS[..]), vec(harm(), 0..4));
    let call = call.prop_map(|(call, harms)| harmed(call.into(), &harms));
    let pieces = vec(select(&PIECES[..]), 0..12).prop_map(|pieces| pieces.concat().into_bytes());
    prop_oneof![8 => call, 1 => pieces, 1 => vec(any::<u8>(), 0..64)]
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// A response. Its id may be a number that no program can count to, and comes
/// back as it was.
#[derive(Debug, Deserialize)]
struct Answer {
    jsonrpc: String,
    result: Option<Box<RawValue>>,
    error: Option<Value>,
    #[serde(rename = "id")]
    _id: Box<RawValue>,
}

impl Answer {
    /// Whether this is one of JSON-RPC's, and no bug in Nudge.
    fn is_sound(&self) -> bool {
        let is_bug = |error: &Value| error["code"] == 50001;
        self.jsonrpc == "2.0"
            && self.result.is_some() != self.error.is_some()
            && !self.error.as_ref().is_some_and(is_bug)
    }
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn a_body_of_any_kind_is_answered_as_json_rpc_has_it(body in body()) {
        let primary = Primary::with_system_clock(Config::default(), 0);
        let answer = rpc::Sent::read(&body).answer(|method, params, response| {
            let method = Method::named(method)?;
            call_into(&primary, &Caller::user(), method, params, response)
        });
        let Some(answer) = answer else { return Ok(()) };
        if answer.starts_with(b"[") {
            let answers: Vec<Answer> = serde_json::from_slice(&answer).unwrap();
            prop_assert!(answers.iter().all(Answer::is_sound), "{:?}", answers);
        } else {
            let answer: Answer = serde_json::from_slice(&answer).unwrap();
            prop_assert!(answer.is_sound(), "{:?}", answer);
            prop_assert!(answer.error.is_none() || primary.nudge.last_change() == 0);
        }
    }
}

#[test]
fn bytes_of_any_kind_are_answered_or_hung_up_on() {
    let server = Served::new();
    let show = format!("Authorization: Bearer {TOKEN}\r\n");
    let requests = [
        server.post("/rpc", &show, CALLS[0]),
        server.post("/", &show, CALLS[4]),
        server.get("/health", &show),
        server.get("/nope", "Origin: http://evil.example\r\n"),
        server.post("/rpc", &show, "").replace(
            "Content-Length: 0\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n",
        ) + "5\r\n[{}]\n\r\n0\r\n\r\n",
    ];
    let sent = (select(requests.to_vec()), vec(harm(), 0..5));
    let sent = sent.prop_map(|(request, harms)| harmed(request.into(), &harms));
    let sent = prop_oneof![9 => sent, 1 => vec(any::<u8>(), 0..300)];
    let heard = |bytes: Vec<u8>| {
        let before = server.primary.nudge.last_change();
        let mut client = server.tcp().0.into_inner();
        // It may hang up before it has heard all, or while we say so.
        let _ = client.write_all(&bytes);
        let _ = client.shutdown(Shutdown::Write);
        let mut answer = Vec::new();
        let end = client.read_to_end(&mut answer);
        let timed_out = end.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock);
        prop_assert!(!timed_out, "neither an answer nor an end");
        prop_assert!(answer.is_empty() || answer.starts_with(b"HTTP/1."));
        let answer = String::from_utf8_lossy(&answer);
        prop_assert!(!answer.contains("50001"), "{}", answer);
        let changed = server.primary.nudge.last_change() != before;
        prop_assert!(!changed || answer.contains("\"result\"") || answer.contains(" 204 "));
        Ok(())
    };
    TestRunner::new(cases(400)).run(&sent, heard).unwrap();
    assert_eq!(server.tcp().ask(server.get("/health", "")).status(), 200);
}
