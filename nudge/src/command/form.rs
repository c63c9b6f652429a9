//! How two commands differ.

use super::invocation::{base, subcommand_of};
use super::line::CommandLine;

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
