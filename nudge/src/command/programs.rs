//! The programs whose commands are understood, as a table.

use super::step::Step::{self, Build, Deploy, Format, Install, Lint, Migrate, Run, Test};

/// A program, and what it does.
pub(crate) struct Program {
    pub(crate) names: &'static str,
    /// What it does when it is given no subcommand.
    pub(crate) alone: Option<Step>,
    /// What it does when it is given one of these.
    pub(crate) given: &'static [(&'static str, Step)],
    /// Whether the words of [`NAMES`] are subcommands too, as targets and scripts are.
    pub(crate) by_name: bool,
}

const fn program(
    names: &'static str,
    alone: Option<Step>,
    given: &'static [(&'static str, Step)],
    by_name: bool,
) -> Program {
    Program {
        names,
        alone,
        given,
        by_name,
    }
}

/// The programs whose commands are understood. What is not here takes no step.
pub(crate) const PROGRAMS: &[Program] = &[
    program(
        "make gmake ninja",
        Some(Build),
        &[("all", Build), ("check", Test)],
        true,
    ),
    program(
        "just task rake tox nox invoke",
        None,
        &[("all", Build), ("check", Test)],
        true,
    ),
    program(
        "npm pnpm yarn bun",
        None,
        &[("ci i", Install), ("t", Test)],
        true,
    ),
    program(
        "cargo",
        None,
        &[
            ("build b", Build),
            ("test t nextest", Test),
            ("clippy", Lint),
            ("fmt", Format),
            ("run r", Run),
        ],
        false,
    ),
    program(
        "go",
        None,
        &[
            ("build", Build),
            ("test", Test),
            ("vet", Lint),
            ("fmt", Format),
            ("run", Run),
        ],
        false,
    ),
    program(
        "gradle gradlew mvn mvnw sbt",
        None,
        &[
            ("build assemble compile package", Build),
            ("test verify check", Test),
            ("bootRun run", Run),
        ],
        false,
    ),
    program(
        "dotnet swift mix zig",
        None,
        &[
            ("build compile", Build),
            ("test", Test),
            ("run", Run),
            ("format", Format),
        ],
        false,
    ),
    program(
        "bazel buck2 meson",
        None,
        &[("build compile", Build), ("test", Test), ("run", Run)],
        false,
    ),
    program("cmake", None, &[("--build", Build)], false),
    program(
        "docker podman",
        None,
        &[
            ("build compose-build buildx-build", Build),
            ("compose-up", Run),
        ],
        false,
    ),
    program(
        "docker-compose",
        None,
        &[("build", Build), ("up", Run)],
        false,
    ),
    program(
        "pytest py.test jest vitest mocha rspec phpunit ctest nosetests unittest",
        Some(Test),
        &[],
        false,
    ),
    program(
        "eslint flake8 pylint mypy pyright golangci-lint shellcheck stylelint biome",
        Some(Lint),
        &[],
        false,
    ),
    program("ruff", None, &[("check", Lint), ("format", Format)], false),
    program(
        "prettier black gofmt rustfmt clang-format isort",
        Some(Format),
        &[],
        false,
    ),
    program("tsc webpack esbuild rollup", Some(Build), &[], false),
    program(
        "vite next nuxt astro",
        Some(Run),
        &[
            ("build", Build),
            ("dev start preview serve", Run),
            ("lint", Lint),
        ],
        false,
    ),
    program("uvicorn gunicorn nodemon", Some(Run), &[], false),
    program("flask", None, &[("run", Run)], false),
    program(
        "manage.py",
        None,
        &[("test", Test), ("migrate", Migrate), ("runserver", Run)],
        false,
    ),
    program(
        "rails",
        None,
        &[("test", Test), ("server s", Run), ("db:migrate", Migrate)],
        false,
    ),
    program("alembic", None, &[("upgrade", Migrate)], false),
    program(
        "uv poetry pdm bundle composer",
        None,
        &[("install sync", Install)],
        false,
    ),
    program("kubectl terraform", None, &[("apply", Deploy)], false),
    program("helm", None, &[("upgrade", Deploy)], false),
];
