//! The programs that take a password on their command line, and where they take it.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::name::{self, Kind};
use super::programs::PROGRAMS;
use super::value;

/// A program and the places where it takes a password.
#[derive(Default)]
pub(super) struct Program {
    /// The names under which it is called, without folder and `.exe`.
    pub(super) names: &'static str,
    /// A word that has to be among the arguments for the flags to mean a password; empty for none.
    pub(super) needs: &'static str,
    /// Flags with the password attached: `-pX`.
    pub(super) attached: Vec<&'static str>,
    /// Flags with the password in the next word: `-p X`.
    pub(super) next: Vec<&'static str>,
    /// Flags with user and password, attached or next, and the sign between the two: `-u user:X`.
    pub(super) pairs: Vec<(&'static str, &'static str)>,
    pub(super) position: Position,
}

/// Where among the arguments without flags a password stands.
#[derive(Clone, Copy, Default)]
pub(super) enum Position {
    #[default]
    None,
    /// Directly after the word, at this distance: `add_user u X` is `("add_user", 2)`.
    After(&'static str, usize),
    /// Anywhere after the word, where no drive and no share is: `net use Z: \\srv\share X`.
    AnyAfter(&'static str),
    /// At the end of the arguments, when the flag is given: `htpasswd -b file user X`.
    LastWith(&'static str),
    First,
    /// Directly after the word, when it looks like a token: `cargo login X`.
    Token(&'static str),
    /// As `user/X@database` in the first argument.
    Slash,
    /// As `domain/user:X@host`.
    Target,
    /// After the word and a name that tells of it: `put app/db/password X`.
    Named(&'static str),
}

/// Returns the table's entries for a word at the place of a command.
pub(super) fn programs(word: &str) -> &'static [&'static Program] {
    BY_NAME
        .get(base(word))
        .map(Vec::as_slice)
        .unwrap_or_default()
}

static BY_NAME: LazyLock<HashMap<&str, Vec<&Program>>> = LazyLock::new(|| {
    let mut map: HashMap<&str, Vec<&Program>> = HashMap::new();
    for program in PROGRAMS.iter() {
        for name in program.names.split(' ') {
            map.entry(name).or_default().push(program);
        }
    }
    map
});

/// Returns the name of a program without its folder and ending.
pub(super) fn base(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Says whether the text has a program that reads a password from a pipe.
pub(super) fn reads_from_pipe(text: &str) -> bool {
    let marks = "password-stdin|sudo -S|sudo --stdin|--with-token|chpasswd|passwd|cryptsetup|\
        passphrase-fd|login|kinit|-stdin|smbpasswd|secret put|secret set|env add";
    (text.contains('|') || text.contains("<<<")) && marks.split('|').any(|mark| text.contains(mark))
}

/// Says whether the command writes a password into a pipe: `echo X | docker login --password-stdin`.
pub(super) fn is_fed(command: &[&str]) -> bool {
    if let Some(at) = command.iter().position(|word| word.starts_with("<<<")) {
        let inner = command
            .get(at)
            .and_then(|word| word.strip_prefix("<<<"))
            .filter(|word| !word.is_empty());
        return inner
            .or_else(|| command.get(at + 1).copied())
            .is_some_and(is_fed_word);
    }
    let Some((last, before)) = command.split_last() else {
        return false;
    };
    // It may stand behind `sudo` or `time`.
    let prints = |word: &&str| ["echo", "printf", "print", "Write-Output"].contains(&base(word));
    before.iter().any(prints) && is_fed_word(last)
}

/// Says whether the words are of a `.netrc` file and have its password.
pub(super) fn in_netrc(command: &[&str]) -> bool {
    let follows = |label: &str| {
        command
            .iter()
            .position(|word| *word == label)
            .and_then(|at| command.get(at + 1))
            .copied()
    };
    let entry = follows("machine").is_some() || command.contains(&"default");
    let login = follows("login").is_some();
    entry && login && follows("password").is_some_and(value::is_literal)
}

impl Program {
    /// Says whether its name calls for a look, because no other word has to stand there.
    pub(super) fn is_telling(&self) -> bool {
        self.needs.is_empty() && !matches!(self.position, Position::Token(_))
    }

    /// Says whether the arguments have a password in the clear.
    pub(super) fn is_given(&self, arguments: &[&str]) -> bool {
        if !self.needs.is_empty() && !arguments.contains(&self.needs) {
            return false;
        }
        let flags = arguments.iter().enumerate().any(|(at, word)| {
            let next = arguments.get(at + 1).copied().unwrap_or_default();
            self.is_flag(word, next)
        });
        flags || self.is_at_position(arguments)
    }

    /// Says whether the word, alone or with the next one, gives a password.
    fn is_flag(&self, word: &str, next: &str) -> bool {
        let attached = self
            .attached
            .iter()
            .filter_map(|flag| word.strip_prefix(flag))
            .any(value::is_literal);
        let separate = self.next.contains(&word) && value::is_literal(next);
        attached
            || separate
            || self
                .pairs
                .iter()
                .any(|(flag, sign)| is_pair(word, next, flag, sign))
    }

    /// Says whether the password stands at its place among the arguments.
    fn is_at_position(&self, arguments: &[&str]) -> bool {
        let plain = || {
            arguments
                .iter()
                .copied()
                .filter(|word| !word.starts_with(['-', '/']))
        };
        match self.position {
            Position::None => false,
            Position::After(word, distance) => {
                let mut rest = plain().skip_while(|entry| !entry.eq_ignore_ascii_case(word));
                rest.nth(distance).is_some_and(|word| {
                    // `vault login token=X` names what it gives.
                    let given = word.split_once('=').map_or(word, |(_, given)| {
                        if given.is_empty() { word } else { given }
                    });
                    value::is_literal(given)
                })
            }
            Position::AnyAfter(word) => {
                let after = plain().skip_while(|entry| !entry.eq_ignore_ascii_case(word));
                let is_place = |entry: &&str| entry.starts_with('\\') || entry.ends_with(':');
                after
                    .skip(1)
                    .filter(|entry| !is_place(entry))
                    .any(value::is_literal)
            }
            Position::First => plain().next().is_some_and(value::is_literal),
            Position::Token(word) => {
                let mut rest = plain().skip_while(|entry| *entry != word);
                rest.nth(1)
                    .is_some_and(|given| value::is_credential(Kind::Token, given))
            }
            Position::LastWith(flag) => {
                let wanted = flag.is_empty()
                    || arguments
                        .iter()
                        .any(|word| word.starts_with('-') && word.contains(flag));
                wanted && plain().count() >= 2 && plain().next_back().is_some_and(value::is_literal)
            }
            Position::Target => plain().any(|word| {
                let user = word.rsplit_once('@').map(|(user, _)| user);
                let password = user.and_then(|user| user.split_once(':'));
                password.is_some_and(|(_, password)| value::is_literal(password))
            }),
            Position::Named(word) => {
                let after = arguments.iter().skip_while(|entry| **entry != word).skip(1);
                let mut rest = after.filter(|word| !word.starts_with('-'));
                let kind = rest.next().and_then(|name| name::kind(base(name)));
                let given = kind.zip(rest.next());
                given.is_some_and(|(kind, given)| value::is_credential(kind, given))
            }
            Position::Slash => plain().any(|word| {
                let user = word.split('@').next().unwrap_or_default();
                let user = user.strip_prefix("userid=").unwrap_or(user);
                !user.contains("//")
                    && user.split_once('/').is_some_and(|(name, password)| {
                        !name.is_empty() && !password.contains('/') && value::is_literal(password)
                    })
            }),
        }
    }
}

/// Says whether a flag gives a user and, behind the sign, a password.
fn is_pair(word: &str, next: &str, flag: &str, sign: &str) -> bool {
    let Some(rest) = word.strip_prefix(flag).or_else(|| joined(word, flag)) else {
        return false;
    };
    let given = if rest.is_empty() {
        next
    } else {
        rest.strip_prefix('=').unwrap_or(rest)
    };
    let Some((user, password)) = given.split_once(sign) else {
        return false;
    };
    let attached_to_long = flag.starts_with("--") && !rest.is_empty() && !rest.starts_with('=');
    // The token of an interface may stand in the user's place with nothing behind the sign.
    let token = password.len() < 3 && value::is_credential(Kind::Token, user);
    !attached_to_long
        && !user.contains('/')
        && (token || value::is_literal(password) && !password.starts_with('$'))
}

/// Takes the flag as the last of several joined ones, as in `-su`.
fn joined<'a>(word: &'a str, flag: &str) -> Option<&'a str> {
    let letters = word.strip_prefix('-')?;
    let last = flag.strip_prefix('-').filter(|letter| letter.len() == 1)?;
    let many = letters.len() <= 8 && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
    (many && letters.ends_with(last)).then_some("")
}

/// Says whether a word that is written into a pipe is a password, or a user with one.
fn is_fed_word(word: &str) -> bool {
    let password = word.rsplit_once(':').map_or(word, |(_, password)| password);
    value::is_literal(password) && !word.contains(' ')
}
