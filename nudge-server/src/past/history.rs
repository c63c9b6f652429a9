//! The history of bash and zsh: what was typed, and neither where nor how it ended.

use std::path::Path;

use nudge_client::folder::file::read_foreign;

use super::{Reading, UNREADABLE};

/// The most of a file that is read, and the longest command.
const FILE: u64 = 16 << 20;
const COMMAND: usize = 1024;

pub(super) fn read(path: &Path, reading: &mut Reading) {
    let Ok(bytes) = read_foreign(path, FILE) else {
        return reading.leave(UNREADABLE);
    };
    reading.typed = commands(&String::from_utf8_lossy(&bytes));
    reading.files = 1;
}

/// The commands of a history. Of zsh a line may begin with when it ran, and how long.
fn commands(text: &str) -> Vec<String> {
    let is_time = |line: &&str| {
        let number = line.strip_prefix('#');
        number.is_some_and(|number| number.parse::<u64>().is_ok())
    };
    let lines = text.lines().filter(|line| !is_time(line));
    let typed = lines.map(|line| {
        let timed = line.strip_prefix(": ").and_then(|it| it.split_once(';'));
        let is_part = |byte: u8| byte.is_ascii_digit() || byte == b':';
        let timed = timed.filter(|(when, _)| when.bytes().all(is_part));
        timed.map_or(line, |(_, typed)| typed)
    });
    let typed = typed.map(str::trim).filter(|typed| {
        // What goes on in the next line, or is only half there, is no command.
        !typed.is_empty() && typed.len() <= COMMAND && !typed.ends_with('\\')
    });
    typed.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_writing_a_history_are_read() {
        let bash = "make test\n#1700000000\n  git status \n\ncat <<E \\\nx\n";
        assert_eq!(commands(bash), ["make test", "git status", "x"]);
        let zsh = ": 1700000000:12;make test\n: 1700000001:0;echo a;b\n: >file;x\n";
        assert_eq!(commands(zsh), ["make test", "echo a;b", ": >file;x"]);
    }
}
