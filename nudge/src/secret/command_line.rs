//! Passwords on command lines: those of known programs, and generic flags such as `--token`.

use std::borrow::Cow;
use std::cell::LazyCell;

use super::login::{self, Program};
use super::name::{self, Kind};
use super::shell::{self, Word};
use super::word_list::WordList;
use super::{sentence, shape, value};

/// How deep commands inside of quoted words are followed: `ssh host "sh -c 'mysql …'"`.
const DEPTH_MAX: u8 = 2;

/// How many known programs of one command are looked at.
const PROGRAMS_MAX: usize = 8;

/// How many arguments of a program are looked at.
const ARGUMENTS_MAX: usize = 64;

const ID: &str = "password-in-command";

/// Words after which a name and then its value follow.
static SETTERS: WordList = WordList::new(
    "set setx setenv env add config put store login requirepass global setvar fastcgi_param",
);

/// Programs whose keys are named by their fingerprint.
static KEYRINGS: WordList = WordList::new("gpg gpg2 apt-key pacman-key dirmngr duplicity sops");

const FINGERPRINT: usize = 40;

/// How a value is handed over as a file.
const HANDED: &str = "<(echo ";

/// Returns the rule's id when a command line in the text carries a password.
pub(super) fn find(text: &str) -> Option<&'static str> {
    has_password(text, 0).then_some(ID)
}

fn has_password(text: &str, depth: u8) -> bool {
    // What a shell hands over as a file stands in the place of that.
    let text = &if text.contains(HANDED) {
        Cow::Owned(text.replace(HANDED, "").replace(')', " "))
    } else {
        Cow::Borrowed(text)
    };
    let words = shell::words(text);
    let feeds = login::reads_from_pipe(text);
    let in_command = |command: &[Word<'_>]| {
        let command = texts(command);
        let inner = |word: &&str| word.contains(' ') && has_password(word, depth + 1);
        is_telling(&command, feeds) || (depth < DEPTH_MAX && command.iter().any(inner))
    };
    login::in_netrc(&texts(&words))
        || words
            .split(|word| matches!(word, Word::Break))
            .any(in_command)
}

/// Returns the words without the borders between commands.
fn texts<'a>(words: &'a [Word<'_>]) -> Vec<&'a str> {
    let text = |word: &'a Word<'_>| match word {
        Word::Text(text) => Some(text.as_ref()),
        Word::Break => None,
    };
    words.iter().filter_map(text).collect()
}

/// Says whether one command carries a password.
fn is_telling(command: &[&str], feeds: bool) -> bool {
    has_flag(command)
        || has_user(command)
        || has_setting(command)
        || (feeds && login::is_fed(command))
        || programs(command).any(|(program, arguments)| program.is_given(arguments))
}

/// Returns the known programs among the words, each with the words after it.
///
/// Any place counts, since a program may stand behind `sudo`, `docker exec` or `kubectl exec … --`.
fn programs<'a>(command: &'a [&'a str]) -> impl Iterator<Item = (&'static Program, &'a [&'a str])> {
    let known = command
        .iter()
        .enumerate()
        .map(|(at, word)| (at, login::programs(word)));
    let known = known
        .filter(|(_, programs)| !programs.is_empty())
        .take(PROGRAMS_MAX);
    known.flat_map(|(at, programs)| {
        let end = command.len().min(at + 1 + ARGUMENTS_MAX);
        let arguments = command.get(at + 1..end).unwrap_or_default();
        programs.iter().map(move |program| (*program, arguments))
    })
}

/// Looks for a telling flag with its value in the next word: `--token X`, `-storepass X`.
fn has_flag(command: &[&str]) -> bool {
    let is_keyring = |word: &&str| KEYRINGS.has(login::base(word));
    let has_keyring = LazyCell::new(|| command.iter().any(is_keyring));
    command.windows(2).any(|pair| {
        let [flag, given] = pair else { return false };
        let Some(label) = flag
            .strip_prefix("--")
            .or_else(|| flag.strip_prefix('-'))
            .filter(|label| label.len() > 2)
        else {
            return false;
        };
        if flag.contains('=') || given.starts_with("id=") {
            return false;
        }
        // A command that prints it is the same as the value.
        let printed = given
            .strip_prefix("echo ")
            .or_else(|| given.strip_prefix("printf "));
        if let (Some(printed), true) = (printed, label.contains("pass")) {
            return printed
                .split(' ')
                .next_back()
                .is_some_and(value::is_literal);
        }
        name::kind(label).is_some_and(|kind| match kind {
            Kind::Password => value::is_credential(kind, given) || is_phrase(given),
            _ => value::is_credential(kind, given) && !(is_fingerprint(given) && *has_keyring),
        })
    })
}

/// Looks for the user and the password of a program that no table knows: `-u me -p X`.
fn has_user(command: &[&str]) -> bool {
    let after = |flags: [&str; 3]| {
        let mut pairs = command.windows(2);
        pairs.find_map(|pair| match pair {
            [flag, given] if flags.contains(flag) => Some(*given),
            _ => None,
        })
    };
    after(["-p", "-P", "-w"]).is_some_and(sentence::is_mixed)
        && after(["-u", "-U", "--user"]).is_some_and(|user| !user.starts_with('-'))
        && programs(command).next().is_none()
}

/// Says whether a value may be the fingerprint by which a program that keeps keys knows one.
fn is_fingerprint(given: &str) -> bool {
    let digits = given.strip_prefix("0x").unwrap_or(given);
    digits.len() == FINGERPRINT && shape::is_hex(digits)
}

/// Looks for a name and its value as two words: `config set x.token X`, `set -x TOKEN X`, `login u password X`.
fn has_setting(command: &[&str]) -> bool {
    let mut before = "";
    command.windows(2).any(|pair| {
        let [label, given] = pair else {
            return false;
        };
        let previous = before;
        if !label.starts_with('-') {
            before = label;
        }
        let setter = SETTERS.has(previous) || previous.ends_with(":set");
        let Some(kind) = name::kind(label).filter(|_| !previous.is_empty()) else {
            return false;
        };
        !label.starts_with('$')
            && (setter || label.contains(['_', '.', ':']))
            && !label.contains('=')
            && !label.ends_with(':')
            && value::is_credential(kind, given)
    })
}

/// Says whether the value is several words joined, as passphrases are.
fn is_phrase(given: &str) -> bool {
    !value::is_indirect(given)
        && given
            .split(['-', '_', '.'])
            .filter(|word| word.len() >= 3)
            .count()
            >= 4
        && !shape::is_path(given)
}
