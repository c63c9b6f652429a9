//! What an export and an import carry beside hints.

use std::sync::{Arc, Mutex};

use nudge::{
    Caller, Change, ChangeKind, ErrorKind, Export, GetContext, Import, ListProposals, Nudge,
    Propose, SetContext, SetHint, Snapshot, Source, Via,
};
use serde_json::json;

fn propose(nudge: &Nudge, key: &str) {
    let hint = SetHint::new("api", key, "make");
    nudge.propose(Propose::new(hint, "it worked")).unwrap();
}

fn keys(nudge: &Nudge) -> Vec<(u64, String)> {
    let waiting = nudge.list_proposals(ListProposals::default());
    let waiting = waiting.unwrap().proposals;
    let names = waiting.iter().map(|one| (one.id, one.key.to_string()));
    names.collect()
}

fn snapshot(nudge: &Nudge) -> Snapshot {
    nudge.export(Export::new()).unwrap().payload
}

fn text(nudge: &Nudge) -> String {
    serde_json::to_string(&snapshot(nudge)).unwrap()
}

#[test]
fn a_snapshot_carries_as_much_as_its_text() {
    let nudge = Nudge::default();
    propose(&nudge, "build");
    let ports = SetContext::new("ports", ["1", "2"]);
    nudge.set_context(ports).unwrap();
    for request in [Import::new(snapshot(&nudge)), Import::new(text(&nudge))] {
        let twin = Nudge::default();
        propose(&twin, "test");
        twin.import(request.clone()).unwrap();
        assert_eq!(keys(&twin), [(1, "test".into()), (2, "build".into())]);
        // Once more is no change, and a replacement brings nothing else.
        let last = twin.last_change();
        twin.import(request.clone()).unwrap();
        assert_eq!(twin.last_change(), last);
        twin.import(request.replace()).unwrap();
        assert_eq!(keys(&twin), [(3, "build".into())]);
        let sets = twin.get_context(GetContext::default()).unwrap().sets;
        assert_eq!(sets["ports"], ["1", "2"]);
    }
}

#[test]
fn what_an_agent_imports_is_the_agents() {
    let changes = Arc::new(Mutex::new(Vec::<Change>::new()));
    let sink = Arc::clone(&changes);
    let nudge = Nudge::default().with_sink(move |changes: &[Change]| {
        sink.lock().unwrap().extend_from_slice(changes);
        Ok(())
    });
    let payload = json!({
        "schema_version": "1.0", "components": {}, "context_sets": {"ports": [1]},
        "proposals": [{"component": "api", "key": "build", "why": "it worked", "hint": {
            "value": "make", "meta": {"source": "user", "origin": {"via": "cli"}}}}],
    });
    let codex = Caller::agent("codex/0.166").via(Via::Mcp);
    let request = Import::new(payload.to_string());
    nudge.ask(&codex, request).unwrap();
    let waiting = nudge.list_proposals(ListProposals::default()).unwrap();
    let meta = &waiting.proposals[0].hint.meta;
    assert_eq!(meta.source, Some(Source::Agent));
    assert_eq!(meta.origin.as_ref().unwrap().via, "mcp");
    let changes = changes.lock().unwrap();
    assert!(matches!(&changes[0].kind, ChangeKind::Propose(one) if one.id == 1));
    assert!(matches!(changes[1].kind, ChangeKind::Context { .. }));
    let client = changes[1].by.as_ref().unwrap().client.as_deref();
    assert_eq!(client, Some("codex/0.166"));
}

#[test]
fn a_hundred_wait_in_all_and_the_next_is_told_and_refused() {
    let nudge = Nudge::default();
    let propose = |client: &str, number: usize| {
        let hint = SetHint::new("api", format!("{client}-{number}"), "make");
        nudge.ask(&Caller::agent(client), Propose::new(hint, "it worked"))
    };
    for client in 0..10 {
        for number in 0..10 {
            propose(&format!("client-{client}"), number).unwrap();
        }
    }
    let error = propose("another", 0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Quota);
    let limit = (error.data().limit.as_deref(), error.data().max);
    assert_eq!(limit, (Some("proposals"), Some(100)));
    // A client that is full makes room by its own.
    propose("client-3", 10).unwrap();
    assert_eq!(keys(&nudge).len(), 100);

    // What does not fit is a problem of its own, and spoils no hint of a payload.
    let offer = json!({"component": "api", "key": "k", "hint": {"value": "x"}, "why": "y", "client": "other"});
    let hints = json!({"build": {"value": "make"}});
    let payload = json!({"schema_version": "1.0", "components": {"api": {"hints": hints}}, "proposals": [offer]});
    let imported = nudge.import(Import::new(payload.to_string())).unwrap();
    let problem = imported.problems[0].reason.as_ref();
    assert_eq!((imported.imported, problem), (1, "E_QUOTA"));
}

#[test]
fn what_each_session_works_on_is_carried_and_stays_theirs() {
    let nudge = Nudge::default();
    let codex = Caller::agent("codex/1").session("s1").repo("git:acme/api");
    let sets = SetContext::new("intent", ["retry uploads"]);
    nudge.ask(&codex, sets).unwrap();
    let work = |nudge: &Nudge| serde_json::to_value(snapshot(nudge)).unwrap()["work"].take();
    let get = || GetContext::default();
    for request in [Import::new(snapshot(&nudge)), Import::new(text(&nudge))] {
        let twin = Nudge::default();
        twin.import(request.clone()).unwrap();
        assert_eq!(work(&twin), work(&nudge));
        let own = twin.ask(&codex, get()).unwrap();
        assert_eq!(own.sets["intent"], ["retry uploads"]);
        // Nobody but the user says something in another's name.
        let twin = Nudge::default();
        let claude = Caller::agent("claude-code/2").session("s2");
        let claude = claude.repo("git:acme/api");
        twin.ask(&claude, request).unwrap();
        assert!(twin.ask(&codex, get()).unwrap().sets.is_empty());
        assert_eq!(twin.ask(&claude, get()).unwrap().sets, own.sets);
    }
}
