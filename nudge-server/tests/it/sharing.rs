//! Several servers, one store: joining, forwarding, and what follows when one dies.

use nudge::Operation;
use nudge_server::primary::operations::{Method, ServerOperation};
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::Duration;

use nudge_client::Client;
use nudge_client::folder::Runtime;
use nudge_server::config::Settings;
use nudge_server::proxy::changes::Heard;
use nudge_server::proxy::session::Session;
use nudge_server::wire::Answer;
use nudge_server::wire::identity::VERSION;
use nudge_server::wire::sender::{Known, Sender};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::checkout::checkout;
use crate::client::posted;
use crate::mcp::host::{Ends, Host};
use crate::process::{PATIENCE, Server, serve, serve_on, until};
use crate::says::Says;

pub(crate) fn settings(runtime: &Path) -> Settings {
    Settings {
        runtime_dir: Some(runtime.to_owned()),
        autostart: false,
        ..Settings::default()
    }
}

/// A runtime of one thread.
pub(crate) fn tokio_runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    builder.enable_all().build().unwrap()
}

/// Runs what is about to be over, and fails when it is not.
pub(crate) fn in_time(work: impl Future<Output = ()>) {
    let limited = async { tokio::time::timeout(PATIENCE, work).await };
    tokio_runtime().block_on(limited).unwrap();
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
fn a_member_is_known_by_its_client_and_where_that_is_until_it_dies() {
    let (runtime, place) = (crate::process::folder(), crate::process::folder());
    let place = place.path().canonicalize().unwrap();
    checkout(&place, "shop", "dev");
    let host = || {
        let mut command = serve(runtime.path());
        command.current_dir(&place);
        let mut host = Host::run(command, Ends::Pipes).opened();
        host.request("nudge.hello", json!({}));
        host
    };
    let (mut one, mut other) = (host(), host());
    let members = |host: &mut Host| {
        let mut status = host.request("nudge.status", json!({}));
        status["result"]["members"].take()
    };
    for asked in [&mut one, &mut other] {
        let members = members(asked);
        let primary = crate::process::primary(runtime.path()).unwrap();
        assert_eq!(members[0], json!({"pid": primary, "role": "primary"}));
        let proxies = &members.as_array().unwrap()[1..];
        assert_eq!(proxies.len(), 2);
        for member in proxies {
            assert_eq!(member["client"], "host/1", "{member}");
            assert_eq!(member["context"]["cwd"], place.to_str().unwrap());
            assert_eq!(member["context"]["branch"], "dev");
        }
    }
    // Whoever comes after the PRIMARY has it from the others.
    crate::process::end_server(runtime.path());
    one.signal(Signal::KILL);
    checkout(&place, "shop", "main");
    // Also from one that does not call.
    let socket = runtime.path().join("nudge.sock");
    until("the other is known", || {
        let Ok(client) = Client::unix(&socket) else {
            return false;
        };
        let status = client.call_blocking(ServerOperation::Status, "{}").unwrap();
        let status: Value = serde_json::from_str(status.get()).unwrap();
        let members = status["members"].as_array().unwrap();
        members.len() == 2 && members[1]["context"]["branch"] == "main"
    });
    drop(other);
}

#[test]
fn of_sixteen_processes_that_start_at_once_one_is_primary() {
    let runtime = crate::process::folder();
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
    let is_primary = |server: &&Server| server.is_primary();
    let (primaries, others): (Vec<_>, Vec<_>) = servers.iter().partition(is_primary);
    let identity = Runtime::open(Some(runtime.path())).unwrap().identity();
    let pid = identity.unwrap().pid;
    let primaries: Vec<u32> = primaries.into_iter().map(Server::pid).collect();
    assert_eq!(primaries, [pid]);
    for server in others {
        server.line.says(&format!("process {pid}"));
    }
}

#[test]
fn a_proxy_passes_every_answer_on_as_it_is() {
    let runtime = crate::process::folder();
    in_time(async {
        let _server = Server::start(runtime.path());
        let client = Client::unix(&runtime.path().join("nudge.sock")).unwrap();
        let proxy = Session::remote(settings(runtime.path())).unwrap();
        proxy.call(Operation::SetHint, &set("api")).await.unwrap();
        let climbs =
            r#"{"component":"api","key":"t","value":"x","meta":{"scope":{"cwd_glob":"../x"}}}"#;
        let key =
            r#"{"component":"api","key":"t","value":"ghp_0123456789abcdefghijABCDEFGHIJ456789"}"#;
        let stale = r#"{"component":"api","key":"build","value":"x","if_match_version":9}"#;
        for (method, params) in [
            ("list_components", "{}"),
            ("get_hint", r#"{"component":"api","key":"biuld"}"#),
            ("get_hint", r#"{"component":"api","kye":"build"}"#),
            ("set_hint", stale),
            ("set_hint", key),
            ("set_hint", climbs),
            ("query", "[]"),
            ("export", r#"{"component":"ünïcode\u0000😀"}"#),
        ] {
            let method = Method::named(&format!("nudge.{method}")).unwrap();
            let expected = wire(client.call_from(&Sender::default(), method, params));
            let passed_on = wire(proxy.call(method, params).await);
            assert_eq!(passed_on, expected, "{params}");
        }
    });
}

#[test]
fn params_are_worked_out_again_only_where_other_variables_matter() {
    let runtime = crate::process::folder();
    in_time(async {
        let _server = Server::start(runtime.path());
        let proxy = Session::remote(settings(runtime.path())).unwrap();
        let heard = async || {
            let mut heard = Vec::new();
            let params = |known: &Known| {
                heard.push(known.env_names.join(" "));
                Ok("{}".to_owned())
            };
            let by = Sender::process();
            let asked = proxy.call_knowing(&by, Operation::Query.into(), params);
            asked.await.unwrap();
            heard
        };
        assert_eq!(heard().await, [""]);
        let scoped = json!({"component": "api", "key": "test", "value": "make test",
            "meta": {"scope": {"env_required": ["CI"]}}});
        let scoped = scoped.to_string();
        proxy.call(Operation::SetHint, &scoped).await.unwrap();
        assert_eq!(heard().await, ["", "CI"]);
        assert_eq!(heard().await, ["CI"]);
    });
}

#[test]
fn a_port_that_is_taken_is_left_for_the_next_and_said_once() {
    let runtime = crate::process::folder();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let mut command = serve_on(runtime.path(), port);
    command.stderr(Stdio::piped());
    let mut server = Server::spawn(command);
    let (line, said) = (server.line.clone(), server.logged());
    line.says("http://127.0.0.1:");
    line.hides(&format!(":{port};"));
    assert!(said.contains(&format!("port {port} ")), "{said:?}");
    assert_eq!(said.lines().count(), 1, "{said:?}");
}

#[test]
fn who_speaks_another_protocol_is_refused_but_may_end_the_server() {
    let runtime = crate::process::folder();
    let _server = Server::start(runtime.path());
    let socket = runtime.path().join("nudge.sock");
    let ask = |method: &str, protocol: &str| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}});
        posted(&socket, &format!("Nudge-Protocol: {protocol}\r\n"), &body)
    };
    assert!(ask("nudge.query", "1.7")["result"].is_object());
    let refused = ask("nudge.query", "2.0");
    let reason = &refused["error"]["data"]["reason"];
    assert_eq!(reason, "E_UNAVAILABLE", "{refused}");
    let words = refused["error"]["message"].as_str().unwrap();
    words.says(VERSION).says("2.0");
    assert_eq!(ask("nudge.stop", "2.0")["result"]["stopped"], true);
}

/// Whether a change is one of a component.
fn is_in(component: &str, heard: &Heard) -> bool {
    let slot = heard.as_ref().and_then(|change| change.kind.slot());
    slot.is_some_and(|(name, _)| name == component)
}

#[test]
fn who_listens_hears_of_changes_after_a_take_over_without_a_call_of_its_own() {
    let runtime = crate::process::folder();
    let first = Server::start(runtime.path());
    in_time(async {
        let listeners = [(); 3].map(|()| Session::remote(settings(runtime.path())).unwrap());
        let mut changes = Vec::new();
        for listener in &listeners {
            listener.settle().await.unwrap();
            changes.push(listener.changes());
        }
        first.kill();
        let _second = Server::start(runtime.path());
        let writer = Session::remote(settings(runtime.path())).unwrap();
        for mut changes in changes {
            let heard = async { while !is_in("after", &changes.recv().await.unwrap()) {} };
            let told = async {
                loop {
                    let done = writer.call(Operation::SetHint, &set("after")).await;
                    done.unwrap();
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            tokio::select! {
                () = heard => {}
                () = told => {}
            }
        }
    });
}
