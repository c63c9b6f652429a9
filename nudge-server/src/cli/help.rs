//! The help: the commands of `nudge` in groups, and what is left out of `-h`.

use std::io::{self, IsTerminal};

use clap::Error;

use super::every_command::Color;
use super::output::{self, Exit};

/// The groups of commands: those that hands need, and the rest.
const GROUPS: [(&str, &str, &str); 5] = [
    (
        "Hints",
        "set get ls query delete undo",
        "why edit mv bump run keep kept trust untrust export import",
    ),
    (
        "Agents",
        "install proposals accept",
        "reject prime context learn check uninstall serve hook statusline",
    ),
    ("Session", "status", "restart restore stop sync"),
    (
        "Look",
        "week search ui",
        "watch observe log history trace fix purge",
    ),
    ("More", "doctor", "config init token completions help"),
];

/// Parts of the help of a command that are the same for many of them.
const COMMON: [&str; 2] = ["For every command:", "Where you are "];

/// Prints the help that was asked for, or what clap says to a command line.
pub(crate) fn print(said: &Error) -> Exit {
    let is_short = std::env::args_os().all(|word| word != "--help" && word != "help");
    let text = laid_out(&said.render().to_string(), is_short);
    if said.use_stderr() {
        return output::print(io::stderr(), &styled(text, &io::stderr()), Exit::Refused);
    }
    output::print(io::stdout(), &styled(text, &io::stdout()), Exit::Done)
}

/// The help as it is shown: with groups of commands, or without what is common to many.
fn laid_out(text: &str, is_short: bool) -> String {
    let commands = text.split_once("Commands:\n");
    let commands = commands.and_then(|(start, rest)| Some((start, rest.split_once("\n\n")?)));
    match commands {
        Some((start, (commands, _))) if is_short => {
            let about = start.lines().next().unwrap_or_default();
            let commands = grouped(commands, true);
            format!(
                "{about}\n\n{commands}\n`nudge --help` lists all commands, `nudge COMMAND -h` helps with one\n"
            )
        }
        Some((start, (commands, rest))) => {
            let commands = grouped(commands, false);
            format!("{start}{commands}{rest}")
        }
        None if is_short && text.contains("\nOptions:\n") => {
            let parts = text.split("\n\n");
            let is_own = |part: &&str| !COMMON.iter().any(|start| part.starts_with(start));
            let own: Vec<&str> = parts.filter(is_own).collect();
            let own = own.join("\n\n");
            format!("{}\n\n`--help` shows more\n", own.trim_end())
        }
        None => text.to_owned(),
    }
}

/// The lines of a list of commands in their groups.
fn grouped(commands: &str, is_short: bool) -> String {
    let line = |name: &str| {
        let mut lines = commands.lines();
        lines.find(|line| line.split_whitespace().next() == Some(name))
    };
    let mut groups = String::new();
    for (heading, needed, rest) in GROUPS {
        let names = needed
            .split(' ')
            .chain(rest.split(' ').filter(|_| !is_short));
        groups += &[heading, ":\n"].concat();
        for line in names.filter_map(line) {
            let short = line.split_once(" [").filter(|_| is_short);
            groups += short.map_or(line, |(short, _)| short);
            groups += "\n";
        }
        groups += if is_short { "" } else { "\n" };
    }
    groups
}

/// The text with its headings bold and what is typed in color, where the stream takes it.
fn styled(text: String, stream: &impl IsTerminal) -> String {
    if !Color::typed().is_for(stream) {
        return text;
    }
    let lines = text.lines().map(|line| {
        let term = line.trim_start().split("  ").next().unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        let (style, end) = match line.find(':') {
            Some(at) if indent == 0 && (at + 1 == line.len() || line.starts_with("Usage")) => {
                (1, at + 1)
            }
            _ if indent > 0 => (36, indent + term.len()),
            _ => return format!("{line}\n"),
        };
        let (start, rest) = line.split_at(end);
        format!("\u{1b}[{style}m{start}\u{1b}[0m{rest}\n")
    });
    lines.collect()
}
