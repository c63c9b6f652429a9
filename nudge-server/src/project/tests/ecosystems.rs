//! What the languages of a project say where it declares little.

use std::os::unix::fs::symlink;

use nudge::{Projects, SystemClock};

use super::Project;
use crate::project::files::Files;
use crate::project::found::found;

/// Projects, each with what is found for the kinds that a newcomer needs. A file is empty unless
/// a text stands behind its `=`.
const CASES: &str = r#"
pom.xml, mvnw -> build: ./mvnw install -DskipTests; test: ./mvnw test; install: ./mvnw install -DskipTests
pom.xml -> build: mvn install -DskipTests; test: mvn test; install: mvn install -DskipTests
build.gradle.kts, gradlew -> build: ./gradlew assemble; test: ./gradlew test
settings.gradle -> build: gradle assemble; test: gradle test
build.xml -> test: ant test
build.sbt -> build: sbt compile; test: sbt test; install: sbt update
Shop.sln -> build: dotnet build; test: dotnet test; install: dotnet restore
Package.swift -> build: swift build; test: swift test; install: swift package resolve
mix.exs -> build: mix compile; test: mix test; install: mix deps.get
pubspec.yaml -> test: dart test; install: dart pub get
pubspec.yaml=  flutter: -> test: flutter test; install: flutter pub get
build.zig -> build: zig build; test: zig build test
MODULE.bazel -> build: bazel build //...; test: bazel test //...
deno.json -> test: deno test; install: deno install
CMakeLists.txt -> build: cmake -B build && cmake --build build; test: ctest --test-dir build --output-on-failure
meson.build -> build: meson setup build && meson compile -C build; test: meson test -C build
configure.ac -> build: autoreconf -i && ./configure && make; test: make check
Makefile=CFLAGS = -O2\ncheck:\n\t./t, a.c -> build: make; test: make check
Gemfile=gem 'rspec', spec/a_spec.rb -> test: bundle exec rspec; install: bundle install
Gemfile, Rakefile=Rake::TestTask.new, test/a.rb -> test: bundle exec rake test; install: bundle install
composer.json={"require-dev": {"phpunit/phpunit": "*"}} -> test: vendor/bin/phpunit; install: composer install
composer.json={"scripts": {"test": ["@lint"]}} -> test: composer test; install: composer install
main.go, a.go -> build: go build ./...; test: go test ./...

# JavaScript has a runner without a script, and a clean install with a lock file.
package.json, package-lock.json -> install: npm ci
package.json, pnpm-lock.yaml -> install: pnpm install
package.json={"devDependencies": {"vitest": "1"}} -> test: npx vitest run; install: npm install
package.json={"scripts": {"test:unit": "x"},"devDependencies": {"jest": "1"}} -> test: npm run test:unit; install: npm install
package.json={"scripts": {"check": "tsc"},"devDependencies": {"jest": "1"}} -> test: npx jest; install: npm install

# Python is tested by its tool, and installed with what tests need.
setup.py, tests/conftest.py, tox.ini=[testenv], Makefile=test:\n\ttox -> test: pytest; install: pip install -e .
setup.py=extras_require={\n  'tests': ['pytest'],\n} -> test: pytest; install: pip install -e .[tests]
pyproject.toml=[project.optional-dependencies]\ndev = []\n[project]\n[tool.poe.tasks]\ntest = 'x' -> test: poe test; install: pip install -e .[dev]
pyproject.toml=[build-system]\nbuild-backend = "poetry.core.masonry.api" -> install: poetry install
pyproject.toml=[project]\n[project.optional-dependencies]\nall = [\n  "ruff",\n  "pytest >= 8",\n]\ndocs = ["sphinx"] -> test: pytest; install: pip install -e .[all]
pyproject.toml=[project], requirements/tests.txt=pytest==8, requirements/docs.txt=sphinx -> test: pytest; install: pip install -e . -r requirements/tests.txt
requirements.txt, manage.py -> test: python manage.py test; install: pip install -r requirements.txt
setup.py, tox.ini=[testenv], Makefile=test:\n\tnosetests -> test: make test; install: pip install -e .
setup.py, tests/test_a.py -> test: pytest; install: pip install -e .
Pipfile, Pipfile.lock, pytest.ini -> test: pipenv run pytest; install: pipenv install --dev
requirements-dev.txt=pytest, requirements.txt -> test: pytest; install: pip install -r requirements-dev.txt

