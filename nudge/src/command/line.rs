//! `CommandLine`: a command as an agent runs it, as far as a shell's grammar tells.

/// The longest command that is looked at.
const LONGEST: usize = 4 * 1024;

/// A command, taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CommandLine {
    /// Where `cd` leads before it, as it is written.
    pub(crate) folder: Option<String>,
    /// What is run there, with one space between its words.
    pub(crate) text: String,
    /// The variables that its first simple command is given, as `NAME=VALUE`.
    pub(crate) variables: Vec<String>,
    /// The words of its first simple command, the program first; never empty.
    pub(crate) words: Vec<String>,
    /// Whether that is all there is: the command fails if and only if it fails.
    pub(crate) is_simple: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Operator(&'static str),
}

impl CommandLine {
    /// Takes a command apart; `None` for what this reader does not understand,
    /// such as an open quote or a here-document.
    pub(crate) fn read(command: &str) -> Option<CommandLine> {
        if command.len() > LONGEST {
            return None;
        }
        let tokens = tokens(command)?;
        let mut rest = bare(&tokens)?;
        let mut folder: Option<String> = None;
        while let [
            Token::Word(cd),
            Token::Word(to),
            Token::Operator("&&" | ";"),
            more @ ..,
        ] = rest
            && cd == "cd"
            && !more.is_empty()
        {
            folder = Some(moved(folder, &unquoted(to)));
            rest = more;
        }
        // It only says where the output goes, and agents add it by habit.
        if let [before @ .., Token::Word(last)] = rest
            && last == "2>&1"
        {
            rest = before;
        }
        let is_operator = |token: &Token| matches!(token, Token::Operator(_));
        let end = rest.iter().position(is_operator).unwrap_or(rest.len());
        let first = rest.get(..end)?;
        let (words, redirects) = plain_words(first);
        let mut variables: Vec<String> = words.into_iter().map(unquoted).collect();
        let is_set = |word: &&String| is_variable(word);
        let count = variables.iter().take_while(is_set).count();
        let words: Vec<String> = variables.split_off(count);
        if words.is_empty() {
            return None;
        }
        Some(CommandLine {
            folder,
            text: joined(rest),
            variables,
            words,
            is_simple: end == rest.len() && !redirects,
        })
    }

    /// Whether it is a pipe: how it ends says nothing of what comes before the last command.
    pub(crate) fn is_pipe(&self) -> bool {
        let commands = simple_commands(&self.text).unwrap_or_default();
        commands.iter().any(|simple| simple.operator == "|")
    }

    /// All words of the first simple command, its variables first.
    pub(crate) fn all_words(&self) -> impl Iterator<Item = &String> + Clone {
        self.variables.iter().chain(&self.words)
    }
}

/// A simple command in a line, and the operator behind it.
pub(super) struct Simple {
    /// As they were typed, without those that say where input and output go.
    pub(super) words: Vec<String>,
    /// Empty behind the last one.
    pub(super) operator: &'static str,
}

/// All simple commands of a line; `None` for what this reader does not understand.
pub(super) fn simple_commands(line: &str) -> Option<Vec<Simple>> {
    let tokens = tokens(line).filter(|_| line.len() <= LONGEST)?;
    let is_operator = |token: &Token| matches!(token, Token::Operator(_));
    let commands = bare(&tokens)?.split_inclusive(is_operator).map(|tokens| {
        let words = plain_words(tokens).0.into_iter().map(str::to_owned);
        Simple {
            words: words.collect(),
            operator: match tokens.last() {
                Some(Token::Operator(operator)) => operator,
                _ => "",
            },
        }
    });
    Some(commands.collect())
}

/// The folder that `cd` leads to from another one.
pub(super) fn moved(folder: Option<String>, to: &str) -> String {
    match folder {
        Some(above) if !to.starts_with(['/', '~']) => format!("{above}/{to}"),
        _ => to.to_owned(),
    }
}

/// The tokens without the parentheses around all of them and the line's end.
fn bare(tokens: &[Token]) -> Option<&[Token]> {
    let mut rest = tokens;
    while let [before @ .., Token::Operator(";")] = rest {
        rest = before;
    }
    if let [Token::Operator("("), inner @ .., Token::Operator(")")] = rest {
        rest = inner;
    }
    let is_bracket = |token: &Token| matches!(token, Token::Operator("(" | ")"));
    (!rest.iter().any(is_bracket)).then_some(rest)
}

