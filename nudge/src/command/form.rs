//! How two commands differ.

use super::invocation::{base, subcommand_of};
use super::line::CommandLine;

/// Flags that choose what is run or how much is said of it, and that a command
/// works with or without.
const CHOOSING: &str = "-k -m -t -g -x -v -vv -q -s -p -run --run --filter --grep --test --tests --lib --bin --bins --package \
    --testNamePattern --testPathPattern --lf --ff --no-run --no-fail-fast --verbose --quiet --silent --help -h --version -V \
    --dry-run -n --list --nocapture --show-output --maxfail --bail --color --watch";

/// Whether all words of one command are in another, in their order: the other
/// only says more.
pub(crate) fn contains(longer: &CommandLine, shorter: &CommandLine) -> bool {
    let mut words = longer.all_words();
    shorter
        .all_words()
        .all(|word| words.any(|other| other == word))
}

/// Whether a hint says a command in another way, and not only with other arguments.
pub(crate) fn differs(command: &CommandLine, hint: &CommandLine) -> bool {
    if contains(command, hint) {
        return false;
    }
    contains(hint, command) || is_other_program(command, hint)
}

/// Whether the one that worked is another form of the one that failed: another
/// program, subcommand, variable or flag. Other files, other tests and other
/// talk do not make another form.
pub(crate) fn is_other_form(worked: &CommandLine, failed: &CommandLine) -> bool {
    is_other_program(worked, failed)
        || worked.variables != failed.variables
        || flags(worked) != flags(failed)
}

fn is_other_program(one: &CommandLine, other: &CommandLine) -> bool {
    let program = |line: &CommandLine| line.words.first().map(|word| base(word).to_owned());
    if program(one) != program(other) {
        return true;
    }
    match (subcommand_of(&one.words), subcommand_of(&other.words)) {
        // `test:unit` is a part of `test`, not another way to do it.
        (Some(one), Some(other)) => {
            one != other && !is_part(&one, &other) && !is_part(&other, &one)
        }
        // A target that one of them leaves out may be the usual one.
        _ => false,
    }
}

fn is_part(part: &str, whole: &str) -> bool {
    let rest = part.strip_prefix(whole);
    rest.is_some_and(|rest| rest.starts_with([':', '-', '.', '_']))
}

fn flags(line: &CommandLine) -> Vec<&str> {
    let is_flag = |word: &&str| word.starts_with('-') && *word != "--";
    let chooses = |word: &str| {
        let name = word.split('=').next().unwrap_or(word);
        CHOOSING.split_whitespace().any(|known| known == name)
    };
    let words = line.words.iter().map(String::as_str);
    let mut flags: Vec<&str> = words
        .filter(is_flag)
        .filter(|word| !chooses(word))
        .collect();
    flags.sort_unstable();
    flags
}
