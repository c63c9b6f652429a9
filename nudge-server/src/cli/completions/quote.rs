//! Words in the quotes of a shell, for shells that take what they are given as it is.

/// What single quotes look like to PowerShell.
const SINGLE: [char; 5] = ['\'', '\u{2018}', '\u{2019}', '\u{201a}', '\u{201b}'];

/// A word as bash reads it, after the quote that is open; `None` where a word
/// cannot be written so.
pub(super) fn bash(word: &str, open: Option<char>) -> Option<String> {
    let Some(quote) = open else {
        let is_plain =
            |letter: char| !letter.is_ascii() || is_plain(letter) || "@,%".contains(letter);
        let quoted = escaped(word, |letter| !is_plain(letter));
        return Some(quoted);
    };
    // Bash takes one at the end for the one that it would add itself. And in
    // double quotes it looks for its history, where a backslash would stay.
    if word.ends_with(quote) || (quote == '"' && word.contains('!')) {
        return None;
    }
    Some(match quote {
        '\'' => word.replace('\'', r"'\''"),
        _ => escaped(word, |letter| "\"\\$`".contains(letter)),
    })
}

/// Whether a letter means nothing to any shell.
fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "._/:=+-".contains(letter)
}

fn escaped(word: &str, is_special: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(word.len());
    for letter in word.chars() {
        if is_special(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// A word as PowerShell reads it.
pub(super) fn powershell(word: &str) -> String {
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    let mut quoted = String::from("'");
    for letter in word.chars() {
        quoted.push(letter);
        if SINGLE.contains(&letter) {
            quoted.push(letter);
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_means_anything_to_bash() {
        for (word, open, expected) in [
            ("http-proxy", None, Some("http-proxy")),
            ("two words", None, Some(r"two\ words")),
            ("$(touch x)", None, Some(r"\$\(touch\ x\)")),
            ("~root", None, Some(r"\~root")),
            ("a*b?[c]{d,e}", None, Some(r"a\*b\?\[c\]\{d,e\}")),
            ("größe", None, Some("größe")),
            ("it's $x", Some('\''), Some(r"it'\''s $x")),
            ("a\"$(x)`y`", Some('"'), Some("a\\\"\\$(x)\\`y\\`")),
            ("a!b", Some('"'), None),
            ("say \"x\"", Some('"'), None),
            ("it'", Some('\''), None),
            ("a!b", None, Some(r"a\!b")),
        ] {
            assert_eq!(bash(word, open).as_deref(), expected, "{word}");
        }
    }

    #[test]
    fn no_word_means_anything_to_powershell() {
        for (word, expected) in [
            ("http-proxy", "http-proxy"),
            ("", "''"),
            ("$(x)", "'$(x)'"),
            ("it's", "'it''s'"),
            ("a\u{2019}; x", "'a\u{2019}\u{2019}; x'"),
        ] {
            assert_eq!(powershell(word), expected, "{word}");
        }
    }
}