fn joined(tokens: &[Token]) -> String {
    let words = tokens.iter().map(|token| match token {
        Token::Word(word) => word.as_str(),
        Token::Operator(operator) => operator,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The words without those that say where input and output go, and whether
/// there were any.
fn plain_words(tokens: &[Token]) -> (Vec<&str>, bool) {
    let mut words = Vec::new();
    let mut redirects = false;
    let mut is_target = false;
    for token in tokens {
        let Token::Word(word) = token else { continue };
        let sign = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        if std::mem::take(&mut is_target) {
            continue;
        }
        if sign.starts_with(['>', '<']) || sign.starts_with("&>") {
            redirects |= word != "2>&1";
            is_target = sign.ends_with(['>', '<']);
            continue;
        }
        words.push(word.as_str());
    }
    (words, redirects)
}

/// A word without the quotes around all of it.
pub(super) fn unquoted(word: &str) -> String {
    for quote in ['"', '\''] {
        let inner = word.strip_prefix(quote).and_then(|w| w.strip_suffix(quote));
        if let Some(inner) = inner.filter(|inner| !inner.contains(quote)) {
            return inner.to_owned();
        }
    }
    word.to_owned()
}

pub(super) fn is_variable(word: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.chars().all(is_part)
            && !name.starts_with(|l: char| l.is_ascii_digit())
    })
}

/// Splits a command at spaces and operators outside of quotes.
fn tokens(command: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    let mut letters = command.trim().chars().peekable();
    while let Some(letter) = letters.next() {
        let operator = match letter {
            '\'' | '"' | '`' => {
                word.push(letter);
                quoted(letter, &mut letters, &mut word)?;
                continue;
            }
            '\\' => {
                // The end of a line that goes on is white space.
                match letters.next()? {
                    '\n' => "",
                    escaped => {
                        word.extend(['\\', escaped]);
                        continue;
                    }
                }
            }
            '$' if letters.peek() == Some(&'(') => {
                word.push('$');
                substituted(&mut letters, &mut word)?;
                continue;
            }
            '#' if word.is_empty() => {
                while letters.next_if(|letter| *letter != '\n').is_some() {}
                ""
            }
            '<' if letters.peek() == Some(&'<') => return None,
            '&' if word.ends_with(['>', '<']) || letters.peek() == Some(&'>') => {
                word.push('&');
                continue;
            }
            '&' => either(letters.next_if_eq(&'&').is_some(), "&&", "&"),
            '|' => either(letters.next_if_eq(&'|').is_some(), "||", "|"),
            // A line that ends with an operator goes on.
            '\n' if word.is_empty() && matches!(tokens.last(), Some(Token::Operator(_))) => "",
            ';' | '\n' => ";",
            '(' if word.is_empty() => "(",
            '(' => return None,
            ')' => ")",
            letter if letter.is_whitespace() => "",
            letter => {
                word.push(letter);
                continue;
            }
        };
        if !word.is_empty() {
            tokens.push(Token::Word(std::mem::take(&mut word)));
        }
        if !operator.is_empty() {
            tokens.push(Token::Operator(operator));
        }
    }
    if !word.is_empty() {
        tokens.push(Token::Word(word));
    }
    Some(tokens)
}

fn either(is_double: bool, double: &'static str, single: &'static str) -> &'static str {
    if is_double { double } else { single }
}

type Letters<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Copies what is quoted, with the quote that ends it.
fn quoted(quote: char, letters: &mut Letters<'_>, word: &mut String) -> Option<()> {
    loop {
        let letter = letters.next()?;
        word.push(letter);
        if letter == quote {
            return Some(());
        }
        if letter == '\\' && quote != '\'' {
            word.push(letters.next()?);
        }
    }
}

/// Copies a substitution, with the bracket that ends it.
fn substituted(letters: &mut Letters<'_>, word: &mut String) -> Option<()> {
    let mut depth = 0_usize;
    loop {
        let letter = letters.next()?;
        word.push(letter);
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(()),
            ')' => depth -= 1,
            _ => {}
        }
    }
}
