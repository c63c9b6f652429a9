//! Who listens hears of every change, whoever is PRIMARY.

use nudge::Operation;
use std::time::Duration;

use nudge_server::proxy::changes::Heard;
use nudge_server::proxy::session::Session;

use crate::process::Server;
use crate::sharing::{in_time, set, settings};

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
