//! Whether what a command names is still there.

use super::Project;
use crate::project::Resolution;

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
    for (command, expected) in [
        ("npm run lint", "holds"),
        (
            "npm run test:unit",
            "test:unit of package.json, near test:ci",
        ),
        (
            "npm run test:unit -- --watch",
            "test:unit of package.json, near test:ci",
        ),
        ("npm test", "test of package.json, near test:ci"),
        ("CI=1 npm run test:ci 2>&1", "holds"),
        ("npm run docs -w web", "unknown"),
        ("pnpm --filter web docs:build", "unknown"),
        ("npm --prefix web run build", "holds"),
        ("npm --prefix web run lint", "lint of web/package.json"),
        ("pnpm -C ../other run lint", "unknown"),
        ("cd web && npm run build", "holds"),
        ("cd \"$X\" && npm run lint", "unknown"),
        ("yarn jest", "unknown"),
        ("pnpm turbo build", "unknown"),
        ("pnpm build", "build of package.json"),
        ("npm install", "unknown"),
        ("npm run lint && rm -rf x", "unknown"),
        ("make build", "holds"),
        ("make -j 4 build -s", "holds"),
        ("make test", "test of Makefile"),
        ("make build check", "check of Makefile"),
        ("make check V=1", "unknown"),
        ("make docs", "unknown"),
        ("make x.o", "unknown"),
        ("make -C lib test", "unknown"),
        ("make -Clib all", "holds"),
        ("make -f other.mk test", "unknown"),
        ("make", "unknown"),
        ("just fmt --check all", "holds"),
        ("just --set a b fmt", "unknown"),
        ("just test", "test of justfile"),
        ("just tools::x", "unknown"),
        ("task gen --output group", "holds"),
        ("task build", "build of Taskfile.yml"),
        ("tox -e lint", "holds"),
        ("tox -elint,docs", "docs of tox.ini"),
        ("python -m tox run -e docs", "docs of tox.ini"),
        ("tox -e py311-django42", "unknown"),
        ("tox", "unknown"),
        ("nox -s tests-3.11", "holds"),
        ("uv run nox -s tests \"docs(x='y')\"", "docs of noxfile.py"),
        ("nox", "unknown"),
        ("mise run build", "holds"),
        ("mise run gone", "unknown"),
        ("uv run poe check", "holds"),
        ("poe lint", "lint of pyproject.toml"),
        ("uv run pytest", "unknown"),
        ("cargo test", "unknown"),
        ("go vet ./...", "unknown"),
        ("./scripts/test.sh", "holds"),
        (
            "scripts/tests.sh --all",
            "scripts/tests.sh of scripts/tests.sh, near test.sh",
        ),
        ("bash scripts/gone.sh", "unknown"),
        ("./build/run", "unknown"),
        ("../x/y.sh", "unknown"),
        ("", "unknown"),
        ("echo 'open quote", "unknown"),
    ] {
        assert_eq!(resolved(&project, "", command), expected, "{command}");
    }
    // In a folder below, npm takes the nearest package, and make only its own file.
    assert_eq!(resolved(&project, "web", "npm run build"), "holds");
    assert_eq!(resolved(&project, "web", "make build"), "unknown");
    assert_eq!(
        resolved(&project, "web/src", "npm run lint"),
        "lint of web/package.json"
    );
    assert_eq!(resolved(&project, "web", "just fmt"), "holds");
}

#[test]
fn a_manifest_that_is_not_understood_or_not_there_says_nothing() {
    for files in [
        &[][..],
        &[("package.json", "{\"scripts\": ")],
        &[("package.json", "{}")],
        &[("package.json", "{\"scripts\": {}}")],
    ] {
        let project = Project::of(files);
        assert_eq!(
            resolved(&project, "", "npm run lint"),
            "unknown",
            "{files:?}"
        );
    }
}
