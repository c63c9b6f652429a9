//! Secrets that are made of words: pass phrases, the words of a wallet, a line of `.pgpass`.

use std::collections::HashSet;

use super::name::Kind;
use super::value;
use super::word_list::WordList;

const WALLET: [usize; 5] = [12, 15, 18, 21, 24];

const PHRASE: std::ops::RangeInclusive<usize> = 4..=10;

/// Words that every sentence has more of than a wallet, or a phrase that somebody drew.
static SENTENCES: WordList = WordList::new(
    "\
    a an and are as at be been but by can do does for from get has have how if in into is it its \
    make may must no not of on only or our run set should so some than that the their them then \
    there these they this to until use used was we when where which who why will with you your",
);

/// Words that are in no wallet: a list of packages looks like one.
static PACKAGES: WordList = WordList::new(
    "\
    apk apt bash brew cargo clang cmake curl dnf docker gcc git golang grep htop jq mkdir nginx \
    node npm npx perl pip pnpm postgres python redis ruby rust rustc sudo tmux unzip vim wget \
    yarn yum zip zsh",
);

/// How many words of a wallet are different at least: that of every local chain is one word.
const DIFFERENT: usize = 8;

/// Of how many words one may be a word that every sentence has.
const DRAWN: usize = 6;

/// Returns a rule's id where a text, a quoted part of it or what stands behind a colon is a
/// wallet, or one of `.pgpass`.
pub(super) fn find(text: &str) -> Option<&'static str> {
    let is_wallet = |part: &str| {
        let part = part.trim();
        let words = || part.split(' ');
        is_drawn(part, 3..=8)
            && WALLET.contains(&words().count())
            && words().collect::<HashSet<_>>().len() >= DIFFERENT
    };
    if text.split(['"', '\'', '`', ':', '=', '\n']).any(is_wallet) {
        return Some("wallet-words");
    }
    let mut lines = text.split(['"', '\'', '`', '\n']);
    lines.any(is_pgpass).then_some("pgpass-line")
}

/// Says whether a quoted value is a pass phrase, under a name that may have one.
pub(super) fn is_pass_phrase(name: &str, value: &str) -> bool {
    let last = name.rsplit(['_', '-', '.']).next().unwrap_or(name);
    let names = ["secret", "passphrase", "password", "passwd"];
    let is_named = names.iter().any(|known| last.eq_ignore_ascii_case(known));
    is_named && is_drawn(value, 3..=12) && PHRASE.contains(&value.split(' ').count())
}

/// Says whether a text is plain words of some lengths, each once between spaces, and no sentence.
fn is_drawn(text: &str, lengths: std::ops::RangeInclusive<usize>) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte == b' ';
    let fits = |word: &str| lengths.contains(&word.len()) && !PACKAGES.has(word);
    let words = || text.split(' ');
    let common = || words().filter(|word| SENTENCES.has(word)).count();
    text.bytes().all(is_letter) && words().all(fits) && common() <= words().count() / DRAWN
}

/// Says whether a line is `host:port:database:user:password`.
fn is_pgpass(line: &str) -> bool {
    let fields: Vec<&str> = line.trim().split(':').collect();
    let [host, port, database, user, password] = fields[..] else {
        return false;
    };
    let is_port = port == "*" || !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit());
    let are_names = [host, database, user]
        .iter()
        .all(|name| !name.is_empty() && !name.contains([' ', '/']));
    is_port && are_names && value::is_credential(Kind::Password, password)
}
