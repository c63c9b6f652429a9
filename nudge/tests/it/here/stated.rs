//! What a caller states stays, and what is filled in beside it is of the same folder.

use nudge::{Context, Os, Repo};

use super::MAIN;
use super::stage::Stage;

#[test]
fn a_stated_folder_takes_nothing_from_another() {
    let stage = Stage::new();
    for place in ["", "absent"] {
        stage.finds_nothing(place);
        let (stated, at) = (stage.context(place), stage.path(place));
        assert_eq!(stated, Context::at(at.to_str().unwrap()));
    }
    let relative = Context::new().cwd("src").filled_in(["PATH"; 0]);
    assert!(relative.facts().repos.is_empty() && relative.facts().root.is_none());
}

#[test]
fn without_a_stated_folder_the_facts_are_those_of_the_process() {
    let here = Context::here();
    assert_eq!(here, Context::at(here.facts().cwd.as_deref().unwrap()));
    // Nothing follows from a root alone.
    let rooted = Context::new().root("/elsewhere").filled_in(["PATH"; 0]);
    assert_eq!(rooted.facts().root.as_deref(), Some("/elsewhere"));
    assert_eq!(rooted.facts().cwd, here.facts().cwd);
    assert_eq!(rooted.facts().repos, here.facts().repos);
}

#[test]
fn stated_facts_stay() {
    let stage = Stage::new();
    stage.repository("repo/.git", MAIN, "");
    let stated = Context::new()
        .cwd(stage.path("repo").to_str().unwrap())
        .os(Os::Windows);
    let with_repo = stated
        .clone()
        .repo("git:globex/other")
        .filled_in(["PATH"; 0]);
    assert_eq!(
        with_repo.facts().repos,
        [Repo::parse("git:globex/other").unwrap()]
    );
    assert_eq!(with_repo.facts().os, Some(Os::Windows));
    let with_branch = stated.clone().branch("dev").filled_in(["PATH"; 0]);
    assert_eq!(with_branch.facts().branch.as_deref(), Some("dev"));
    assert_eq!(with_branch.facts().repos[0].as_str(), stage.local("repo"));
    let with_root = stated.root("/elsewhere/").filled_in(["PATH"; 0]);
    assert_eq!(with_root.facts().root.as_deref(), Some("/elsewhere"));
    assert_eq!(with_root.facts().repos[0].as_str(), stage.local("repo"));
}

#[test]
fn a_branch_is_that_of_the_stated_repository_or_none() {
    let stage = Stage::new();
    stage.cloned("repo", "git@github.com:globex/mailer.git");
    let branch = |repo: &str| {
        let stated = Context::new().cwd(stage.path("repo").to_str().unwrap());
        let context = stated.repo(repo).filled_in(["PATH"; 0]);
        assert!(context.facts().root.is_some());
        context.facts().branch.clone()
    };
    for same in ["git:globex/mailer", "https://github.com/globex/mailer"] {
        assert_eq!(branch(same).as_deref(), Some("main"), "{same}");
    }
    for other in ["git:globex/other", "git:gitlab.com/globex/mailer"] {
        assert_eq!(branch(other), None, "{other}");
    }
}

#[test]
fn only_wanted_variables_that_are_set_are_read() {
    let context = Context::new().filled_in(["PATH", "NUDGE_TEST_NOBODY_SETS_THIS"]);
    assert!(context.facts().env.keys().eq(["PATH"]));
    let stated = Context::new().env("PATH", None).filled_in(["PATH"]);
    assert_eq!(stated.facts().env["PATH"], None);
    assert!(Context::here().facts().env.is_empty());
}
