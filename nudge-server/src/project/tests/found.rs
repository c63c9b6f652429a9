//! What a project declares.

use super::Project;
use crate::project::found::as_run;
use crate::table::check;

#[test]
fn one_command_of_each_kind_is_found() {
    let table = include_str!("../../../../tests/projects/found.tsv");
    check(table, |[files, folder, _]| {
        Project::read(files).found(folder).join("; ")
    });
}

#[test]
fn a_line_of_a_workflow_counts_only_with_plain_flags() {
    let table = include_str!("../../../../tests/projects/workflow_lines.tsv");
    check(table, |[command, line, _]| {
        let is_same = as_run(command, std::slice::from_ref(line)).is_some();
        if is_same { "same" } else { "other" }.to_owned()
    });
}

#[test]
fn scripts_that_can_be_executed_are_found() {
    let project = Project::of(&[
        ("scripts/test", ""),
        ("scripts/lint.sh", ""),
        ("bin/build", ""),
    ]);
    project.make_executable("scripts/test");
    project.make_executable("bin/build");
    assert_eq!(
        project.found(""),
        [
            "build: bin/build (bin/build)",
            "test: scripts/test (scripts/test)"
        ]
    );
}

#[test]
fn the_folder_is_that_of_the_nearest_manifest() {
    use nudge::Projects;

    let project = Project::of(&[("packages/web/package.json", "{}"), ("docs/a/b.md", "")]);
    let root = project.root();
    for (cwd, expected) in [
        ("packages/web/src/deep", "packages/web"),
        ("packages/web", "packages/web"),
        ("packages", ""),
        ("docs/a", ""),
        ("", ""),
    ] {
        let cwd = project.path(cwd);
        assert_eq!(project.files.folder(root, cwd.to_str().unwrap()), expected);
    }
    for cwd in ["/elsewhere".to_owned(), format!("{root}packages/web")] {
        assert_eq!(project.files.folder(root, &cwd), "");
    }
}
