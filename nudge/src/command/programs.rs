//! The programs whose commands are understood, as tables of words.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::step::Step::{
    self, Build, Deploy, Format, Install, Lint, Migrate, Run, Test, Typecheck,
};

/// What programs do: `program` whatever it is given, `program:` without a subcommand, and
/// `program:subcommand`. Several of either stand between commas. What is not here takes no
/// step, unless it is the name of something that the project declares.
const ACTIONS: [(Step, &str); 9] = [
    (
        Build,
        "webpack esbuild rollup tsup tsdown unbuild pyproject-build make,gmake,ninja: make,gmake,ninja,just,task,rake:all \
        cargo,cross:build,b,zigbuild go,bun,deno,docker,podman,docker-compose,buf,uv,poetry,hatch,flit,pdm,goreleaser,parcel:build \
        vite,next,nuxt,astro,ng,react-scripts,bazel,buck2:build gradle,gradlew,mvn,mvnw,sbt:assemble,package,compile mvn,mvnw:install \
        dotnet,swift,mix,meson,flutter,cabal,stack,dune,mach,xcodebuild:build,compile zig,xcodebuild: maturin:build,develop cmake:--build \
        setup.py:build,build_ext,sdist,bdist_wheel",
    ),
    (
        Test,
        "pytest py.test unittest nosetests nose2 stestr jest vitest mocha ava tap nyc c8 karma testem rspec phpunit pest \
        ctest gotestsum ginkgo bats tox: nox: make,gmake,just,task,xtask:check,ci cargo,cross:test,t,nextest,llvm-cov,tarpaulin \
        npm,pnpm,yarn,bun:t,tst go,bun,deno,dotnet,swift,mix,zig,bazel,buck2,meson,hatch,playwright,ng,react-scripts:test \
        flutter,dart,xcodebuild,mach,cabal,stack,dune,lein:test dune:runtest gradle,gradlew:check,allTests simple-phpunit paratest \
        prove busted rails,manage.py,artisan,setup.py:test gradle,gradlew,mvn,mvnw,sbt:verify node:--test cypress:run coverage:run",
    ),
    (
        Lint,
        "eslint oxlint tslint xo standard stylelint knip publint markdownlint markdownlint-cli2 flake8 pylint bandit vulture \
        interrogate ruff golint revive staticcheck misspell ineffassign shellcheck hadolint yamllint actionlint zizmor typos \
        codespell rubocop swiftlint ktlint detekt golangci-lint:run biome:check,lint,ci pre-commit,prek:run cargo:clippy \
        go:vet dart,flutter:analyze phpstan psalm credo mix:credo mach,deno,buf,next,ng,helm:lint poetry:check",
    ),
    (
        Format,
        "prettier oxfmt dprint black isort yapf autopep8 pyupgrade gofmt gofumpt goimports rustfmt clang-format shfmt stylua \
        taplo php-cs-fixer ruff,biome,buf,dotnet,swift,mix,dart:format golangci-lint,cargo,go,deno,hatch,zig,terraform:fmt",
    ),
    (
        Typecheck,
        "mypy dmypy pyright basedpyright pyre pyrefly ty tsc tsgo vue-tsc svelte-check attw cargo,cross:check,c \
        deno,astro:check",
    ),
    (
        Run,
        "uvicorn gunicorn nodemon vite,next,nuxt,astro: vite,next,nuxt,astro:dev,start,preview,serve cargo,cross:run,r \
        go,deno,dotnet,swift,mix,zig,bazel,buck2,meson,flask:run gradle,gradlew,mvn,mvnw,sbt:bootRun,run docker,podman,docker-compose:up \
        manage.py:runserver artisan,ng:serve rails:server,s react-scripts:start",
    ),
    (
        Install,
        "npm,pnpm,yarn,bun:install,i,ci uv,poetry,pdm,pipenv,bundle,composer:install,sync pip,pip3,setup.py,deno:install \
        bundle: dotnet:restore cargo:fetch go:download dart,flutter:get swift:resolve mix:deps.get sbt:update",
    ),
    (Deploy, "kubectl,terraform:apply helm:upgrade"),
    (
        Migrate,
        "manage.py,artisan:migrate rails:db:migrate alembic:upgrade",
    ),
];

/// Programs that run what a project declares by name.
const RUNNERS: &str = "make gmake ninja just task rake tox nox invoke inv poe turbo nx lerna moon grunt gulp gradle gradlew \
    mvn mvnw sbt ant composer mage xtask npm pnpm yarn bun";

/// Those that take several names.
pub(super) const MANY_NAMES: &str =
    "make gmake ninja just task rake tox nox turbo gradle gradlew mvn mvnw sbt";

/// Words in front of a program that change where or how it runs, and not what it does.
pub(super) const WRAPPERS: &str =
    "sudo env exec npx bunx pnpx uvx xvfb-run cross-env dotenv time command nice nohup timeout";

/// The same, of two words. Most of them also run what a project declares by name.
pub(super) const TWO_WORDS: &str = "uv-run poetry-run pipenv-run pdm-run hatch-run rye-run pipx-run mise-run mise-r mise-exec mise-x \
    devbox-run deno-task bundle-exec go-run go-tool";

