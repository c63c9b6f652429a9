//! How commands end, by status and output.

use super::{Ending, endings, is_answer, signature};
use crate::command::tests::rows;

/// Commands with their status and output, and how each has ended.
const ENDINGS: &str = include_str!("../../../../tests/hooks/endings.tsv");

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
fn a_command_ends_as_the_table_says() {
    for row in rows::<4>(ENDINGS) {
        let [expected, code, command, output] = &row;
        let code: i64 = code.parse().unwrap();
        let all = endings(command, (Some(code == 0), Some(code)), output, None);
        let ending = all.into_iter().next().map(|(_, _, ending)| ending);
        let actual = match ending.unwrap() {
            Ending::CouldNotRun(missing) => format!("{:?} {}", missing.what, missing.words),
            other => format!("{other:?}"),
        };
        assert_eq!(actual.to_lowercase(), *expected, "{command}: {output}");
    }
}

#[test]
fn an_error_is_known_by_what_stays_the_same() {
    let one = "Error: no such table: users in /a/b/app.db (line 12)\nnpm error code 1\n";
    let other = "Error: no such table: users in /c/app.db (line 7)\nexit status 1\n";
    assert_eq!(signature(one), signature(other));
    assert!(signature(one).is_some() && signature("all good").is_none());
}
