//! Several servers, one store: joining, forwarding, and what follows when one dies.

use nudge::{Operation, Via};
use nudge_server::primary::operations::Method;
use nudge_server::primary::operations::ServerOperation;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Barrier, mpsc};
use std::thread;

use nudge::ErrorKind;
use nudge_server::config::Settings;
use nudge_server::platform::runtime::Runtime;
use nudge_server::proxy::client::Client;
use nudge_server::proxy::session::{Role, Session};
use nudge_server::surface::All;
use nudge_server::wire::identity::VERSION;
use nudge_server::wire::sender::Sender;
use nudge_server::wire::{Answer, Fault};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::client::{answering, result};
use crate::mcp::host::{Ends, Host};
use crate::process::{PATIENCE, Server, serve, serve_on, within};

pub(crate) fn settings(runtime: &Path) -> Settings {
    Settings {
        runtime_dir: Some(runtime.to_owned()),
        port: Some(0),
        ..Settings::default()
    }
}

fn tokio_runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap()
}

/// Runs what is about to be over, and fails when it is not.
pub(crate) fn in_time(work: impl Future<Output = ()>) {
    let limited = async { tokio::time::timeout(PATIENCE, work).await };
    tokio_runtime().block_on(limited).unwrap();
}

fn value(answer: Answer) -> Value {
    serde_json::from_str(answer.unwrap().get()).unwrap()
}

/// An answer as it would be written on the wire.
fn wire(answer: Answer) -> String {
    match answer {
        Ok(result) => result.get().to_owned(),
        Err(fault) => serde_json::to_string(&fault).unwrap(),
    }
}

pub(crate) fn set(component: &str) -> String {
    json!({"component": component, "key": "build", "value": "make"}).to_string()
}

#[test]
fn the_members_of_a_session_are_known_until_they_die() {
    let runtime = tempfile::tempdir().unwrap();
    let members = || {
        let client = Client::unix(&runtime.path().join("nudge.sock")).unwrap();
        value(client.call_blocking(ServerOperation::Status, "{}"))["members"].take()
    };
    let primary = Server::start(runtime.path());
    let alone = json!([{"pid": primary.pid(), "role": "primary"}]);
    assert_eq!(members(), alone);
    let proxy = Server::start(runtime.path());
    assert!(!proxy.is_primary());
    let both = json!([alone[0], {"pid": proxy.pid(), "role": "proxy"}]);
    assert_eq!(members(), both);
    proxy.kill();
    assert_eq!(members(), alone);
}