/// Programs that run a script or a module.
pub(super) const INTERPRETERS: &str = "python pypy node tsx ts-node ruby perl php bash sh zsh";

/// The managers of packages, whose `run` may be left out.
pub(crate) const MANAGERS: &str = "npm pnpm yarn bun";

/// Flags whose value is the next word. This and the tables below have rows of programs, or `*`
/// for all, and their flags or words.
pub(super) const VALUED: &str = "
* : -C -f -F --directory --prefix --cwd --manifest-path --filter --package --project --file --profile --features --target \
    --config --config-file --output --reporter --scope --exclude --ignore --concurrency --group --extra --with --from \
    --python --env --env-file --only-group --target-dir --loglevel --color
npm : -w --workspace
cargo cross : -p -D -W -A -Z --message-format --bin --test --example --bench
go : -o -p -tags -run -timeout -coverprofile -covermode -coverpkg -count -ldflags
docker podman : -t --tag --build-arg --platform
docker docker-compose : -e -u --user --workdir --entrypoint
xcodebuild : -scheme -workspace -destination -configuration -sdk -derivedDataPath
gradle gradlew : -x
mvn mvnw : -pl
just task : -d -t --dir --working-directory
tox nox : -e -s --session --sessions
nx : -p -t --targets
pip pip3 uv : -r -c -e --requirement --constraint --editable
poetry pdm : -E -G
tsc vue-tsc : -p
pytest py.test : -n -c -p -o -W --tb --cov-report --deselect
";

/// Words between a program and its subcommand or name that only say how.
pub(super) const OPENERS: &str = "
cargo cross : hack miri careful xwin insta
docker podman : compose buildx
go : mod
dart flutter : pub
swift : package
zig : build
composer : run run-script
tox : run r run-parallel p
uv : pip
turbo nx lerna moon : run run-many affected
npm pnpm yarn bun : workspaces foreach recursive
";

/// Flags that name what a runner runs.
pub(super) const NAMING: &str = "
tox nox : -e -s --session --sessions
nx : -t --target --targets
";

/// Whether a word is in a list of words.
pub(crate) fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

/// Whether a word, without a value, stands in a table for a program.
pub(super) fn lists(table: &str, program: &str, word: &str) -> bool {
    let word = word.split('=').next().unwrap_or(word);
    // Most words stand nowhere in it.
    if !table.contains(word) {
        return false;
    }
    let mut rows = table.lines().filter_map(|row| row.split_once(':'));
    rows.any(|(programs, words)| (programs == "* " || has(programs, program)) && has(words, word))
}

/// Programs that only look or move files: how they end is worth nothing. Of git these do.
const LOOKING: &str = "ls cat head tail grep egrep rg ag find fd cd pwd echo printf which type less more wc stat file tree sed awk jq \
    diff cmp env printenv ps df du date sleep true false history test [ [[ mkdir touch cp ln xargs sort uniq cut tr tee \
    basename dirname realpath readlink curl wget open id whoami uname hostname lsof";
const GIT_LOOKING: &str = "add status diff log show branch blame grep ls-files rev-parse remote";

/// Whether a command only looks.
pub(crate) fn only_looks(words: &[String]) -> bool {
    let word = |at: usize| words.get(at).map_or("", String::as_str);
    has(LOOKING, word(0)) || word(0) == "git" && has(GIT_LOOKING, word(1))
}

/// Whether a program is the project's own, or runs what is.
pub(crate) fn runs_projects(words: &[String]) -> bool {
    let program = words.first().map_or("", String::as_str);
    let is_path = program.contains('/') && !program.starts_with('/');
    is_path || is_runner(program) || has(INTERPRETERS, program) && words.len() > 1
}

pub(super) fn is_runner(program: &str) -> bool {
    has(RUNNERS, program)
}

/// What a program may do: steps, each with the subcommands for it where it has any.
type Entries = Vec<(Step, Option<&'static str>)>;

/// What is known of programs: every command is looked up here several times.
static KNOWN: LazyLock<HashMap<&str, Entries>> = LazyLock::new(|| {
    let mut known: HashMap<&str, Entries> = HashMap::new();
    for (step, entries) in ACTIONS {
        for entry in entries.split_ascii_whitespace() {
            let (programs, given) = entry
                .split_once(':')
                .map_or((entry, None), |(programs, given)| (programs, Some(given)));
            for program in programs.split(',') {
                known.entry(program).or_default().push((step, given));
            }
        }
    }
    known
});

fn entries(program: &str) -> impl Iterator<Item = (Step, Option<&'static str>)> {
    KNOWN.get(program).into_iter().flatten().copied()
}

/// What a program does with a subcommand, or with none if that is empty.
pub(super) fn action(program: &str, subcommand: &str) -> Option<Step> {
    let is_given = |given: &str| given.split(',').any(|known| known == subcommand);
    let by_subcommand = entries(program).find(|(_, given)| given.is_some_and(is_given));
    let found = by_subcommand.or_else(|| entries(program).find(|(_, given)| given.is_none()));
    found.map(|(step, _)| step)
}

pub(super) fn has_subcommands(program: &str) -> bool {
    entries(program).any(|(_, given)| given.is_some())
}

/// Whether anything is known about a program.
pub(super) fn is_known(program: &str) -> bool {
    is_runner(program) || entries(program).next().is_some()
}
