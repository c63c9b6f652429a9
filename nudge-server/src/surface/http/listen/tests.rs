//! How long a connection may take, by a clock that the tests set.

use nudge::Config;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::time::{Instant, advance};

use super::*;

const HEALTH: &[u8] = b"GET /health HTTP/1.1\r\n\r\n";

/// The client's end of a connection that is served.
fn connected() -> (DuplexStream, Arc<Primary>) {
    let primary = Arc::new(Primary::with_system_clock(Config::default(), 0));
    let surface = Surface::new(Guard::unix(), Arc::clone(&primary), Router::new());
    let (client, stream) = duplex(64 * 1024);
    let uid = Some(rustix::process::geteuid().as_raw());
    tokio::spawn(converse(
        stream,
        Process { uid, pid: None },
        surface,
        ConnectionLimit::new().take_slot(true),
    ));
    (client, primary)
}

/// Reads a response whose head and body arrive at once.
async fn heard(client: &mut DuplexStream) -> String {
    let mut bytes = vec![0; 64 * 1024];
    let length = client.read(&mut bytes).await.unwrap();
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

/// After how many seconds the server hangs up.
async fn seconds_left(client: &mut DuplexStream) -> u64 {
    let start = Instant::now();
    assert_eq!(heard(client).await, "");
    start.elapsed().as_secs()
}

#[tokio::test(start_paused = true)]
async fn what_hyper_answers_by_itself_and_the_last_answer_are_closed_as_well() {
    let asked = |request: Vec<u8>, is_ending: bool| async move {
        let (mut client, primary) = connected();
        if is_ending {
            primary.stop();
        }
        // Who says too much is not heard to the end.
        let _ = client.write_all(&request).await;
        let head = heard(&mut client).await;
        for (name, value) in CLOSED {
            assert!(head.contains(&format!("\r\n{name}: {value}\r\n")), "{head}");
        }
        head.split(' ').nth(1).map(str::to_owned).unwrap()
    };
    assert_eq!(asked(HEALTH.to_vec(), true).await, "503");
    assert_eq!(asked(b"NONSENSE\r\n\r\n".to_vec(), false).await, "400");
    let long = "x".repeat(MAX_HEAD);
    let head = format!("GET / HTTP/1.1\r\nCookie: {long}\r\n\r\n");
    assert_eq!(asked(head.into_bytes(), false).await, "431");
}

#[tokio::test(start_paused = true)]
async fn a_connection_without_a_request_or_with_a_part_of_its_head_ends() {
    for (sent, seconds) in [(0, 30), (9, 10)] {
        let (mut client, _primary) = connected();
        client.write_all(&HEALTH[..sent]).await.unwrap();
        assert_eq!(seconds_left(&mut client).await, seconds);
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_is_kept_for_the_next_request() {
    let (mut client, _primary) = connected();
    for _ in 0..5 {
        client.write_all(HEALTH).await.unwrap();
        assert!(heard(&mut client).await.starts_with("HTTP/1.1 200"));
        advance(Duration::from_secs(25)).await;
    }
    client.write_all(HEALTH).await.unwrap();
    assert!(heard(&mut client).await.starts_with("HTTP/1.1 200"));
    assert_eq!(seconds_left(&mut client).await, 30);
}

#[tokio::test(start_paused = true)]
async fn a_head_that_comes_byte_by_byte_ends_the_connection() {
    let (mut client, _primary) = connected();
    client.write_all(HEALTH).await.unwrap();
    heard(&mut client).await;
    let start = Instant::now();
    while client.write_all(b"X").await.is_ok() {
        advance(Duration::from_secs(1)).await;
        tokio::task::yield_now().await;
    }
    assert!(start.elapsed() < Duration::from_secs(13));
}

#[tokio::test(start_paused = true)]
async fn a_body_that_is_not_finished_is_refused() {
    let (mut client, _primary) = connected();
    let head =
        b"POST /rpc HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    client.write_all(head).await.unwrap();
    let start = Instant::now();
    assert!(heard(&mut client).await.starts_with("HTTP/1.1 408"));
    assert_eq!(start.elapsed().as_secs(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_stream_is_not_idle() {
    let (mut client, primary) = connected();
    let events = b"GET /events HTTP/1.1\r\n\r\n";
    client.write_all(events).await.unwrap();
    assert!(heard(&mut client).await.starts_with("HTTP/1.1 200"));
    let start = Instant::now();
    while start.elapsed() < Duration::from_mins(5) {
        assert_eq!(heard(&mut client).await, "3\r\n:\n\n\r\n");
    }
    primary.stop();
    assert_eq!(heard(&mut client).await, "0\r\n\r\n");
}

#[tokio::test(start_paused = true)]
async fn who_does_not_read_the_answer_is_left() {
    let (mut client, primary) = connected();
    let long = "x".repeat(8000);
    for number in 0..20 {
        let hint = nudge::SetHint::new("api", "build", long.clone()).branch("main");
        let hint = hint.branch(format!("b{number}"));
        primary.nudge.set_hint(hint).unwrap();
    }
    let body = r#"{"jsonrpc":"2.0","method":"nudge.get_hint","params":{"component":"api","key":"build","alternatives":20,"context":{"branch":"main"}},"id":1}"#;
    let length = body.len();
    let request = format!(
        "POST /rpc HTTP/1.1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    client.write_all(request.as_bytes()).await.unwrap();
    for _ in 0..40 {
        advance(Duration::from_secs(1)).await;
        tokio::task::yield_now().await;
    }
    let mut answer = Vec::new();
    client.read_to_end(&mut answer).await.unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200") && answer.len() < 20 * 8000);
}
