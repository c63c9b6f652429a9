//! Whether a command failed because it could not run, which says nothing about the code.

use super::invocation::base;
use super::line::simple_commands;
use super::programs::has;

/// How many lines at the end of an output are looked at. A runner that does not know a name
/// says little else.
const LAST_LINES: usize = 12;

/// How the lines begin by which runners say that there is no such name or program, in lower
/// case, between bars; a `…` stands for any text.
const TEXTS: &str = "npm err… missing script:|npm err… could not determine executable to run|err_pnpm_no_script|\
    err_pnpm_recursive_run_no_script|err_pnpm_recursive_exec_first_fail… not found|error command \"…\" not found|\
    usage error: couldn't find a script named|error: script not found \"|error: missing script \"|\
    make: *** no rule to make target|gmake: *** no rule to make target|make: don't know how to make|\
    ninja: error: unknown target|error: justfile does not contain recipe|task: task \"…\" does not exist|\
    error: unknown environment '|root:… provided environments not found|nox > sessions not found|mise error no task|\
    error: unrecogni…ed task|don't know how to build task|no idea what '…' is!|\
    warning: task \"…\" not found. use --force|task '…' not found in root project|\
    cannot locate tasks that match|[error] unknown lifecycle phase|x could not find task `|\
    × could not find task `|error:… could not find task `|error… could not find the following tasks|\
    nx… cannot find configuration for task|error: no such command:|error: no such subcommand:|\
    error: failed to spawn: `|error: the command … could not be found within path|\
    [pdmusageerror]: command … is not found|command not found:|bundler: command not found:";

/// Whether a command that failed could not run: by its status, or because a runner or a shell
/// says that there is no such name or program.
pub(crate) fn could_not_run(exit_code: Option<i64>, output: &str) -> bool {
    if let Some(0 | 126 | 127) = exit_code {
        return exit_code != Some(0);
    }
    let lines = output.lines().rev().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty()).take(LAST_LINES);
    let lines: Vec<String> = lines.map(str::to_lowercase).collect();
    // What a shell says of a program inside of a script or recipe is not the end.
    let is_shells = lines.first().is_some_and(|last| is_shells(last));
    let mut says = TEXTS.split('|');
    is_shells || says.any(|text| lines.iter().any(|line| begins(line, text)))
}

/// Programs that say no with status 1, and their subcommands that do.
const ASKING: &str = "grep egrep fgrep zgrep rg ag ack pgrep diff cmp test [ [[ which";
const GIT_ASKING: &str = "diff grep";

/// Whether the status of a line is an answer, and no failure: `grep` has found nothing.
pub(crate) fn is_answer(exit_code: Option<i64>, command: &str) -> bool {
    let last = simple_commands(command).and_then(|mut all| all.pop());
    let words = last.map(|last| last.words).unwrap_or_default();
    exit_code == Some(1)
        && match &words[..] {
            [git, word, ..] if git == "git" => has(GIT_ASKING, word),
            [program, ..] => has(ASKING, base(program)),
            [] => false,
        }
}

fn begins(line: &str, text: &str) -> bool {
    let (start, then) = text.split_once('…').unwrap_or((text, ""));
    let rest = line.strip_prefix(start);
    // A file that a target needs is the project's, not the command's.
    rest.is_some_and(|rest| rest.contains(then) && !rest.contains(", needed by "))
}

/// Whether a shell or an interpreter says that there is no such program, module or script.
fn is_shells(line: &str) -> bool {
    let Some((program, message)) = line.split_once(": ") else {
        return false;
    };
    let program = base(program).trim_start_matches('-');
    let program = program.split(':').next().unwrap_or(program);
    let is_missing = message.ends_with("not found")
        || message.starts_with("command not found: ")
        || message.contains("no such file or directory");
    let is_script =
        message.starts_with("no module named ") || message.starts_with("can't open file ");
    let is_shell = has("bash sh zsh dash ksh ash (eval)", program);
    is_shell && is_missing && !message.contains("cd: ")
        || program.starts_with("python") && is_script
}

#[cfg(test)]
mod tests {
    use super::{could_not_run, is_answer};