#[test]
fn a_member_is_known_by_its_client_and_where_that_is() {
    let (runtime, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let place = place.path().canonicalize().unwrap();
    let git = place.join(".git");
    std::fs::create_dir_all(git.join("objects")).unwrap();
    std::fs::create_dir_all(git.join("refs")).unwrap();
    std::fs::write(git.join("HEAD"), "ref: refs/heads/dev\n").unwrap();
    let host = || {
        let mut command = serve(runtime.path());
        command.current_dir(&place);
        let mut host = Host::run(command, Ends::Pipes).opened();
        host.request("nudge.hello", json!({}));
        host
    };
    let (mut primary, mut proxy) = (host(), host());
    for asked in [&mut primary, &mut proxy] {
        let members = asked.request("nudge.status", json!({}))["result"]["members"].take();
        assert_eq!(members.as_array().unwrap().len(), 2);
        for member in members.as_array().unwrap() {
            assert_eq!(member["client"], "host/1", "{member}");
            assert_eq!(member["context"]["cwd"], place.to_str().unwrap());
            assert_eq!(member["context"]["branch"], "dev");
        }
    }
    // Whoever succeeds the PRIMARY has it from the others.
    primary.signal(Signal::KILL);
    std::fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    let members = proxy.request("nudge.status", json!({}))["result"]["members"].take();
    assert_eq!(members[0]["client"], "host/1");
    assert_eq!(members[0]["context"]["branch"], "main");
}

#[test]
fn of_sixteen_processes_that_start_at_once_one_is_primary() {
    let runtime = tempfile::tempdir().unwrap();
    let start = Arc::new(Barrier::new(16));
    let starting: Vec<_> = (0..16)
        .map(|_| {
            let (start, path) = (Arc::clone(&start), runtime.path().to_owned());
            thread::spawn(move || {
                start.wait();
                Server::start(&path)
            })
        })
        .collect();
    let servers: Vec<Server> = starting
        .into_iter()
        .map(|one| one.join().unwrap())
        .collect();
    let primaries: Vec<u32> = servers
        .iter()
        .filter(|server| server.is_primary())
        .map(Server::pid)
        .collect();
    let identity = Runtime::open(Some(runtime.path())).unwrap().identity();
    assert_eq!(primaries, [identity.unwrap().pid]);
    for server in servers.iter().filter(|server| !server.is_primary()) {
        let named = format!("process {};", primaries[0]);
        assert!(server.line.contains(&named), "{}", server.line);
    }
}

#[test]
fn of_many_sessions_that_settle_at_once_one_is_primary_and_all_share() {
    let runtime = tempfile::tempdir().unwrap();
    let start = Arc::new(Barrier::new(8));
    let (settled, roles) = mpsc::channel();
    let sessions: Vec<_> = (0..8)
        .map(|number| {
            let (start, settings) = (Arc::clone(&start), settings(runtime.path()));
            let settled = settled.clone();
            thread::spawn(move || {
                tokio_runtime().block_on(async {
                    let session = Session::joining(settings, &All);
                    start.wait();
                    let hint = set(&format!("c{number}"));
                    session.call(Operation::SetHint, &hint).await.unwrap();
                    settled.send(session.role().unwrap()).unwrap();
                    // The PRIMARY is asked to end by the test, the others go by themselves.
                    if session.role() == Some(Role::Primary) {
                        session.ended().await;
                    }
                });
            })
        })
        .collect();
    let roles: Vec<Role> = within(move || roles.iter().take(8).collect());
    let primaries = roles.iter().filter(|role| **role == Role::Primary);
    assert_eq!(primaries.count(), 1);
    let client = Client::unix(&runtime.path().join("nudge.sock")).unwrap();
    let found = value(client.call_blocking(Operation::Query, "{}"));
    assert_eq!(found["total"], 8);
    client.call_blocking(ServerOperation::Stop, "{}").unwrap();
    within(move || {
        for session in sessions {
            session.join().unwrap();
        }
    });
}

#[test]
fn a_proxy_passes_every_answer_on_as_it_is() {
    let runtime = tempfile::tempdir().unwrap();
    in_time(async {
        let primary = Session::joining(settings(runtime.path()), &All);
        primary.settle().await.unwrap();
        let proxy = Session::joining(settings(runtime.path()), &All);
        proxy.call(Operation::SetHint, &set("api")).await.unwrap();
        assert_eq!(proxy.role(), Some(Role::Proxy));
        assert_eq!(primary.role(), Some(Role::Primary));
        for (method, params) in [
            ("nudge.list_components", json!({})),
            (
                "nudge.get_hint",
                json!({"component": "api", "key": "biuld"}),
            ),
            (
                "nudge.get_hint",
                json!({"component": "api", "kye": "build"}),
            ),
            (
                "nudge.set_hint",
                json!({"component": "api", "key": "build", "value": "x", "if_match_version": 9}),
            ),
            (
                "nudge.set_hint",
                json!({"component": "api", "key": "t", "value": "ghp_0123456789abcdefghijABCDEFGHIJ456789"}),
            ),
            (
                "nudge.set_hint",
                json!({"component": "api", "key": "t", "value": "x", "meta": {"scope": {"cwd_glob": "../x"}}}),
            ),
            ("nudge.query", json!([])),
            (
                "nudge.export",
                json!({"component": "ünïcode\u{0}\u{1f600}"}),
            ),
        ] {
            let params = params.to_string();
            let method = Method::named(method).unwrap();
            let expected = wire(primary.call(method, &params).await);
            assert_eq!(
                wire(proxy.call(method, &params).await),
                expected,
                "{method:?}"
            );
        }
    });
}

#[test]
fn a_proxy_hears_which_variables_scopes_mention() {
    let runtime = tempfile::tempdir().unwrap();
    in_time(async {
        let primary = Session::joining(settings(runtime.path()), &All);
        primary.settle().await.unwrap();
        let proxy = Session::joining(settings(runtime.path()), &All);
        proxy.call(Operation::Query, "{}").await.unwrap();
        assert!(proxy.env_names().is_empty());
        let scoped = json!({"component": "api", "key": "test", "value": "make test",
            "meta": {"scope": {"env_required": ["CI"]}}});
        proxy
            .call(Operation::SetHint, &scoped.to_string())
            .await
            .unwrap();
        proxy.call(Operation::Query, "{}").await.unwrap();
        assert_eq!(*proxy.env_names(), ["CI"]);
        assert_eq!(*primary.env_names(), ["CI"]);
    });
}

#[test]
fn when_the_primary_is_killed_the_next_call_is_answered_by_a_survivor() {
    let runtime = tempfile::tempdir().unwrap();
    let server = Server::start(runtime.path());
    in_time(async {
        let one = Session::joining(settings(runtime.path()), &All);
        let other = Session::joining(settings(runtime.path()), &All);
        for session in [&one, &other] {
            let hello = value(session.call(ServerOperation::Status, "{}").await);
            assert_eq!(hello["pid"], server.pid());
            assert_eq!(session.role(), Some(Role::Proxy));
        }
        server.kill();
        one.call(Operation::SetHint, &set("api")).await.unwrap();
        let found = value(other.call(Operation::Query, "{}").await);
        assert_eq!(found["total"], 1);
        // Both wait for the lock, and either may have it first.
        let roles = [one.role(), other.role()];
        for role in [Role::Primary, Role::Proxy] {
            assert!(roles.contains(&Some(role)), "{roles:?}");
        }
        let identity = Runtime::open(Some(runtime.path())).unwrap().identity();
        assert_eq!(identity.unwrap().pid, std::process::id());
    });
}

#[test]
fn a_server_that_waits_beside_the_primary_takes_its_place() {
    let runtime = tempfile::tempdir().unwrap();
    let first = Server::start(runtime.path());
    let mut second = serve(runtime.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(second.stdout.take().unwrap()).lines();
    let (waits, mut lines) = within(move || (lines.next().unwrap().unwrap(), lines));
    assert!(waits.contains("runs already"), "{waits}");
    first.kill();
    let serves = within(move || lines.next().unwrap().unwrap());
    assert!(serves.contains(" listens "), "{serves}");
    second.kill().unwrap();
    second.wait().unwrap();
}

#[test]
fn after_a_stop_the_next_call_of_a_proxy_starts_a_new_session() {
    let runtime = tempfile::tempdir().unwrap();
    let server = Server::start(runtime.path());
    in_time(async {
        let proxy = Session::joining(settings(runtime.path()), &All);
        proxy.call(Operation::SetHint, &set("api")).await.unwrap();
        let before = value(proxy.call(ServerOperation::Hello, "{}").await);
        let user = Sender::new(Via::Cli, None);
        let stopped = value(proxy.call_from(&user, ServerOperation::Stop, "{}").await);
        assert_eq!(stopped, json!({"stopped": true, "hints": 1}));
        let after = value(proxy.call(ServerOperation::Hello, "{}").await);
        assert_ne!(before["session_id"], after["session_id"]);
        let found = value(proxy.call(Operation::Query, "{}").await);
        assert_eq!(found["total"], 0);
    });
    drop(server);
}

#[test]
fn a_primary_that_leaves_takes_its_names_along() {
    let runtime = tempfile::tempdir().unwrap();
    in_time(async {
        let session = Session::joining(settings(runtime.path()), &All);
        session.settle().await.unwrap();
        session.leave().await;
        assert_eq!(session.role(), None);
        for name in ["server.pid", "nudge.sock"] {
            assert!(!runtime.path().join(name).exists(), "{name}");
        }
        let folder = Runtime::open(Some(runtime.path())).unwrap();
        within(move || folder.wait_for_lock().unwrap());
    });
}

#[test]
fn a_port_that_is_taken_is_left_for_the_next_and_said_once() {
    let runtime = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let mut child = serve_on(runtime.path(), port)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = child.stdout.take().unwrap();
    let line = within(move || BufReader::new(output).lines().next().unwrap().unwrap());
    child.kill().unwrap();
    child.wait().unwrap();
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert!(line.contains("http://127.0.0.1:"), "{line}");
    assert!(!line.contains(&format!(":{port};")), "{line}");
    assert!(said.contains(&format!("port {port} ")), "{said:?}");
    assert_eq!(said.lines().count(), 1, "{said:?}");
}

#[test]
fn a_server_that_speaks_another_protocol_is_not_joined_and_not_replaced() {
    let runtime = tempfile::tempdir().unwrap();
    let hello = json!({"product": "nudge", "version": "7.0.0", "protocol": "2.0"});
    let socket = runtime.path().join("nudge.sock");
    let _requests = answering(&socket, vec![result(&hello)]);
    let session = Session::joining(settings(runtime.path()), &All);
    let settled = tokio_runtime().block_on(session.settle());
    let Err(Fault::Core(error)) = settled else {
        panic!("it was joined or replaced");
    };
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    let words = error.to_string();
    assert!(
        words.contains("7.0.0") && words.contains(VERSION),
        "{words}"
    );
    assert!(socket.exists());
    assert_eq!(session.role(), None);
}