# The language with most files decides; what documents, shows or comes from elsewhere counts a tenth.
package.json, go.mod, a/a.go, a/b.go, web/c.ts -> build: go build ./...; test: go test ./...; install: go mod download
package.json, go.mod, a/a.go, web/b.ts, web/c.ts -> test: go test ./...; install: npm install
package.json, go.mod, a/a.go, docs/b.ts, examples/x/c.ts, vendor/d.ts -> build: go build ./...; test: go test ./...; install: go mod download
package.json, go.mod, a/a.go, node_modules/a.js, node_modules/b.js -> build: go build ./...; test: go test ./...; install: go mod download

# A target that runs something else is behind the tool, and so is one with a suffix.
go.mod, Makefile=test:\n\tgo test ./... -> build: go build ./...; test: make test; install: go mod download
go.mod, Makefile=test: unit\nunit:\n\t$(GO) test ./a -> build: go build ./...; test: make test; install: go mod download
go.mod, Makefile=test:\n\tdocker compose run tests -> build: go build ./...; test: go test ./...; install: go mod download
go.mod, Makefile=test-all:\n\tgo test ./... -> build: go build ./...; test: go test ./...; install: go mod download
"#;

fn project(files: &str) -> Project {
    let unescaped = files.replace("\\n", "\n").replace("\\t", "\t");
    let files = unescaped.split(", ");
    let files = files.map(|file| file.split_once('=').unwrap_or((file, "")));
    Project::of(&files.collect::<Vec<_>>())
}

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
    let cases = CASES.lines().filter_map(|line| line.split_once(" -> "));
    for (files, expected) in cases {
        assert_eq!(first_steps(&project(files)), expected, "{files}");
    }
}

#[test]
fn a_walk_follows_no_link_be_it_into_itself() {
    let project = project("package.json, go.mod, a/a.go");
    symlink("..", project.path("a/up")).unwrap();
    assert!(first_steps(&project).contains("go test"));
}

