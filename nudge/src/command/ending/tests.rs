//! How commands end, by status and output.

use super::What::{Flag, Program, Runner, Script, Subcommand};
use super::{Ending, Missing, What, endings, is_answer, signature};

/// Commands that could not run: what was missing, in how many words, and what was printed.
const HEARD: [(What, usize, &str, &str); 24] = [
    (
        Script,
        3,
        "npm run foo",
        "npm error Missing script: \"foo\"\nnpm error\nnpm error   npm run",
    ),
    (
        Script,
        2,
        "pnpm foo",
        " ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command \"foo\" not found\n",
    ),
    (Script, 2, "yarn foo", "error Command \"foo\" not found."),
    (Script, 3, "bun run foo", "error: Script not found \"foo\""),
    (
        Script,
        2,
        "make foo",
        "make: *** No rule to make target 'foo'.  Stop.",
    ),
    (
        Script,
        2,
        "just foo",
        "error: Justfile does not contain recipe `foo`\nDid you mean `bar`?",
    ),
    (
        Script,
        2,
        "task foo",
        "task: Available tasks:\n* build:\ntask: Task \"foo\" does not exist",
    ),
    (Script, 3, "tox -e foo", "ERROR: unknown environment 'foo'"),
    (Script, 3, "mise run foo", "mise ERROR no task foo found"),
    (
        Script,
        2,
        "gradle foo",
        "Task 'foo' not found in root project 'x'.",
    ),
    (
        Script,
        1,
        "./foo.sh",
        "bash: ./foo.sh: No such file or directory\n",
    ),
    (
        Script,
        2,
        "python foo.py",
        "python: can't open file 'foo.py': [Errno 2]",
    ),
    (Program, 1, "foo", "bash: line 1: foo: command not found"),
    (Program, 1, "foo -x", "/bin/sh: 1: foo: not found"),
    (Program, 1, "foo", "zsh: command not found: foo"),
    (Program, 3, "uv run foo", "error: Failed to spawn: `foo`"),
    (
        Subcommand,
        2,
        "rtk bun run test",
        "error: unrecognized subcommand 'bun'",
    ),
    (Subcommand, 2, "cargo foo", "error: no such command: `foo`"),
    (
        Flag,
        3,
        "cargo test --foo",
        "error: unexpected argument '--foo' found",
    ),
    (
        Flag,
        3,
        "go test -foo ./...",
        "flag provided but not defined: -foo",
    ),
    (
        Runner,
        3,
        "python -m pytest",
        "/usr/bin/python3: No module named pytest",
    ),
    (
        Runner,
        2,
        "npm test",
        "Error: Cannot find module '/a/node_modules/vitest/vitest.mjs'",
    ),
    (Runner, 2, "npm install", "npm error code EBADENGINE"),
    (
        Runner,
        2,
        "cargo build",
        "error: could not find `Cargo.toml` in `/a`",
    ),
];

/// How the last part of a command that tells has ended.
fn ended(command: &str, code: i64, output: &str) -> Option<Ending> {
    let all = endings(command, (Some(code == 0), Some(code)), output, None);
    all.into_iter().next().map(|(_, _, ending)| ending)
}

#[test]
fn status_1_of_a_program_that_is_asked_is_an_answer() {
    let asked = "grep x a | cd a && rg x | /usr/bin/diff a b | [ -e a ] | git diff --exit-code";
    for command in asked.split(" | ") {
        assert!(is_answer(Some(1), command), "{command}");
        assert!(!is_answer(Some(2), command) && !is_answer(None, command));
    }
    for command in ["make", "grep x a && make", "git push", "npm test", "(", ""] {
        assert!(!is_answer(Some(1), command), "{command}");
    }
}

#[test]
fn a_runner_or_shell_that_does_not_know_the_commands_own_word_is_heard() {
    for (what, words, command, output) in HEARD {
        let expected = Ending::CouldNotRun(Missing { what, words });
        assert_eq!(ended(command, 1, output), Some(expected), "{command}");
    }
    let by_status = ended("foo", 127, "");
    assert!(matches!(by_status, Some(Ending::CouldNotRun(_))));
}

#[test]
fn what_the_code_says_is_a_failure() {
    let long = "npm error Missing script: \"test\"\n".to_owned() + &"FAILED\n".repeat(20);
    let long = "x\n".repeat(6) + &long;
    let failed = [
        ("npm test", "1 failed, 3 passed"),
        ("npm test", "sh: 1: vitest: not found"),
        ("npm test", "E   npm error Missing script: \"foo\""),
        ("npm test", &long),
        ("make test", "make: *** [Makefile:2: test] Error 1"),
        (
            "make a",
            "make: *** No rule to make target 'a.c', needed by 'a.o'.  Stop.",
        ),
        ("python a.py", "ModuleNotFoundError: No module named 'yaml'"),
        (
            "bun run test",
            "error: Cannot find module 'next/navigation' from '/a/b.test.ts'",
        ),
        ("cargo test", "error: test failed, to rerun pass `--lib`"),
    ];
    for (command, output) in failed {
        assert_eq!(
            ended(command, 1, output),
            Some(Ending::Failed),
            "{command}: {output}"
        );
    }
}

#[test]
fn what_is_not_known_is_not_said() {
    let unknown = [
        ("npm test", 1, "Error: connect ECONNREFUSED 127.0.0.1:5432"),
        ("npm test | tail", 0, "done with it"),
        ("npm test && npm run lint", 1, "2 problems"),
    ];
    for (command, code, output) in unknown {
        assert_eq!(
            ended(command, code, output),
            Some(Ending::Unknown),
            "{command}"
        );
    }
    let piped = [
        ("3 passed in 0.1s", Ending::Ok),
        ("1 failed, 3 passed", Ending::Failed),
        ("0 errors, 0 failed", Ending::Ok),
    ];
    for (output, expected) in piped {
        assert_eq!(
            ended("pytest | tail -3", 0, output),
            Some(expected),
            "{output}"
        );
    }
}

#[test]
fn an_error_is_known_by_what_stays_the_same() {
    let one = "Error: no such table: users in /a/b/app.db (line 12)\nnpm error code 1\n";
    let other = "Error: no such table: users in /c/app.db (line 7)\nexit status 1\n";
    assert_eq!(signature(one), signature(other));
    assert!(signature(one).is_some() && signature("all good").is_none());
}
