//! Search: what people type, in the language of the index.

use nudge::Error;

use super::answers::Found;
use super::questions::{Here, invalid, limit, preview, start};
use super::requests::Search;
use crate::store::{ObsType, Observation};

const LONGEST: usize = 1024;

/// Words that say nothing by themselves.
const STOP_WORDS: &str = " a about an and are at be been before by can did do does for from had \
    has have how i in into is it last me my not of on or our that the then there these they this \
    to was we were what when where which who why will with you your ";

/// A question, in the language of the index.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Expression {
    /// Words, phrases and operators.
    pub(super) parts: Vec<String>,
    /// Whether they are nothing but words.
    is_plain: bool,
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
        if is_plain {
            let says = |part: &String| !STOP_WORDS.contains(&format!(" {} ", word(part)));
            let said: Vec<String> = parts.iter().filter(|part| says(part)).cloned().collect();
            parts = if said.is_empty() { parts } else { said };
        }
        Ok(Expression { parts, is_plain })
    }

    /// The line of an observation that has most of the words.
    fn line<'o>(&self, one: &'o Observation) -> Option<&'o str> {
        let output = one.output.as_deref().unwrap_or_default();
        let has = |line: &&str| {
            let line = line.to_lowercase();
            let words = self.parts.iter().map(|part| word(part));
            words.filter(|word| line.contains(&**word)).count()
        };
        // Of equals the first, which is the command's own.
        let lines = one.content.lines().chain(output.lines()).rev();
        lines.max_by_key(has).filter(|line| has(line) > 0)
    }
}

/// A part of a question as it may stand in a text.
fn word(part: &str) -> String {
    part.trim_end_matches('*').trim_matches('"').to_lowercase()
}

/// Words in quotes, which no sign in them breaks; `None` where there is no word.
pub(crate) fn quoted(words: &str, is_prefix: bool) -> Option<String> {
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
        let page = (limit(asked.limit, 20, 100), asked.offset.unwrap_or(0));
        let text = self.in_words_of(&question)?;
        let found = self.past.matching(&text, asked.obs_type, page)?;
        let hits = found.into_iter().map(|one| {
            let line = question.line(&one).map(start);
            let fixed_by = self.fixed_by(&one)?;
            let mut hit = preview(one);
            hit.matched = line.filter(|line| !hit.content_preview.contains(&**line));
            hit.fixed_by = fixed_by;
            Ok(hit)
        });
        let observations = hits.collect::<Result<_, Error>>()?;
        Ok(Found { observations })
    }

    /// A question in the language of the index: any of its words counts, but of rare ones and
    /// common ones only the rare.
    fn in_words_of(&self, question: &Expression) -> Result<String, Error> {
        let parts = &question.parts;
        if !question.is_plain || parts.len() == 1 {
            return Ok(parts.join(" "));
        }
        let mut rare = Vec::new();
        for part in parts {
            if !self.past.is_common(part)? {
                rare.push(part.as_str());
            }
        }
        let rare = rare.join(" OR ");
        // A word that is nowhere here finds nothing.
        let is_here = !rare.is_empty() && !self.past.matching(&rare, None, (1, 0))?.is_empty();
        Ok(if is_here { rare } else { parts.join(" OR ") })
    }

    /// What was done last between a failure and the next success of the same command.
    fn fixed_by(&self, one: &Observation) -> Result<Option<String>, Error> {
        if one.obs_type != ObsType::CommandError {
            return Ok(None);
        }
        let Some(success) = self.past.next_success(one)? else {
            return Ok(None);
        };
        let steps = self.steps_between(one, success.id)?;
        Ok(steps.first().map(|step| start(&step.content)))
    }
}
