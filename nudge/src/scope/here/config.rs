//! The few lines of git's `config` that name a repository, read by git's own rules.

use std::str::Chars;

/// What a repository's `config` says about its remotes.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Config {
    /// The first url of `origin`.
    origin: Option<String>,
    /// Name and first url of the first remote that is another.
    other: Option<(String, String)>,
    /// Whether there are several such.
    has_more: bool,
    /// The last value of `core.bare`: the repository has no work tree.
    pub(super) bare: bool,
}

impl Config {
    /// Reads the text of a `config`; `None` where git would refuse it.
    pub(super) fn parse(text: &str) -> Option<Config> {
        let mut config = Config::default();
        // After a byte order mark, and with line ends made alike.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text = text.replace("\r\n", "\n");
        let mut reader = Reader(text.chars());
        let mut section = String::new();
        loop {
            match reader.0.next() {
                None => return Some(config),
                Some('#' | ';') => reader.skip_line(),
                Some('[') => section = reader.section()?,
                Some(c) if is_space(c) => {}
                Some(c) if c.is_ascii_alphabetic() => {
                    let (key, value) = reader.entry(c)?;
                    config.take(&section, &key, value);
                }
                Some(_) => return None,
            }
        }
    }

    /// The url of `origin`, else that of the only remote.
    pub(super) fn remote(&self) -> Option<&str> {
        let other = self.other.as_ref().filter(|_| !self.has_more);
        let origin = self.origin.as_deref();
        origin.or_else(|| other.map(|(_, url)| url.as_str()))
    }

    /// Keeps an entry if it is one of the few that count.
    fn take(&mut self, section: &str, key: &str, value: Option<String>) {
        if let Some(name) = section.strip_prefix("remote.")
            && key == "url"
            && let Some(url) = value
        {
            if url.is_empty() {
                return;
            }
            if name == "origin" {
                self.origin.get_or_insert(url);
                return;
            }
            let (first, _) = self.other.get_or_insert_with(|| (name.to_owned(), url));
            self.has_more |= first != name;
        } else if (section, key) == ("core", "bare") {
            // A key that stands alone is true.
            let value = value.unwrap_or_else(|| "true".into()).to_ascii_lowercase();
            self.bare = matches!(value.as_str(), "true" | "yes" | "on" | "1");
        }
    }
}

/// The characters of a `config`.
struct Reader<'a>(Chars<'a>);

impl Reader<'_> {
    /// The next character, where the end of the text ends a line as well.
    fn next_or_line_end(&mut self) -> char {
        self.0.next().unwrap_or('\n')
    }

    fn skip_line(&mut self) {
        while self.next_or_line_end() != '\n' {}
    }

    /// Reads the header of a section after its `[`: `name`, `name.sub` in lower case, or `name "Sub"`.
    fn section(&mut self) -> Option<String> {
        let mut name = String::new();
        loop {
            match self.0.next()? {
                ']' => return Some(name),
                c if is_space(c) => return self.subsection(name, c),
                c if is_key(c) || c == '.' => name.push(c.to_ascii_lowercase()),
                _ => return None,
            }
        }
    }

    /// Reads the quoted rest of a header, in which a backslash makes the next character plain.
    fn subsection(&mut self, section: String, space: char) -> Option<String> {
        let mut next = space;
        while is_space(next) {
            if next == '\n' {
                return None;
            }
            next = self.0.next()?;
        }
        if next != '"' {
            return None;
        }
        let mut name = section;
        name.push('.');
        loop {
            let c = match self.0.next()? {
                '"' => break,
                '\\' => self.0.next()?,
                c => c,
            };
            if c == '\n' {
                return None;
            }
            name.push(c);
        }
        (self.0.next()? == ']').then_some(name)
    }

    /// Reads a key that begins with `first` and its value; a key may stand alone.
    fn entry(&mut self, first: char) -> Option<(String, Option<String>)> {
        let mut key = String::from(first.to_ascii_lowercase());
        let mut next = self.next_or_line_end();
        while is_key(next) {
            key.push(next.to_ascii_lowercase());
            next = self.next_or_line_end();
        }
        while matches!(next, ' ' | '\t') {
            next = self.next_or_line_end();
        }
        match next {
            '\n' => Some((key, None)),
            '=' => Some((key, Some(self.value()?))),
            _ => None,
        }
    }

    /// Reads a value to the end of its line: quotes go, escapes are resolved, outer space is dropped.
    fn value(&mut self) -> Option<String> {
        let mut value = String::new();
        let mut spaces = 0;
        let mut quoted = false;
        loop {
            let c = self.next_or_line_end();
            match c {
                '\n' => return (!quoted).then_some(value),
                '#' | ';' if !quoted => {
                    self.skip_line();
                    return Some(value);
                }
                c if is_space(c) && !quoted => {
                    spaces += usize::from(!value.is_empty());
                    continue;
                }
                _ => value.extend(std::iter::repeat_n(' ', std::mem::take(&mut spaces))),
            }
            match c {
                '"' => quoted = !quoted,
                '\\' => match self.next_or_line_end() {
                    '\n' => {}
                    't' => value.push('\t'),
                    'b' => value.push('\u{8}'),
                    'n' => value.push('\n'),
                    c @ ('\\' | '"') => value.push(c),
                    _ => return None,
                },
                c => value.push(c),
            }
        }
    }
}

/// Whether git takes the character for space.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Whether the character may stand in a key or a section's name.
fn is_key(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}
