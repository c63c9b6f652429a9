//! What the languages of a project say where it declares little.

use std::os::unix::fs::symlink;

use nudge::{Projects, SystemClock};

use super::Project;
use crate::project::files::Files;
use crate::project::found::found;
use crate::table::{check, rows};

/// What is found to build, test and install, without the files that say so.
fn first_steps(project: &Project) -> String {
    let found = project.found("").into_iter();
    let bare = found.filter_map(|line| Some(line.split_once(" (")?.0.to_owned()));
    let steps = ["build: ", "test: ", "install: "];
    let steps = bare.filter(|line| steps.iter().any(|step| line.starts_with(step)));
    steps.collect::<Vec<_>>().join("; ")
}

#[test]
fn every_ecosystem_has_its_own_commands() {
    let table = include_str!("../../../../tests/projects/first_steps.tsv");
    check(table, |[files, _]| first_steps(&Project::read(files)));
}

#[test]
fn a_walk_follows_no_link_be_it_into_itself() {
    let project = Project::read("package.json | go.mod | a/a.go");
    symlink("..", project.path("a/up")).unwrap();
    assert!(first_steps(&project).contains("go test"));
}

#[test]
fn what_is_only_claimed_never_becomes_a_command() {
    let claims = rows(include_str!("../../../../tests/projects/claims.tsv"));
    assert!(claims.len() >= 40, "{}", claims.len());
    for [claim] in claims {
        let project = Project::read(&format!("Cargo.toml | {claim}"));
        for found in project.found("") {
            let is_told = [
                "evil", "jest", "pytest", "rspec", "phpunit", "curl", "postgres",
            ];
            assert!(
                !is_told.iter().any(|it| found.contains(it)),
                "{claim}: {found}"
            );
        }
    }
}

#[test]
fn what_makes_a_clone_ready_is_told_where_it_is_more_than_an_install() {
    let table = include_str!("../../../../tests/projects/setups.tsv");
    check(table, |[files, _]| {
        let project = Project::read(files);
        let found = project.files.found(project.root(), "").into_iter();
        let setup = found.filter(|one| one.kind == "setup").map(|one| {
            let note = one.note.map(|note| format!(" ({note})"));
            one.command + &note.unwrap_or_default()
        });
        setup.collect()
    });
}

#[test]
fn a_tool_that_is_not_on_the_path_comes_first() {
    let project = Project::read("package.json | pnpm-lock.yaml");
    let files = Files::new(Box::new(SystemClock), Some("/nowhere".into()));
    let found = found(&files.look(project.root()), "");
    let setup = found.iter().find(|one| one.kind == "setup").unwrap();
    assert_eq!(setup.command, "npm install -g pnpm && pnpm install");
}
