//! Whether what a command names is still there.

use super::Project;
use crate::project::Resolution;
use crate::table::check;

/// What became of a command: `holds`, `unknown`, or what is gone, from where, and what is near.
fn resolved(project: &Project, folder: &str, command: &str) -> String {
    match project.files.resolve(project.root(), folder, command) {
        Resolution::Holds => "holds".to_owned(),
        Resolution::Unknown => "unknown".to_owned(),
        Resolution::Gone { name, from, near } => {
            let near = near.map(|near| format!(", near {near}"));
            format!("{name} of {from}{}", near.unwrap_or_default())
        }
    }
}

#[test]
fn a_name_is_there_or_gone_or_nobody_can_tell() {
    let project = Project::of(&[
        (
            "package.json",
            r#"{"scripts": {"test:ci": "x", "lint": "y"}}"#,
        ),
        ("web/package.json", r#"{"scripts": {"build": "x"}}"#),
        ("Makefile", "build:\n\tx\n"),
        ("lib/Makefile", "include x.mk\nall:\n"),
        ("docs", ""),
        ("justfile", "fmt *args:\n  x\n"),
        ("Taskfile.yml", "tasks:\n  gen:\n    cmds: []\n"),
        ("tox.ini", "[tox]\nenvlist = py{38,39},lint\n"),
        ("noxfile.py", "@nox.session\ndef tests(s):\n  1\n"),
        ("mise.toml", "[tasks]\nbuild = 'x'\n"),
        ("pyproject.toml", "[tool.poe.tasks]\ncheck = 'x'\n"),
        ("scripts/test.sh", ""),
    ]);
    let table = include_str!("../../../../tests/projects/resolved.tsv");
    check(table, |[folder, command, _]| {
        resolved(&project, folder, command)
    });
}
