//! What a new user types, by the habits of git, gh, jj, zoxide, just, npm and kubectl: each line is
//! done, or answered by what to type instead.
//!
//! `tests/hands.txt` has a line for each: the exit status, what is typed, and what must be in the
//! answer; they follow each other in one session. A line that begins with `#` is for the reader.

use std::fs;

use crate::conformance::adapter::file;
use crate::transcripts::Session;

#[test]
fn what_hands_type_is_done_or_answered_with_the_right_way() {
    let text = fs::read_to_string(file("tests/hands.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let session = Session::start();
    let (mut number, mut wrong) = (0, Vec::new());
    for line in lines {
        let parts: Vec<&str> = line.split('\t').collect();
        let [status, typed, expected] = parts[..] else {
            panic!("this line has not three parts: {line}");
        };
        number += 1;
        let said = session.typed(typed);
        let (failed, said) = match said.strip_prefix("? ") {
            Some(rest) => rest.split_once('\n').unwrap_or((rest, "")),
            None => ("0", &*said),
        };
        let is_answered = expected.split(" … ").all(|part| said.contains(part));
        if failed != status || !is_answered || said.contains("panicked") {
            wrong.push(format!(
                "`{typed}`: expected {status} {expected:?}, got {failed} {said}"
            ));
        }
    }
    assert!(number >= 300, "{number} lines are fewer than 300");
    assert!(
        wrong.is_empty(),
        "{} of {number}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