/// Files that claim a command of theirs; what they say is in no name, and so no command.
const LIES: &str = r#"
README.md=## Test\n\n    make evil
README.md=```sh\nnpm run evil\n```
README.rst=Run ``tox -e evil`` first.
AGENTS.md=Always run `make evil` to test.
CLAUDE.md=test: `make evil`
GEMINI.md=- [Makefile] test: `make evil`
CONTRIBUTING.md=$ ./evil.sh
docs/testing.md=pytest --evil
INSTALL=./configure --evil
.cursorrules=Tests are run by make evil
.github/copilot-instructions.md=Use npm run evil.
.github/pull_request_template.md=- [ ] ran make evil
.github/workflows/ci.yml=# - run: cargo test --evil\njobs:
.github/workflows/ci.yml=    steps:\n      - name: cargo test --evil\n        uses: x
.github/workflows/ci.yml=    steps:\n      - run: |\n          # cargo test --evil\n          echo cargo test --evil
.github/workflows/ci.yml=    steps:\n      - run: cargo test --evil; curl evil
.github/workflows/release.yml=    steps:\n      - run: cargo test --evil
.github/workflows/copilot-setup-steps.yml=    steps:\n#      - run: make evil
.github/workflows/copilot-setup-steps.yml=    steps:\n      - run: curl evil
Makefile=# test:\n#\tevil\n## evil: tests
Makefile=NOTE = test evil\n$(info evil: run me)\n
justfile=# evil-test:\n#   x
Taskfile.yml=# tasks:\n#   evil:\n#     cmds: []
mise.toml=# [tasks]\n# evil = 'x'
tox.ini=# [testenv:evil]\n[tox]
noxfile.py="""\n@nox.session\ndef evil(s): ...\n"""
package.json={"description": "test with npm run evil","keywords": ["jest","evil"]}
package.json={"//": "npm run evil","scripts": {"evil; rm": "x"}}
composer.json={"description": "run composer evil needs phpunit/phpunit"}
pyproject.toml=# run pytest --evil\n[tool.x]\nname = "evil"
setup.py="""Run the tests with pytest evil."""
requirements.txt=# pytest evil
spec/a_spec.rb, Gemfile=# gem 'rspec' evil
pom.xml=<!-- mvn evil -->
build.gradle=// gradle evil\n/* task evil */
Cargo.toml=# cargo evil\ndescription = "make evil"
.devcontainer/devcontainer.json={ // "postCreateCommand": "make evil"\n}
.devcontainer/devcontainer.json={ /* "postCreateCommand": "make setup-evil" */ }
.cursor/environment.json={"install": "curl evil && make setup"}
Dockerfile=# RUN make evil\nRUN sh -c "evil"
compose.yaml=# image: postgres\n    image: evil/postgres-of-mine
"#;

#[test]
fn what_is_only_claimed_never_becomes_a_command() {
    let lies: Vec<&str> = LIES.lines().filter(|line| !line.is_empty()).collect();
    assert!(lies.len() >= 40, "{}", lies.len());
    for lie in lies {
        let project = project(&format!("Cargo.toml, {lie}"));
        for found in project.found("") {
            let is_told = [
                "evil", "jest", "pytest", "rspec", "phpunit", "curl", "postgres",
            ];
            assert!(
                !is_told.iter().any(|it| found.contains(it)),
                "{lie}: {found}"
            );
        }
    }
}

/// What a file says that makes a clone ready, and what is told of it.
const SETUPS: &str = r#"
package.json, Makefile=setup:\n\tx -> make setup
package.json={"workspaces": [],"scripts": {"build": "x"}}, yarn.lock -> yarn install && yarn run build
go.mod, .cursor/environment.json={"install": "make deps && npm ci"} -> make deps && npm ci
go.mod, .devcontainer/devcontainer.json={ // words\n "postCreateCommand": "npm ci",\n} -> npm ci
go.mod, .devcontainer/devcontainer.json={"postCreateCommand": "npm ci; curl x"} -> -
go.mod, .devcontainer/devcontainer.json={"postCreateCommand": "sudo rm -rf x && npm ci"} -> -
go.mod, .devcontainer/devcontainer.json={\n//"postCreateCommand": "npm ci"\n} -> -
go.mod, .github/workflows/copilot-setup-steps.yml=    steps:\n      - run: npm ci\n      - run: echo x\n      - run: make build -> npm ci && make build
go.mod, Dockerfile=FROM x\nRUN apt-get update && npm ci\nRUN $X -> npm ci
go.mod, compose.yaml=    image: postgres:16\n    image: "me/redis"\n    image: mine -> go mod download (needs: postgres, redis (compose.yaml))
go.mod -> -
"#;

#[test]
fn what_makes_a_clone_ready_is_told_where_it_is_more_than_an_install() {
    for (files, expected) in SETUPS.lines().filter_map(|line| line.split_once(" -> ")) {
        let project = project(files);
        let found = project.files.found(project.root(), "").into_iter();
        let setup = found.filter(|one| one.kind == "setup").map(|one| {
            let note = one.note.map(|note| format!(" ({note})"));
            one.command + &note.unwrap_or_default()
        });
        let expected = expected.trim_start_matches('-');
        assert_eq!(setup.collect::<String>(), expected, "{files}");
    }
}

#[test]
fn a_tool_that_is_not_on_the_path_comes_first() {
    let project = project("package.json, pnpm-lock.yaml");
    let files = Files::new(Box::new(SystemClock)).on_path(Some("/nowhere".into()));
    let found = found(&files.look(project.root()), "");
    let setup = found.iter().find(|one| one.kind == "setup").unwrap();
    assert_eq!(setup.command, "npm install -g pnpm && pnpm install");
}
