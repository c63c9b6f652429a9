//! The words of a command line, quotes respected.

use std::borrow::Cow;

/// How many words of a command line are looked at.
const WORDS_MAX: usize = 4096;

pub(super) enum Word<'a> {
    /// A word without its quotes.
    Text(Cow<'a, str>),
    /// The border between two commands: `;`, `&&`, `|`, or a line's end.
    Break,
}

/// Splits a command line into words.
pub(super) fn words(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = text;
    while words.len() < WORDS_MAX {
        rest = rest.trim_start_matches([' ', '\t', '\r']);
        let Some(first) = rest.bytes().next() else {
            break;
        };
        if matches!(first, b';' | b'|' | b'&' | b'\n') {
            words.push(Word::Break);
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        let (word, length) = word(rest);
        if !(word.is_empty() && length == 0) {
            words.push(Word::Text(word));
        }
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    words
}

/// Reads one word and returns it with the number of bytes it takes in the text.
fn word(text: &str) -> (Cow<'_, str>, usize) {
    let bytes = text.as_bytes();
    let plain = bytes
        .iter()
        .position(|byte| ends(*byte) || matches!(byte, b'"' | b'\'' | b'\\' | b'$' | b'`'))
        .unwrap_or(bytes.len());
    if bytes.get(plain).is_none_or(|byte| ends(*byte)) {
        return (Cow::Borrowed(text.get(..plain).unwrap_or_default()), plain);
    }
    let mut reader = Reader {
        text,
        at: plain,
        out: text.get(..plain).unwrap_or_default().to_owned(),
    };
    reader.run();
    (Cow::Owned(reader.out), reader.at)
}

/// Says whether the byte ends a word outside of quotes.
const fn ends(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b';' | b'|' | b'&')
}

/// The state of reading a word with quotes, escapes or substitutions.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    out: String,
}

impl Reader<'_> {
    fn run(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\'' | b'"' => self.quoted(byte),
                b'\\' => self.escape(),
                b'`' => self.until('`'),
                b'$' => match self.text.as_bytes().get(self.at + 1) {
                    Some(b'(') => self.until(')'),
                    Some(b'{') => self.until('}'),
                    _ => self.take(),
                },
                byte if ends(byte) => break,
                _ => self.take(),
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self) {
        let letter = self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next());
        self.out.extend(letter);
        self.at = letter.map_or(self.text.len(), |letter| self.at + letter.len_utf8());
    }

    /// Reads a quoted part; an open quote reaches to the text's end.
    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            if byte == quote {
                self.at += 1;
                return;
            }
            if byte == b'\\' && quote == b'"' {
                self.escape();
            } else {
                self.take();
            }
        }
    }

    /// Reads a backslash, which only hides a sign and is itself kept before a letter, as in a Windows path.
    fn escape(&mut self) {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\'' | b'\\' | b' ' | b'$' | b'`' | b'!' | b'&' | b';' | b'|' | b'#') => {
                self.take();
            }
            Some(b'\n') => self.at += 1,
            _ => self.out.push('\\'),
        }
    }

    /// Takes over everything up to and with the closing sign.
    fn until(&mut self, close: char) {
        let rest = self.text.get(self.at + 1..).unwrap_or_default();
        let length = rest.find(close).map_or(rest.len(), |end| end + 1) + 1;
        self.out
            .push_str(self.text.get(self.at..self.at + length).unwrap_or_default());
        self.at += length;
    }
}

#[cfg(test)]
mod tests {
    use super::{Word, words};

    #[test]
    fn respects_quotes_and_breaks() {
        let list: Vec<String> = words("a 'b c' \"d \\\"e\" f\\ g $(h i) ${j k} && C:\\dev|l")
            .iter()
            .map(|word| match word {
                Word::Text(text) => text.to_string(),
                Word::Break => "|".to_owned(),
            })
            .collect();
        assert_eq!(
            list,
            [
                "a", "b c", "d \"e", "f g", "$(h i)", "${j k}", "|", "|", "C:\\dev", "|", "l"
            ]
        );
        assert!(words("'open é").len() == 1 && words("").is_empty());
    }
}
