//! As much of the grammar of Rust as it takes to find the paths in a file.

/// A file whose comments, tests and the insides of whose strings are blank, byte
/// for byte, so that a place in it is the same place in the file.
pub(crate) struct Code<'a> {
    file: &'a str,
    text: String,
}

impl<'a> Code<'a> {
    pub(crate) fn new(file: &'a str) -> Code<'a> {
        let text = without_tests(&without_comments(file));
        assert_eq!(text.len(), file.len());
        Code { file, text }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The number of the line that a place is in.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.file.split_at(offset).0.matches('\n').count() + 1
    }

    /// Whether what stands in a place of the file is code.
    pub(crate) fn is_code(&self, offset: usize) -> bool {
        self.text.as_bytes().get(offset) == self.file.as_bytes().get(offset)
    }

    /// What a module so far below the root names of the root, by `crate::`, by as
    /// many `super::` or in a group of either, and where.
    pub(crate) fn names_of_the_root(&self, depth: usize) -> Vec<(usize, &str)> {
        let mut names = Vec::new();
        for (start, hops) in [("crate::", 1), ("super::", depth)] {
            for (offset, _) in self.text.match_indices(start) {
                let (before, path) = self.text.split_at(offset);
                let goes_on =
                    |letter: char| letter == ':' || letter == '_' || letter.is_alphanumeric();
                let tail = path.trim_start_matches(start);
                if !before.ends_with(goes_on) && path.len() - tail.len() >= hops * start.len() {
                    names.extend(heads(tail).into_iter().map(|head| (offset, head)));
                }
            }
        }
        names
    }
}

/// The name that a text starts with, which may be none.
pub(crate) fn name(text: &str) -> &str {
    let end = text.find(|letter: char| letter != '_' && !letter.is_alphanumeric());
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

/// The first name of a path, or of each path in a group.
fn heads(path: &str) -> Vec<&str> {
    if !path.starts_with('{') {
        return vec![name(path)];
    }
    let (mut heads, mut depth) = (Vec::new(), 0);
    for piece in path.split_inclusive(['{', '}', ',']) {
        if depth == 1 {
            heads.push(name(piece.trim_start()));
        }
        match piece.chars().last() {
            Some('{') => depth += 1,
            Some('}') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    heads
}

/// A file with blanks for comments, characters and the insides of strings.
fn without_comments(file: &str) -> String {
    let mut code = String::with_capacity(file.len());
    let mut rest = file;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        let (before, from) = rest.split_at(at);
        code.push_str(before);
        let (thing, after) = from.split_at(length(before, from));
        match thing.strip_prefix('"') {
            Some(inside) => {
                code.push('"');
                blank(inside, &mut code);
            }
            None if thing.len() > 1 => blank(thing, &mut code),
            None => code.push_str(thing),
        }
        rest = after;
    }
    code.push_str(rest);
    code
}

/// How long the comment, string or character is that starts here; one if none does.
/// A comment in a comment is not looked for.
fn length(before: &str, from: &str) -> usize {
    let up_to = |end: &str, start: usize| {
        let found = from.get(start..).and_then(|from| from.find(end));
        found.map_or(from.len(), |found| start + found + end.len())
    };
    if from.starts_with("//") {
        return from.find('\n').unwrap_or(from.len());
    }
    if from.starts_with("/*") {
        return up_to("*/", 2);
    }
    if from.starts_with('"') {
        let raw = before.trim_end_matches('#');
        if raw.ends_with('r') {
            let hashes = before.split_at(raw.len()).1;
            return up_to(&format!("\"{hashes}"), 1);
        }
        let mut escaped = false;
        let end = from.bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        });
        return end.map_or(from.len(), |end| end + 2);
    }
    let mut letters = from.char_indices().skip(1).map(|(_, letter)| letter);
    match (letters.next(), letters.next()) {
        (Some('\\'), Some(_)) if from.starts_with('\'') => up_to("'", 3),
        (Some(letter), Some('\'')) if from.starts_with('\'') => letter.len_utf8() + 2,
        _ => 1,
    }
}

/// Code with blanks for what `#[cfg(test)]` stands before.
fn without_tests(code: &str) -> String {
    let mut left = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find("#[cfg(test)]") {
        let (before, from) = rest.split_at(at);
        left.push_str(before);
        let mut depth = 0;
        let end = from.find(|letter| {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            depth == 0 && matches!(letter, '}' | ';')
        });
        let (tests, after) = from.split_at(end.map_or(from.len(), |end| end + 1));
        blank(tests, &mut left);
        rest = after;
    }
    left.push_str(rest);
    left
}

/// As many blanks as a text has bytes; its lines stay lines.
fn blank(text: &str, into: &mut String) {
    let blanks = text.bytes();
    into.extend(blanks.map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
}
