//! What others than the user may read where it is known where they are, which no vector can say.

use std::sync::{Arc, Mutex};

use nudge::{
    Actor, Bump, Caller, Change, Context, Error, ErrorKind, Export, GetContext, GetHint, GetStats,
    ListComponents, ListProposals, Nudge, PromptBlock, Propose, Query, SetContext, SetHint, Via,
};

fn repo(name: &str) -> Context {
    let root = format!("/work/{name}");
    let context = Context::new().cwd(format!("{root}/src")).root(root);
    context.repo(format!("git:github.com/acme/{name}"))
}

/// A hint for everywhere and one for each of three repositories, the last of which has one more
/// for a folder alone.
fn store() -> Nudge {
    let nudge = Nudge::default();
    let set = |set: SetHint| nudge.set_hint(set).unwrap();
    set(SetHint::new("git", "sign", "git commit -S"));
    for name in ["shop", "web", "payroll"] {
        set(SetHint::new(name, "build", name).repo(format!("git:github.com/acme/{name}")));
    }
    set(SetHint::new("vault", "open", "make vault").cwd_glob("/work/payroll/vault/**"));
    nudge
}

fn get(nudge: &Nudge, by: &Caller<'_>, slot: (&str, &str), at: &Context) -> Result<String, Error> {
    let found = nudge.ask(by, GetHint::new(slot.0, slot.1).context(at));
    found.map(|found| found.hint.value.text().into_owned())
}

/// What is read of a hint, if it is.
fn read(nudge: &Nudge, by: &Caller<'_>, slot: (&str, &str), at: &Context) -> String {
    get(nudge, by, slot, at).unwrap_or_default()
}

const PAYROLL: (&str, &str) = ("payroll", "build");
const VAULT: (&str, &str) = ("vault", "open");

#[test]
fn a_stated_context_reaches_no_further_than_where_the_caller_is() {
    let nudge = store();
    let (here, been) = (repo("shop"), [repo("web")]);
    let agent = Caller::agent("codex").here(&here).places(&been);
    for name in ["shop", "web"] {
        assert_eq!(read(&nudge, &agent, (name, "build"), &repo(name)), name);
    }
    // A repository may be cloned elsewhere.
    let clone = Context::new().cwd("/tmp/shop");
    let clone = clone.repo("git:github.com/acme/shop");
    assert_eq!(read(&nudge, &agent, ("shop", "build"), &clone), "shop");
    for (slot, at) in [
        (PAYROLL, repo("payroll")),
        (PAYROLL, here.clone().repo("git:github.com/acme/payroll")),
        (VAULT, repo("payroll").cwd("/work/payroll/vault")),
        (VAULT, Context::new().cwd("/work/payroll/vault")),
    ] {
        let error = get(&nudge, &agent, slot, &at).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{at:?}");
        assert_eq!(error.data().detail.as_deref(), Some("no_slot"), "{at:?}");
        assert!(error.data().near_misses.is_empty(), "{at:?}");
        assert!(!error.to_string().contains("vault`,"), "{error}");
        // What names no place is the same from everywhere.
        let sign = read(&nudge, &agent, ("git", "sign"), &at);
        assert_eq!(sign, "git commit -S");
    }
    let users = read(&nudge, &Caller::user(), PAYROLL, &repo("payroll"));
    assert_eq!(users, "payroll");
}

#[test]
fn a_folder_outside_of_any_repository_is_a_place_with_the_repositories_below_it() {
    let nudge = store();
    let work = Context::new().cwd("/work");
    let agent = Caller::agent("codex").here(&work);
    let vault = repo("payroll").cwd("/work/payroll/vault/x");
    let named = Context::new().repo("git:github.com/acme/payroll");
    for (slot, at, expected) in [
        (PAYROLL, &repo("payroll"), "payroll"),
        (VAULT, &vault, "make vault"),
        (PAYROLL, &named, ""),
    ] {
        assert_eq!(read(&nudge, &agent, slot, at), expected, "{at:?}");
    }
    // A home is nobody's project: an agent there is in that folder alone.
    for home in ["/", "/home/ann", "/root"] {
        let home = Context::new().cwd(home);
        let agent = Caller::agent("codex").here(&home);
        assert_eq!(read(&nudge, &agent, VAULT, &vault), "", "{home:?}");
    }
}

