//! The entry of Nudge in a config: what it should say, and what one that is there says.

use super::format::{Edit, Found, Value};
use super::machine::Machine;
use super::table::Host;

/// The environment that a host gives to Nudge: what an agent sets belongs to
/// the repository that it works in.
const ENVIRONMENT: [(&str, &str); 1] = [("NUDGE_SCOPE_WRITES", "repo")];

/// The arguments that make the binary a server.
const ARGUMENTS: [&str; 1] = ["serve"];

/// What a field of an entry says.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// A word of the host's.
    Word(&'static str),
    /// A list of such words.
    Words(&'static [&'static str]),
    /// The path of the binary.
    Program,
    /// Its arguments.
    Arguments,
    /// The path and the arguments in one list.
    CommandLine,
    /// The variables that it is started with.
    Environment,
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
    variables: Vec<String>,
}

/// A part as the value of its field.
fn value(part: Part, program: &str) -> Value {
    let texts = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    match part {
        Part::Word(word) => Value::Text(word.to_owned()),
        Part::Words(words) => Value::List(texts(words)),
        Part::Program => Value::Text(program.to_owned()),
        Part::Arguments => Value::List(texts(&ARGUMENTS)),
        Part::CommandLine => Value::List([texts(&[program]), texts(&ARGUMENTS)].concat()),
        Part::Environment => {
            let pair = |(name, text): (&str, &str)| (name.to_owned(), Value::Text(text.to_owned()));
            Value::Map(ENVIRONMENT.into_iter().map(pair).collect())
        }
    }
}

/// The entry of a host, for a config that has none.
pub(crate) fn wanted(host: &Host, program: &str) -> Value {
    let field = |&(name, part): &(&str, Part)| (name.to_owned(), value(part, program));
    Value::Map(host.entry.iter().map(field).collect())
}

/// The edit that adds the entry to a config that has none.
pub(crate) fn addition(host: &Host, program: &str) -> Edit {
    Edit::set(&host.keys(), wanted(host, program))
}

impl Present {
    /// What an entry that was found says.
    pub(crate) fn read(host: &Host, found: Found) -> Present {
        let mut present = Present {
            line: found.line,
            program: String::new(),
            arguments: Vec::new(),
            names: found.names,
            variables: Vec::new(),
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
                (Some(Part::Environment), Value::Map(pairs)) => {
                    present.variables = pairs.into_iter().map(|(name, _)| name).collect();
                }
                _ => {}
            }
        }
        present
    }

    /// Whether it starts Nudge. Another product has a binary of that name, but
    /// none that is started as `nudge serve`.
    pub(crate) fn is_ours(&self) -> bool {
        let name = self.program.rsplit(['/', '\\']).next();
        name == Some("nudge") && self.arguments.first().map(String::as_str) == Some("serve")
    }

    /// What it should say and does not, with what comes of that.
    pub(crate) fn lacks(&self, host: &Host) -> Option<(&'static str, &'static str)> {
        let has = |names: &[String], name: &str| names.iter().any(|known| known == name);
        for (name, _) in ENVIRONMENT {
            if !has(&self.variables, name) {
                return Some((name, "hints that agents set apply in every repository"));
            }
        }
        let mut fields = host.entry.iter().map(|(name, _)| *name);
        let wants_cwd = fields.any(|name| name == "cwd");
        (wants_cwd && !has(&self.names, "cwd"))
            .then_some(("cwd", "Nudge is not started in the project"))
    }

    /// The edits that make it say what it should. What it says beside, and the
    /// values of its variables, are somebody's choice and stay.
    pub(crate) fn mended(&self, host: &Host, machine: &Machine, program: &str) -> Vec<Edit> {
        let starts_this = machine.starts_this(&self.program);
        let mut edits = Vec::new();
        for &(name, part) in host.entry {
            let [servers, entry] = host.keys();
            let is_there = self.names.iter().any(|known| known == name);
            let value = match (part, value(part, program)) {
                (Part::Program, value) if !starts_this => value,
                (Part::CommandLine, _) if !starts_this => {
                    let words = [vec![program.to_owned()], self.arguments.clone()].concat();
                    Value::List(words)
                }
                (Part::Environment, Value::Map(pairs)) if is_there => {
                    for (variable, value) in pairs {
                        if !self.variables.contains(&variable) {
                            edits.push(Edit::set(&[servers, entry, name, &variable], value));
                        }
                    }
                    continue;
                }
                (_, value) if !is_there => value,
                _ => continue,
            };
            edits.push(Edit::set(&[servers, entry, name], value));
        }
        edits
    }
}
