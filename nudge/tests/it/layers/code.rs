//! The words and marks of a file, by which the paths in it are found.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The code of a file without its comments and tests: words, marks and literals in their order,
/// each with its line.
pub(crate) struct Code(Vec<(String, usize)>);

impl Code {
    pub(crate) fn new(file: &str) -> Code {
        let mut code = Code(Vec::new());
        code.add(file.parse().unwrap());
        code
    }

    fn add(&mut self, stream: TokenStream) {
        let mut trees = stream.into_iter().peekable();
        while let Some(tree) = trees.next() {
            if trees.peek().is_some_and(is_for_tests) && tree.to_string() == "#" {
                // What the attribute stands before ends with a mark, or with its body.
                let ends = |tree: &TokenTree| match tree {
                    TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                    tree => tree.to_string() == ";",
                };
                trees.by_ref().find(ends);
                continue;
            }
            self.add_tree(tree);
        }
    }

    fn add_tree(&mut self, tree: TokenTree) {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Group(group) => {
                let [open, close] = marks(&group).map(|mark| (mark.to_owned(), line));
                self.0.push(open);
                self.add(group.stream());
                self.0.push(close);
            }
            // Two colons are one mark.
            tree => match (tree.to_string(), self.0.last_mut()) {
                (word, Some((before, _))) if word == ":" && before == ":" => before.push(':'),
                (word, _) => self.0.push((word, line)),
            },
        }
    }

    fn word(&self, at: usize) -> &str {
        self.0.get(at).map_or("", |(word, _)| word)
    }

    /// What a module so far below the root names of the root, by `crate::`, by as
    /// many `super::` or in a group of either, each with its line.
    pub(crate) fn names_of_the_root(&self, depth: usize) -> Vec<(usize, &str)> {
        let mut names = Vec::new();
        for (at, (word, line)) in self.0.iter().enumerate() {
            let hops = match &**word {
                "crate" => 1,
                "super" => depth,
                _ => continue,
            };
            let is_path = |hop: usize| {
                let at = at + 2 * hop;
                self.word(at) == word && self.word(at + 1) == "::"
            };
            let goes_on = at > 0 && self.word(at - 1) == "::";
            if !goes_on && (0..hops).all(is_path) {
                let heads = self.heads(at + 2 * hops).into_iter();
                names.extend(heads.map(|head| (*line, head)));
            }
        }
        names
    }

    /// The first name of a path, or of each path in a group.
    fn heads(&self, at: usize) -> Vec<&str> {
        if self.word(at) != "{" {
            return vec![self.word(at)];
        }
        let (mut heads, mut depth, mut is_first) = (Vec::new(), 0, false);
        for (word, _) in self.0.iter().skip(at) {
            match &**word {
                "{" => depth += 1,
                "}" => depth -= 1,
                name if is_first && name != "," => heads.push(name),
                _ => {}
            }
            is_first = depth == 1 && ["{", ","].contains(&&**word);
            if depth == 0 {
                break;
            }
        }
        heads
    }

    /// The words of each `use`, without where it starts.
    pub(crate) fn uses(&self) -> Vec<Vec<&str>> {
        let words: Vec<&str> = self.0.iter().map(|(word, _)| &**word).collect();
        let statements = words.split(|word| *word == ";");
        let uses = statements.filter_map(|statement| {
            let start = statement.iter().position(|word| *word == "use")?;
            let is_name = |word: &&str| !["crate", "self", "::", "{", "}", ","].contains(word);
            let words = statement.iter().copied().skip(start + 1);
            Some(words.filter(is_name).collect())
        });
        uses.collect()
    }

    /// The literals, each with its line.
    pub(crate) fn literals(&self) -> impl Iterator<Item = (usize, &str)> {
        let literals = self.0.iter().filter(|(word, _)| word.ends_with('"'));
        literals.map(|(word, line)| (*line, &**word))
    }
}

/// Whether this is the rest of `#[cfg(test)]`.
fn is_for_tests(tree: &TokenTree) -> bool {
    let TokenTree::Group(group) = tree else {
        return false;
    };
    let words = group.stream().to_string().replace(' ', "");
    group.delimiter() == Delimiter::Bracket && words == "cfg(test)"
}

fn marks(group: &Group) -> [&'static str; 2] {
    match group.delimiter() {
        Delimiter::Brace => ["{", "}"],
        Delimiter::Bracket => ["[", "]"],
        _ => ["(", ")"],
    }
}
