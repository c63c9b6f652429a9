//! `Typed`: the words that were typed before a person asked how they go on.

/// The words so far, and how the last one was begun.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Typed {
    /// The words without their quotes; the last one is to be completed.
    pub(super) words: Vec<String>,
    /// What of the last word the shell keeps as it is. Bash replaces only what
    /// comes after the last of its break characters, or after an open quote.
    pub(super) kept: String,
    /// The quote that is open at the end.
    pub(super) open: Option<char>,
}

impl Typed {
    /// Words that the shell has taken out of their quotes.
    pub(super) fn words(words: Vec<String>) -> Typed {
        Typed {
            words,
            kept: String::new(),
            open: None,
        }
    }

    /// The characters that break words, and the line up to the cursor, as bash has
    /// them: the words that it makes of it are torn at every colon.
    pub(super) fn in_bash(given: &[String]) -> Option<Typed> {
        let [breaks, line] = given else {
            return None;
        };
        read(line, breaks)
    }

    /// Words as fish has them, but for the last, which is in its quotes still.
    pub(super) fn in_fish(given: Vec<String>) -> Option<Typed> {
        let mut typed = Typed::words(given);
        let last = typed.words.pop()?;
        // What cannot be read is left to fish, which sifts once more.
        let last = read(&last, "").and_then(|read| read.words.into_iter().next_back());
        typed.words.push(last.unwrap_or_default());
        Some(typed)
    }

    /// Words as PowerShell has them; a colon before the last keeps an empty one,
    /// which it would not pass on.
    pub(super) fn in_powershell(given: Vec<String>) -> Option<Typed> {
        let mut typed = Typed::words(given);
        let last = typed.words.pop()?;
        typed.words.push(last.strip_prefix(':')?.to_owned());
        Some(typed)
    }
}

/// Reads a line as bash does, without expanding anything. `None` where it cannot
/// be told what would be replaced.
fn read(line: &str, breaks: &str) -> Option<Typed> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let (mut kept, mut open, mut was_quoted) = (0, None, false);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        let begun = word.get_or_insert_default();
        match (open, letter) {
            (Some(quote), _) if letter == quote => open = None,
            (Some('"'), '\\') => match letters.next() {
                Some(next @ ('"' | '\\' | '$' | '`')) => begun.push(next),
                Some(next) => begun.extend(['\\', next]),
                None => return None,
            },
            (Some(_), _) => begun.push(letter),
            (None, '\'' | '"') => {
                open = Some(letter);
                was_quoted = true;
                kept = begun.len();
            }
            (None, '\\') => begun.push(letters.next()?),
            (None, ' ' | '\t' | '\n') => {
                let word = word.take().filter(|word| !word.is_empty() || was_quoted);
                words.extend(word);
                (kept, was_quoted) = (0, false);
            }
            (None, _) => {
                begun.push(letter);
                if breaks.contains(letter) {
                    kept = begun.len();
                }
            }
        }
    }
    // Where bash would begin after a quote that is closed is anybody's guess.
    if was_quoted && open.is_none() && word.is_some() {
        return None;
    }
    let word = word.unwrap_or_default();
    let kept = word.get(..kept).unwrap_or_default().to_owned();
    words.push(word);
    Some(Typed { words, kept, open })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BREAKS: &str = " \t\n\"'@><=;|&(:";

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    fn typed(line: &str) -> Option<(Vec<String>, String, Option<char>)> {
        let typed = Typed::in_bash(&strings(&[BREAKS, line]))?;
        Some((typed.words, typed.kept, typed.open))
    }

    #[test]
    fn a_line_of_bash_is_read_without_its_quotes() {
        for (line, expected, kept, open) in [
            ("nudge get ", &["nudge", "get", ""][..], "", None),
            ("nudge  get ap", &["nudge", "get", "ap"], "", None),
            (r"nudge get two\ w", &["nudge", "get", "two w"], "", None),
            (
                "nudge get 'two w",
                &["nudge", "get", "two w"],
                "",
                Some('\''),
            ),
            (
                "nudge get \"a\\\"b",
                &["nudge", "get", "a\"b"],
                "",
                Some('"'),
            ),
            ("nudge get '' b", &["nudge", "get", "", "b"], "", None),
            (
                "nudge get git:or",
                &["nudge", "get", "git:or"],
                "git:",
                None,
            ),
            ("nudge get $(x) ", &["nudge", "get", "$(x)", ""], "", None),
            (
                "nudge ls --cwd=/w",
                &["nudge", "ls", "--cwd=/w"],
                "--cwd=",
                None,
            ),
            (r"nudge get a\:b", &["nudge", "get", "a:b"], "", None),
            (
                "nudge get 'a b:c",
                &["nudge", "get", "a b:c"],
                "",
                Some('\''),
            ),
            (
                "nudge get ab'c d",
                &["nudge", "get", "abc d"],
                "ab",
                Some('\''),
            ),
        ] {
            assert_eq!(
                typed(line),
                Some((strings(expected), kept.to_owned(), open)),
                "{line}"
            );
        }
    }

    #[test]
    fn what_cannot_be_told_is_not_guessed() {
        for line in ["nudge get 'a'b", r"nudge get a\", r#"nudge get "a\"#] {
            assert_eq!(typed(line), None, "{line}");
        }
    }

    #[test]
    fn the_last_word_of_fish_is_in_its_quotes_and_that_of_powershell_behind_a_colon() {
        let fish = Typed::in_fish(strings(&["nudge", "get", r"two\ w"])).unwrap();
        assert_eq!(fish.words, ["nudge", "get", "two w"]);
        let fish = Typed::in_fish(strings(&["nudge", "get", ""])).unwrap();
        assert_eq!(fish.words, ["nudge", "get", ""]);
        let powershell = Typed::in_powershell(strings(&["nudge", "get", ":"])).unwrap();
        assert_eq!(powershell.words, ["nudge", "get", ""]);
    }
}
