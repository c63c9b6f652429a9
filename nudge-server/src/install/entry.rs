//! The entry of Nudge in a config: what it should say, and what one that is there says.

use super::format::{Edit, Found, Value};
use super::table::Host;

/// The arguments that make the binary a server.
const ARGUMENTS: [&str; 1] = ["serve"];

/// What a field of an entry says.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// A word of the host's.
    Word(&'static str),
    Number(u32),
    /// A list of such words.
    Words(&'static [&'static str]),
    Program,
    Arguments,
    /// The path and the arguments in one list.
    CommandLine,
}

/// An entry called `nudge` that a config holds.
#[derive(Debug)]
pub(crate) struct Present {
    /// Where it starts, from 1.
    pub(crate) line: usize,
    /// What it starts; empty where it starts no program.
    pub(crate) program: String,
    arguments: Vec<String>,
    names: Vec<String>,
    /// The variables that it passes on, by field.
    passed: Vec<(String, Vec<String>)>,
}

/// A part as the value of its field.
fn value(part: Part, program: &str) -> Value {
    let texts = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    match part {
        Part::Word(word) => Value::Text(word.to_owned()),
        Part::Number(number) => Value::Number(number),
        Part::Words(words) => Value::List(texts(words)),
        Part::Program => Value::Text(program.to_owned()),
        Part::Arguments => Value::List(texts(&ARGUMENTS)),
        Part::CommandLine => Value::List([texts(&[program]), texts(&ARGUMENTS)].concat()),
    }
}

/// The entry of a host, for a config that has none.
pub(crate) fn wanted(host: &Host, program: &str) -> Value {
    let field = |&(name, part): &(&str, Part)| (name.to_owned(), value(part, program));
    Value::Map(host.entry.iter().map(field).collect())
}

/// The edit that adds the entry to a config that has none.
pub(crate) fn addition(host: &Host, program: &str) -> Edit<'static> {
    Edit::set(&host.keys(), wanted(host, program))
}

impl Present {
    pub(crate) fn read(host: &Host, found: Found) -> Present {
        let mut present = Present {
            line: found.line,
            program: String::new(),
            arguments: Vec::new(),
            names: found.names,
            passed: Vec::new(),
        };
        let Some(Value::Map(fields)) = found.value else {
            return present;
        };
        for (name, value) in fields {
            let part = host.entry.iter().find(|(known, _)| *known == name);
            match (part.map(|(_, part)| part), value) {
                (Some(Part::Program), Value::Text(program)) => present.program = program,
                (Some(Part::Arguments), Value::List(words)) => present.arguments = words,
                (Some(Part::CommandLine), Value::List(words)) => {
                    let mut words = words.into_iter();
                    present.program = words.next().unwrap_or_default();
                    present.arguments = words.collect();
                }
                (None, Value::List(words)) => present.passed.push((name, words)),
                (None, Value::Map(fields)) => {
                    let names = fields.into_iter().map(|(name, _)| name);
                    present.passed.push((name, names.collect()));
                }
                _ => {}
            }
        }
        present
    }

    /// Whether it starts Nudge. Another product has a binary of that name, but
    /// none that is started as `nudge serve`.
    pub(crate) fn is_ours(&self) -> bool {
        is_nudge(&self.program) && self.arguments.first().map(String::as_str) == Some("serve")
    }

    /// Whether it should name the folder to start in and does not.
    pub(crate) fn lacks_cwd(&self, host: &Host) -> bool {
        host.entry.iter().any(|&(name, _)| name == "cwd") && !self.has("cwd")
    }

    /// Which of some variables do not reach the server, in a host that passes on few by
    /// itself; none where an entry passes them on in a way that cannot be read.
    pub(crate) fn holds_back<'v>(&self, host: &Host, mut variables: Vec<&'v str>) -> Vec<&'v str> {
        let passed = |field: &&str| self.passed.iter().find(|(name, _)| name == field);
        let fields = host.passes.iter().filter(|field| self.has(field));
        let fields: Option<Vec<_>> = fields.map(passed).collect();
        let Some(fields) = fields.filter(|_| !host.passes.is_empty()) else {
            return Vec::new();
        };
        let passed = fields.iter().flat_map(|(_, names)| names);
        variables.retain(|name| !passed.clone().any(|it| it == name));
        variables
    }

    /// Whether it has a field of this name.
    fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// The edits that make it say what it should. What it says beside is
    /// somebody's choice and stays.
    pub(crate) fn mended(&self, host: &Host, is_right: bool, program: &str) -> Vec<Edit<'static>> {
        let mut edits = Vec::new();
        for &(name, part) in host.entry {
            let [servers, entry] = host.keys();
            let value = match part {
                Part::Program if !is_right => value(part, program),
                Part::CommandLine if !is_right => {
                    let words = [vec![program.to_owned()], self.arguments.clone()].concat();
                    Value::List(words)
                }
                _ if self.has(name) => continue,
                _ => value(part, program),
            };
            edits.push(Edit::set(&[servers, entry, name], value));
        }
        edits
    }
}

/// Whether a program is called as Nudge is, on whatever system.
pub(super) fn is_nudge(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    name.strip_suffix(".exe").unwrap_or(name) == "nudge"
}
