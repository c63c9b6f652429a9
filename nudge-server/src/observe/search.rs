//! Search: what people type, in the language of the index.

use nudge::Error;

use super::answers::Found;
use super::questions::{Here, invalid, limit, preview};
use super::requests::Search;

/// The longest question.
const LONGEST: usize = 1024;

/// Words that say nothing by themselves, in a question for which all words were too many.
const STOP_WORDS: &str = " a about an and are at be been before by can did do does for from had \
    has have how i in into is it last me my not of on or our that the then there these they this \
    to was we were what when where which who why will with you your ";

/// A question, in the language of the index.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Expression {
    /// With all that was asked for.
    pub(super) all: String,
    /// With any of the words, if they are nothing but words.
    pub(super) any: Option<String>,
}

impl Expression {
    /// Reads a question. Everything is taken for words but `AND`, `OR`, `NOT`, quotes and a `*`
    /// at the end of a word: what a shell or a compiler prints is full of signs.
    pub(super) fn read(query: &str) -> Result<Expression, Error> {
        if query.len() > LONGEST {
            return Err(invalid(
                "query: at most 1024 bytes; take the words that matter",
            ));
        }
        let pieces: Vec<&str> = query.split('"').collect();
        if pieces.len().is_multiple_of(2) {
            return Err(invalid(
                "query: a quote is not closed; close it, or leave quotes out",
            ));
        }
        // Words are in quotes, operators are not.
        let mut parts: Vec<String> = Vec::new();
        let mut is_plain = pieces.len() == 1;
        for (index, piece) in pieces.iter().enumerate() {
            if index % 2 == 1 {
                let next = pieces.get(index + 1).copied().unwrap_or_default();
                parts.extend(quoted(piece, next.starts_with('*')));
                continue;
            }
            for word in piece.split_whitespace() {
                let is_operator = ["AND", "OR", "NOT"].contains(&word);
                let is_prefix = word.ends_with('*');
                is_plain &= !is_operator && !is_prefix;
                match parts.last_mut() {
                    _ if !is_operator => parts.extend(quoted(word, is_prefix)),
                    Some(last) if last.starts_with('"') => parts.push(word.to_owned()),
                    // Many say `AND NOT` for what is `NOT` here.
                    Some(last) if last == "AND" && word == "NOT" => word.clone_into(last),
                    _ => return Err(stray(word)),
                }
            }
        }
        match parts.last() {
            None => return Err(invalid("query: there is no word in it")),
            Some(last) if !last.starts_with('"') => return Err(stray(last)),
            _ => {}
        }
        let is_said = |text: &&String| {
            let word = text.trim_matches('"').to_lowercase();
            !STOP_WORDS.contains(&format!(" {word} "))
        };
        let said: Vec<String> = parts.iter().filter(is_said).cloned().collect();
        Ok(Expression {
            all: parts.join(" "),
            any: (is_plain && !said.is_empty()).then(|| said.join(" OR ")),
        })
    }
}

/// Words in quotes, which no sign in them breaks; `None` where there is no word.
pub(super) fn quoted(words: &str, is_prefix: bool) -> Option<String> {
    let has_word = words.chars().any(char::is_alphanumeric);
    let words = words.replace(['"', '\0'], " ");
    let end = if is_prefix { "*" } else { "" };
    has_word.then(|| format!("\"{}\"{end}", words.trim_end_matches('*')))
}

fn stray(operator: &str) -> Error {
    invalid(&format!(
        "query: `{operator}` needs words on both sides; write it in lower case to search for the word"
    ))
}

impl Here<'_> {
    pub(super) fn search(&self, asked: &Search) -> Result<Found, Error> {
        let question = Expression::read(&asked.query)?;
        let find = |expression: &str, limit: u32, offset: u32| {
            let page = (limit, offset);
            self.past.matching(expression, asked.obs_type, page)
        };
        let (limit, offset) = (limit(asked.limit, 20, 100), asked.offset.unwrap_or(0));
        let mut observations = find(&question.all, limit, offset)?;
        // A question in whole sentences has words that no command has.
        if let Some(any) = question.any.filter(|_| observations.is_empty())
            && (offset == 0 || find(&question.all, 1, 0)?.is_empty())
        {
            observations = find(&any, limit, offset)?;
        }
        let observations = observations.into_iter().map(preview).collect();
        Ok(Found { observations })
    }
}
