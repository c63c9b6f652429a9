//! Which commands Nudge names by itself: plain ones that take nothing away.

use super::invocation::base;
use super::programs::has;
use super::step::Step;

/// Programs that take away or override, and their subcommands that do; of the last ones all but
/// these do.
const TAKING: &str = "rm rmdir mv kill pkill killall sudo doas chmod chown dd truncate shred";
const GIT_TAKING: &str =
    "reset clean stash checkout switch restore rebase push commit rm branch tag gc filter-branch";
const MOSTLY_TAKING: &str = "docker podman kubectl terraform helm";
const HARMLESS: &str = "up build ps compose";

/// Flags that override when they are added to a command.
const OVERRIDING: &str =
    "--force -f --no-verify --legacy-peer-deps --break-system-packages --yes -y --delete";
const OVERRIDING_STARTS: [&str; 3] = ["--skip", "--ignore", "--no-"];

/// Flags with which linters and formatters change files.
const FIXING: &str = "--fix --write -w --fix-only --autofix --autocorrect --in-place -i -a -A";

/// Whether a word, without quotes around it or a part, is plain or a pattern of files: nothing
/// that reads like a sentence.
pub(crate) fn is_plain_word(word: &str) -> bool {
    let is_letter =
        |letter: char| letter.is_ascii_alphanumeric() || "_./:@%+,=-*{}[]!?\"'".contains(letter);
    !word.is_empty() && word.chars().all(is_letter)
}

/// Whether a command holds only words that a shell takes as they are.
pub(crate) fn is_plain_command(command: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "_./:@%+,=-".contains(letter);
    let is_word = |word: &str| {
        let (name, extra) = word.split_once('[').unwrap_or((word, "]"));
        let extra = extra.strip_suffix(']');
        extra.is_some_and(|extra| extra.chars().all(is_letter)) && name.chars().all(is_letter)
    };
    !command.is_empty()
        && command
            .split(' ')
            .all(|word| !word.is_empty() && is_word(word))
}

/// Whether one command may be named where another failed.
pub(crate) fn may_be_named(command: &str, failed: &str) -> bool {
    if !is_plain_command(command) {
        return false;
    }
    let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
    let mut rest = words.iter().map(String::as_str);
    let program = base(rest.next().unwrap_or_default());
    let subcommand = rest.find(|word| !word.starts_with('-')).unwrap_or_default();
    let takes = has(TAKING, program)
        || program == "git" && words.iter().any(|word| has(GIT_TAKING, word))
        || has(MOSTLY_TAKING, program) && !has(HARMLESS, subcommand)
        || subcommand == "compose" && !words.iter().any(|word| has("up build ps", word));
    let overrides = |word: &&String| {
        let starts = OVERRIDING_STARTS
            .iter()
            .any(|start| word.starts_with(start));
        (starts || has(OVERRIDING, word)) && !failed.split(' ').any(|known| known == *word)
    };
    let changes_files = matches!(Step::of(&words), Some(Step::Lint | Step::Format))
        && words.iter().any(|word| has(FIXING, word));
    !takes && !changes_files && !words.iter().any(|word| overrides(&word))
}

#[cfg(test)]
mod tests {
    use super::{is_plain_command, may_be_named};

    #[test]
    fn what_takes_away_or_overrides_is_never_named() {
        let never = "rm -r a | sudo make | git reset --hard | git stash | git push | git commit -m x | docker rm a | docker compose down \
            | kubectl delete pod | npm install --force | npm ci --legacy-peer-deps | pip install --break-system-packages . | git -C a clean \
            | npm test --no-verify | apt install -y x | cargo test --skip a | eslint --fix . | prettier --write . | kill 1 | /bin/rm a";
        for command in never.split('|') {
            assert!(!may_be_named(command.trim(), "npm test"), "{command}");
        }
        let may = "npm test | npm run lint:fix | docker compose up | docker build . | git config a b | pip install -e .[dev] | uv sync";
        for command in may.split(" | ") {
            assert!(may_be_named(command, "npm test"), "{command}");
        }
        assert!(may_be_named("make -f a test", "make -f b test"));
    }

    #[test]
    fn plain_words_need_no_shell() {
        for command in ["a 'b'", "a $B", "a | b", "a  b", "", "a;b", "a b[c", "a *"] {
            assert!(!is_plain_command(command), "{command}");
        }
    }
}
