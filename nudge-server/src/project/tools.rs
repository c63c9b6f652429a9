//! What the tools of a language do where nothing is declared by name.

use super::files::Look;
use super::folder::{join, up};
use super::runner::reader;
use super::{npm, pyproject};

/// A kind of command, a command, and the file that speaks for it.
pub(super) type Form = (&'static str, String, String);

/// A file that speaks for a command, one more that must be there, the kind, and the command.
const FORMS: [(&str, &str, &str, &str); 19] = [
    ("Cargo.toml", "", "build", "cargo build"),
    ("Cargo.toml", "", "test", "cargo test"),
    ("Cargo.toml", "", "lint", "cargo clippy"),
    ("Cargo.toml", "", "format", "cargo fmt --all -- --check"),
    ("Cargo.toml", "", "typecheck", "cargo check"),
    ("Cargo.toml", "src/main.rs", "run", "cargo run"),
    ("go.mod", "", "build", "go build ./..."),
    ("go.mod", "", "test", "go test ./..."),
    ("go.mod", ".golangci.yml", "lint", "golangci-lint run"),
    ("go.mod", ".golangci.yaml", "lint", "golangci-lint run"),
    ("go.mod", ".golangci.toml", "lint", "golangci-lint run"),
    ("go.mod", "", "lint", "go vet ./..."),
    ("go.mod", "", "format", "gofmt -l ."),
    ("go.mod", "", "install", "go mod download"),
    ("go.mod", "main.go", "run", "go run ."),
    ("tox.ini", "", "test", "tox"),
    ("pyproject.toml", "uv.lock", "install", "uv sync"),
    ("pyproject.toml", "poetry.lock", "install", "poetry install"),
    ("pyproject.toml", "pdm.lock", "install", "pdm install"),
];

/// The tools of Python, what each does, and a file that only its users have.
const PYTHON: [(&str, &str, &str, &str); 9] = [
    ("pytest", "test", "pytest", "pytest.ini"),
    ("pre-commit", "lint", "pre-commit run --all-files", HOOKS),
    ("ruff", "lint", "ruff check .", "ruff.toml"),
    ("flake8", "lint", "flake8", ".flake8"),
    ("black", "format", "black --check .", ""),
    ("ruff", "format", "ruff format --check .", "ruff.toml"),
    ("isort", "format", "isort --check .", ".isort.cfg"),
    ("mypy", "typecheck", "mypy .", "mypy.ini"),
    ("pyright", "typecheck", "pyright", "pyrightconfig.json"),
];
const HOOKS: &str = ".pre-commit-config.yaml";

/// What runs a tool of Python in the project's environment, by lock file.
const RUNNERS: [(&str, &str); 4] = [
    ("uv.lock", "uv run "),
    ("poetry.lock", "poetry run "),
    ("pdm.lock", "pdm run "),
    ("Pipfile.lock", "pipenv run "),
];

/// What the tools of a folder's languages do, the best first.
pub(super) fn forms(look: &Look<'_>, folder: &str) -> Vec<Form> {
    let mut forms = Vec::new();
    let is_file = |name: &str| look.is_file(&join(folder, name));
    for (file, other, kind, form) in FORMS {
        if is_file(file) && (other.is_empty() || is_file(other)) {
            forms.push((kind, form.to_owned(), file.to_owned()));
        }
    }
    forms.extend(python(look, folder));
    if is_file(npm::FILE) {
        let (manager, _) = npm::manager(look, folder);
        let from = npm::FILE.to_owned();
        forms.push(("install", format!("{manager} install"), from.clone()));
        forms.extend((manager == "bun").then(|| ("test", "bun test".to_owned(), from)));
    }
    forms
}

fn python(look: &Look<'_>, folder: &str) -> Vec<Form> {
    let mut declared: Vec<(String, &str)> = Vec::new();
    for file in [pyproject::FILE, "setup.cfg", "tox.ini"] {
        let read = |read| look.manifest(&join(folder, file), read);
        let tools = reader(file).and_then(read).map(|read| read.tools.clone());
        declared.extend(tools.into_iter().flatten().map(|tool| (tool, file)));
    }
    let runner = python_runner(look, folder);
    let mut forms = Vec::new();
    for (tool, kind, form, own) in PYTHON {
        let known = declared.iter().find(|(name, _)| name == tool);
        let is_used = || look.is_file(&join(folder, own));
        let from = known
            .map(|(_, file)| *file)
            .or_else(|| is_used().then_some(own));
        forms.extend(from.map(|from| (kind, format!("{runner}{form}"), from.to_owned())));
    }
    forms
}

/// What a tool of Python is called with in a folder: `uv run ` and the like, or nothing.
pub(super) fn python_runner(look: &Look<'_>, folder: &str) -> &'static str {
    let is_here = |at: &str, lock: &str| look.is_file(&join(at, lock));
    let find = |at: &str| RUNNERS.iter().find(|(lock, _)| is_here(at, lock));
    up(folder).find_map(find).map_or("", |(_, runner)| runner)
}
