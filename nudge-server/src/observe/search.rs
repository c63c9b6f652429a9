//! Search: what people type, in the language of the index.

use nudge::Error;

use super::answers::Found;
use super::questions::{Here, PREVIEW_COLUMNS, invalid, limit, preview};
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

/// A part of a question.
enum Part {
    Operator(&'static str),
    Words(String),
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
        let mut parts: Vec<Part> = Vec::new();
        let mut is_plain = pieces.len() == 1;
        for (index, piece) in pieces.iter().enumerate() {
            if index % 2 == 1 {
                let is_prefix = pieces
                    .get(index + 1)
                    .is_some_and(|next| next.starts_with('*'));
                parts.extend(quoted(piece, is_prefix).map(Part::Words));
                continue;
            }
            for word in piece.split_whitespace() {
                let operator = ["AND", "OR", "NOT"]
                    .into_iter()
                    .find(|known| *known == word);
                is_plain &= operator.is_none() && !word.ends_with('*');
                let words = || quoted(word, word.ends_with('*')).map(Part::Words);
                match (operator, parts.last()) {
                    // Many say `AND NOT` for what is `NOT` here.
                    (Some("NOT"), Some(Part::Operator("AND"))) => {
                        parts.pop();
                        parts.push(Part::Operator("NOT"));
                    }
                    (Some(operator), Some(Part::Words(_))) => parts.push(Part::Operator(operator)),
                    (Some(operator), _) => return Err(stray(operator)),
                    (None, _) => parts.extend(words()),
                }
            }
        }
        match parts.last() {
            None => return Err(invalid("query: there is no word in it")),
            Some(Part::Operator(operator)) => return Err(stray(operator)),
            Some(Part::Words(_)) => {}
        }
        let text = |part: &Part| match part {
            Part::Operator(operator) => (*operator).to_owned(),
            Part::Words(words) => words.clone(),
        };
        let texts: Vec<String> = parts.iter().map(text).collect();
        let is_said = |text: &&String| {
            let word = text.trim_matches('"').to_lowercase();
            !STOP_WORDS.contains(&format!(" {word} "))
        };
        let said: Vec<String> = texts.iter().filter(is_said).cloned().collect();
        Ok(Expression {
            all: texts.join(" "),
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
        "query: `{operator}` needs words on both sides; write it small to search for the word"
    ))
}

impl Here<'_> {
    pub(super) fn search(&self, asked: &Search) -> Result<Found, Error> {
        let question = Expression::read(&asked.query)?;
        let kind = asked.obs_type.map(super::requests::ObsType::name);
        let find = |expression: &str, limit: u32, offset: u32| {
            let sql = format!(
                "SELECT {PREVIEW_COLUMNS} FROM words f JOIN observations o ON o.id = f.rowid
                WHERE words MATCH ?1 AND o.repo = ?2 AND (?3 IS NULL OR o.obs_type = ?3)
                ORDER BY f.rank, o.id DESC LIMIT ?4 OFFSET ?5"
            );
            self.rows(&sql, (expression, self.repo, &kind, limit, offset), preview)
        };
        let (limit, offset) = (limit(asked.limit, 20, 100), asked.offset.unwrap_or(0));
        let mut observations = find(&question.all, limit, offset)?;
        // A question in whole sentences has words that no command has.
        if let Some(any) = question.any.filter(|_| observations.is_empty())
            && (offset == 0 || find(&question.all, 1, 0)?.is_empty())
        {
            observations = find(&any, limit, offset)?;
        }
        Ok(Found { observations })
    }
}
