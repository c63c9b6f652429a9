//! Who listens hears of every change, whoever is PRIMARY.

use nudge::Operation;
use std::time::Duration;

use nudge_server::proxy::changes::Heard;
use nudge_server::proxy::client::Client;
use nudge_server::proxy::session::{Role, Session};
use nudge_server::surface::All;

use crate::process::Server;
use crate::sharing::{in_time, set, settings};

fn is_in(component: &str, heard: &Heard) -> bool {
    let slot = heard.as_ref().and_then(|change| change.kind.slot());
    slot.is_some_and(|(name, _)| name == component)
}

#[test]
fn what_one_changes_every_session_hears_of_whoever_is_primary() {
    let runtime = tempfile::tempdir().unwrap();
    let server = Server::start(runtime.path());
    in_time(async {
        let proxy = Session::joining(settings(runtime.path()), &All);
        let mut changes = proxy.changes();
        proxy.settle().await.unwrap();
        let client = Client::unix(&runtime.path().join("nudge.sock")).unwrap();
        // What happens before the stream is open is not heard, so it happens until it is.
        let heard = loop {
            client
                .call_blocking(Operation::SetHint, &set("api"))
                .unwrap();
            tokio::task::yield_now().await;
            if let Ok(Some(heard)) = changes.try_recv() {
                break heard;
            }
        };
        assert_eq!(heard.kind.hint().unwrap().value.text(), "make");
        server.kill();
        proxy.call(Operation::SetHint, &set("web")).await.unwrap();
        assert_eq!(proxy.role(), Some(Role::Primary));
        while !is_in("web", &changes.recv().await.unwrap()) {}
        let local = Session::joining(settings(runtime.path()), &All);
        local.settle().await.unwrap();
        let mut again = proxy.changes();
        local.call(Operation::SetHint, &set("cli")).await.unwrap();
        assert!(is_in("cli", &again.recv().await.unwrap()));
    });
}

#[test]
fn who_listens_hears_of_changes_after_a_take_over_without_a_call_of_its_own() {
    let runtime = tempfile::tempdir().unwrap();
    let first = Server::start(runtime.path());
    in_time(async {
        let listeners = [(); 3].map(|()| Session::joining(settings(runtime.path()), &All));
        let mut changes = Vec::new();
        for listener in &listeners {
            listener.settle().await.unwrap();
            changes.push(listener.changes());
        }
        first.kill();
        // One of them is PRIMARY then, and the others are to find it by themselves.
        let writer = Session::joining(settings(runtime.path()), &All);
        for mut changes in changes {
            let heard = async { while !is_in("after", &changes.recv().await.unwrap()) {} };
            let told = async {
                loop {
                    writer
                        .call(Operation::SetHint, &set("after"))
                        .await
                        .unwrap();
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