#[test]
fn every_read_without_a_context_is_of_where_the_caller_is() {
    let nudge = store();
    let been = [repo("web")];
    let agent = Caller::agent("codex").places(&been);
    let ask = |actor| agent.actor(actor);
    for by in [ask(Actor::Agent), ask(Actor::Hook), ask(Actor::Program)] {
        let listed = nudge.ask(&by, ListComponents::new()).unwrap().components;
        let names: Vec<&str> = listed.iter().map(|one| &*one.name).collect();
        assert_eq!(names, ["git", "web"]);
        let stats = nudge.ask(&by, GetStats {}).unwrap();
        assert_eq!((stats.components, stats.slots, stats.hints), (2, 2, 2));
        let export = serde_json::to_value(nudge.ask(&by, Export::new()).unwrap()).unwrap();
        let components = export["payload"]["components"].as_object().unwrap();
        assert!(components.keys().eq(["git", "web"]), "{export}");
        let found = nudge.ask(&by, Query::new().text("build")).unwrap();
        assert_eq!((found.total, found.scoped_out), (0, 1));
        let block = nudge
            .ask(&by, PromptBlock::new().context(repo("web")))
            .unwrap();
        assert_eq!((block.shown, block.left_out), (2, 0), "{}", block.text);
    }
    let elsewhere = PromptBlock::new().context(repo("payroll"));
    assert_eq!(nudge.ask(&agent, elsewhere).unwrap().shown, 1);
}

#[test]
fn a_program_is_where_it_says_and_else_where_its_process_is() {
    let nudge = store();
    let here = [repo("web")];
    let program = Caller::user().actor(Actor::Program).places(&here);
    let agent = Caller::agent("my-bot/1").via(Via::Http).places(&here);
    for by in [program, agent] {
        assert_eq!(read(&nudge, &by, PAYROLL, &repo("payroll")), "payroll");
        let components = |export: Export| {
            let export = serde_json::to_value(nudge.ask(&by, export).unwrap()).unwrap();
            let components = export["payload"]["components"].as_object().unwrap();
            components.keys().cloned().collect::<Vec<_>>()
        };
        let shop = components(Export::new().context(repo("shop")));
        assert_eq!(shop, ["git", "shop"]);
        assert_eq!(components(Export::new()), ["git", "web"]);
    }
}

#[test]
fn a_bump_by_its_scope_reaches_no_further() {
    let nudge = store();
    let here = repo("shop");
    let agent = Caller::agent("codex").here(&here);
    let bump = |name: &str| {
        let scope = nudge::Scope::new().repo(format!("git:github.com/acme/{name}"));
        nudge.ask(&agent, Bump::new(name, "build").scope(scope))
    };
    assert_eq!(bump("shop").unwrap().hint.use_count, 1);
    assert_eq!(bump("payroll").unwrap_err().kind(), ErrorKind::NotFound);
}

#[test]
fn others_are_told_of_changes_that_they_may_read() {
    let heard = Arc::new(Mutex::new(Vec::<Change>::new()));
    let sink = Arc::clone(&heard);
    let nudge = store().with_sink(move |changes: &[Change]| {
        sink.lock().unwrap().extend_from_slice(changes);
        Ok(())
    });
    let (shop, payroll) = (repo("shop"), repo("payroll"));
    let codex = Caller::agent("codex/1").here(&shop).session("s-1");
    let claude = Caller::agent("claude/1").here(&payroll).session("s-2");
    let test = SetHint::new("payroll", "test", "make");
    for hint in [
        SetHint::new("git", "sign", "git commit"),
        test.repo("git:github.com/acme/payroll"),
    ] {
        nudge.set_hint(hint).unwrap();
    }
    let work = SetContext::new("tables", ["salaries"]).context(&payroll);
    nudge.ask(&claude, work).unwrap();
    let offer = Propose::new(SetHint::new("a", "b", "c"), "it worked");
    nudge.ask(&claude, offer).unwrap();
    let told = |by: &Caller<'_>| -> Vec<bool> {
        let heard = heard.lock().unwrap();
        let told = heard.iter().map(|change| change.may_be_told_to(by));
        told.collect()
    };
    assert_eq!(told(&Caller::user()), [true; 4]);
    assert_eq!(told(&claude), [true; 4]);
    assert_eq!(told(&codex), [true, false, false, false]);
    let waiting = |by: &Caller<'_>| {
        let waiting = nudge.ask(by, ListProposals::default());
        waiting.unwrap().proposals.len()
    };
    let seen = [waiting(&claude), waiting(&codex), waiting(&Caller::user())];
    assert_eq!(seen, [1, 0, 1]);
    let others = |by: &Caller<'_>| {
        let got = nudge.ask(by, GetContext::default().context(&payroll));
        got.unwrap().others.len()
    };
    assert_eq!([others(&Caller::user()), others(&codex)], [1, 0]);
}