    #[test]
    fn status_1_of_a_program_that_is_asked_is_an_answer() {
        let asked = [
            "grep x a",
            "cd a && rg x",
            "make | grep x",
            "/usr/bin/diff a b",
            "[ -e a ]",
            "git diff --exit-code",
        ];
        let done = ["make", "grep x a && make", "git push", "npm test", "(", ""];
        for (commands, expected) in [(&asked[..], true), (&done[..], false)] {
            for command in commands {
                assert_eq!(is_answer(Some(1), command), expected, "{command}");
                assert!(!is_answer(Some(2), command) && !is_answer(None, command));
            }
        }
    }

    #[test]
    fn a_runner_or_shell_that_does_not_know_the_name_is_heard() {
        let heard = [
            "npm error Missing script: \"foo\"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run",
            "npm ERR! missing script: foo\nnpm ERR! A complete log of this run can be found in: /x",
            "\u{2009}ERR_PNPM_NO_SCRIPT\u{2009} Missing script: foo",
            " ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command \"dev\" not found\n\nDid you mean \"pnpm build\"?",
            "yarn run v1.22.22\nerror Command \"foo\" not found.\ninfo Visit https://example.com for documentation.",
            "Usage Error: Couldn't find a script named \"foo\".\n\n$ yarn run [--inspect] <scriptName> ...",
            "error: Script not found \"foo\"",
            "make: *** No rule to make target 'foo'.  Stop.",
            "error: Justfile does not contain recipe `foo`\nDid you mean `bar`?",
            "task: Available tasks for this project:\n* build:\ntask: Task \"foo\" does not exist",
            "ROOT: HandledError| provided environments not found in configuration file: ['foo']",
            "ERROR: unknown environment 'foo'",
            "nox > Error while collecting sessions.\nnox > Sessions not found: foo",
            "mise ERROR no task foo found\nmise ERROR Run with --verbose for more information",
            "Poe the Poet (version 0.41.0)\n\nError: Unrecognized task 'foo'",
            "turbo 2.1.1\n\n  × missing tasks in project\n\nError:   × could not find task `foo` in project",
            "* What went wrong:\nTask 'foo' not found in root project 'x'.\n\n* Try:\n> Run gradlew tasks",
            "error: no such command: `foo`\n\nhelp: view all installed commands with `cargo --list`",
            "error: Failed to spawn: `foo`\n  Caused by: No such file or directory (os error 2)",
            "[PdmUsageError]: Command 'foo' is not found in your PATH.",
            "Command not found: foo",
            "bash: line 1: foo: command not found",
            "/bin/sh: 1: foo: not found",
            "zsh: command not found: foo",
            "(eval):1: no such file or directory: ./foo",
            "bash: ./foo.sh: No such file or directory\n",
            "/usr/bin/python3: No module named pytest",
            "python: can't open file '/x/foo.py': [Errno 2] No such file or directory",
        ];
        for output in heard {
            assert!(could_not_run(Some(1), output), "{output}");
            assert!(could_not_run(None, output), "{output}");
        }
    }

    #[test]
    fn what_the_code_says_is_not() {
        let long = "npm error Missing script: \"foo\"\n".to_owned() + &"FAILED\n".repeat(12);
        let not_heard = [
            "",
            "1 failed, 3 passed",
            "AssertionError: expected 'bash: foo: command not found' to equal ''",
            "    at run (test.js:3) error: Script not found \"foo\"",
            "E   npm error Missing script: \"foo\"",
            "make: *** No rule to make target 'a.c', needed by 'a.o'.  Stop.",
            "make[1]: *** No rule to make target 'foo'.  Stop.",
            "make: *** [Makefile:2: test] Error 1",
            "/bin/sh: 1: jest: not found\nmake: *** [Makefile:2: test] Error 127",
            "bash: cd: web: No such file or directory",
            "cat: a.txt: No such file or directory",
            "FileNotFoundError: [Errno 2] No such file or directory: 'a.txt'",
            "ModuleNotFoundError: No module named 'yaml'",
            "error: test failed, to rerun pass `--lib`",
            "Task not found: 7",
            &long,
        ];
        for output in not_heard {
            assert!(!could_not_run(Some(1), output), "{output}");
        }
    }

    #[test]
    fn the_status_of_a_shell_is_enough() {
        assert!(could_not_run(Some(126), ""));
        assert!(could_not_run(Some(127), ""));
        assert!(!could_not_run(Some(0), "bash: foo: command not found"));
        assert!(!could_not_run(None, ""));
    }
}
