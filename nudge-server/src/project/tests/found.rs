//! What a project declares.

use super::Project;

#[test]
fn one_command_of_each_kind_is_found() {
    for (files, expected) in [
        (
            &[(
                "package.json",
                r#"{"scripts": {"test": "jest", "lint": "eslint", "dev": "vite"}}"#,
            )][..],
            "test: npm test (package.json); lint: npm run lint (package.json); \
             run: npm run dev (package.json); install: npm install (package.json)",
        ),
        (
            &[
                (
                    "package.json",
                    r#"{"scripts": {"build": "tsc", "format": "x", "format:check": "y"}}"#,
                ),
                ("pnpm-lock.yaml", ""),
            ],
            "build: pnpm build (package.json); format: pnpm format:check (package.json); \
             install: pnpm install (package.json)",
        ),
        (
            &[(
                "package.json",
                r#"{"packageManager": "yarn@4", "scripts": {"test": "x"}}"#,
            )],
            "test: yarn test (package.json); install: yarn install (package.json)",
        ),
        (
            &[("package.json", "{}"), ("bun.lock", "")],
            "test: bun test (package.json); install: bun install (package.json)",
        ),
        (
            &[
                (
                    "Makefile",
                    "test:\n\tgo test\nlint-all:\n\tx\ninstall:\n\tcp a /usr\n",
                ),
                ("go.mod", "module x"),
            ],
            "build: go build ./... (go.mod); test: make test (Makefile); lint: go vet ./... (go.mod); \
             format: gofmt -l . (go.mod); install: go mod download (go.mod)",
        ),
        (
            &[
                ("Cargo.toml", ""),
                ("src/main.rs", ""),
                ("justfile", "test:\n  cargo test\nfmt-check:\n  y\n"),
            ],
            "build: cargo build (Cargo.toml); test: just test (justfile); lint: cargo clippy (Cargo.toml); \
             format: just fmt-check (justfile); typecheck: cargo check (Cargo.toml); \
             run: cargo run (Cargo.toml); install: cargo fetch (Cargo.toml)",
        ),
        (
            &[("Taskfile.yml", "tasks:\n  build:\n    cmds: []\n")],
            "build: task build (Taskfile.yml)",
        ),
        (
            &[("mise.toml", "[tasks]\nlint = 'x'")],
            "lint: mise run lint (mise.toml)",
        ),
        (
            &[
                ("Taskfile.yml", "tasks:\n  docs:build:\n    cmds: []\n"),
                ("Cargo.toml", ""),
            ],
            "build: cargo build (Cargo.toml); test: cargo test (Cargo.toml); lint: cargo clippy (Cargo.toml); \
             format: cargo fmt --all -- --check (Cargo.toml); typecheck: cargo check (Cargo.toml); \
             install: cargo fetch (Cargo.toml)",
        ),
        (&[("README.md", "make test")], ""),
    ] {
        assert_eq!(Project::of(files).found("").join("; "), expected);
    }
}

#[test]
fn the_tools_of_python_are_found_with_what_runs_them() {
    for (files, expected) in [
        (
            &[
                (
                    "pyproject.toml",
                    "[dependency-groups]\ndev = ['pytest', 'ruff', 'mypy']",
                ),
                ("uv.lock", ""),
            ][..],
            "test: uv run pytest (pyproject.toml); lint: uv run ruff check . (pyproject.toml); \
             format: uv run ruff format --check . (pyproject.toml); \
             typecheck: uv run mypy . (pyproject.toml); install: uv sync (pyproject.toml)",
        ),
        (
            &[("setup.cfg", "[tool:pytest]\n[flake8]\n"), ("setup.py", "")],
            "test: pytest (setup.cfg); lint: flake8 (setup.cfg); install: pip install -e . (setup.py)",
        ),
        (
            &[
                ("pyproject.toml", "[tool.poe.tasks]\ntest = 'x'"),
                ("poetry.lock", ""),
            ],
            "test: poetry run poe test (pyproject.toml); install: poetry install (pyproject.toml)",
        ),
        (
            &[("tox.ini", "[tox]\nenvlist = py38,ci-py39,lint")],
            "test: tox (tox.ini); lint: tox -e lint (tox.ini)",
        ),
        (
            &[(
                "noxfile.py",
                "@nox.session\ndef dev(s):\n  1\n@nox.session\ndef tests(s):\n  1\n",
            )],
            "test: nox -s tests (noxfile.py)",
        ),
        (
            &[("setup.py", ""), ("pytest.ini", "")],
            "test: pytest (pytest.ini); install: pip install -e . (setup.py)",
        ),
    ] {
        assert_eq!(Project::of(files).found("").join("; "), expected);
    }
}

#[test]
fn what_does_nothing_or_does_not_end_is_not_offered() {
    let scripts = r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1",
        "test:watch": "x", "lint:fix": "x", "build:docs": "x"}}"#;
    let found = Project::of(&[("package.json", scripts)]).found("");
    assert_eq!(found, ["install: npm install (package.json)"]);
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
fn a_folder_below_takes_the_manager_from_above_and_only_its_own_scripts() {
    let project = Project::of(&[
        ("package.json", r#"{"scripts": {"lint": "x"}}"#),
        ("pnpm-lock.yaml", ""),
        ("packages/web/package.json", r#"{"scripts": {"test": "x"}}"#),
        ("packages/api/yarn.lock", ""),
        ("packages/api/package.json", r#"{"scripts": {"test": "x"}}"#),
        ("pack/Makefile", "test:\n"),
    ]);
    let web = [
        "test: pnpm test (package.json)",
        "install: pnpm install (package.json)",
    ];
    assert_eq!(project.found("packages/web"), web);
    assert_eq!(
        project.found("packages/api")[0],
        "test: yarn test (package.json)"
    );
    assert_eq!(project.found("pack"), ["test: make test (Makefile)"]);
}

#[test]
fn a_workflow_decides_between_several() {
    let workflow = "on: push\njobs:\n  a:\n    steps:\n      - uses: x\n      - name: t\n        run: |\n          \
        npm ci\n          npm run test:ci\n          npm test -- --coverage\n      - run: cargo clippy --all-targets -- -D warnings\n      \
        - run: 'cargo test -p one'\n      - run: cargo build $FLAGS\n      - working-directory: web\n        run: npm run lint\n";
    let project = Project::of(&[
        (".github/workflows/ci.yml", workflow),
        (
            ".github/workflows/release.yml",
            "      - run: cargo check --release\n",
        ),
        (
            "package.json",
            r#"{"scripts": {"lint": "x", "test:ci": "x"}}"#,
        ),
        ("Cargo.toml", ""),
        (
            "web/package.json",
            r#"{"scripts": {"lint": "x", "check": "y"}}"#,
        ),
    ]);
    let expected = "test: npm run test:ci (package.json); \
        lint: cargo clippy --all-targets -- -D warnings (Cargo.toml); \
        format: cargo fmt --all -- --check (Cargo.toml); typecheck: cargo check (Cargo.toml); \
        install: npm install (package.json)";
    assert_eq!(project.found("").join("; "), expected);
    assert!(
        project
            .found("web")
            .contains(&"lint: npm run lint (package.json)".to_owned())
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
