//! The manual pages, made from the same words as `--help`.

use std::fmt::Write;

use clap::Command;
use clap_mangen::roff::{Roff, bold, roman};
use nudge_server::cli::{HELP, command};
use nudge_server::config::VARIABLES;

/// Where the words of a command go over into what is typed.
const EXAMPLES: &str = "Examples:\n";

/// What every part of a page begins with, and the whole needs once.
const PREAMBLE: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

/// Every page with the name of its file.
pub(crate) fn pages() -> Vec<(String, String)> {
    let mut command = command().disable_help_subcommand(true);
    command.build();
    let parts = command.get_subcommands().filter(|part| !part.is_hide_set());
    let examples = HELP.lines().filter(|line| line.starts_with("  "));
    let examples: Vec<&str> = examples.collect();
    let status = command.get_after_help().map(ToString::to_string);
    let status = status.unwrap_or_default();
    let mut pages = vec![page(&command, &examples, |roff| root(roff, &status))];
    for part in parts {
        let after = part.get_after_help().map(ToString::to_string);
        let after = after.unwrap_or_default();
        let (words, examples) = after.split_once(EXAMPLES).unwrap_or((&after, ""));
        let examples: Vec<&str> = examples.lines().collect();
        pages.push(page(part, &examples, |roff| {
            notes(roff, words);
            exit_status(roff, &status);
            roff.control("SH", ["SEE ALSO"]);
            roff.text([bold("nudge"), roman("(1)")]);
        }));
    }
    pages
}

/// One page: what clap knows, what is typed, and what else there is to say.
fn page(command: &Command, examples: &[&str], rest: impl FnOnce(&mut Roff)) -> (String, String) {
    let name = command.get_display_name().unwrap_or("nudge").to_owned();
    let man = clap_mangen::Man::new(command.clone());
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = man.render_name_section(&mut text);
    let _ = synopsis(command).to_writer(&mut text);
    let _ = man.render_description_section(&mut text);
    if command.has_subcommands() {
        let _ = man.render_subcommands_section(&mut text);
    }
    let _ = man.render_options_section(&mut text);
    let mut roff = Roff::new();
    if !examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]);
        as_typed(&mut roff, examples.iter().copied());
    }
    rest(&mut roff);
    let _ = roff.to_writer(&mut text);
    // A page says no date: the same source makes the same bytes.
    let (title, version) = (name.to_uppercase(), env!("CARGO_PKG_VERSION"));
    let title = format!(".TH {title} 1 \"\" \"nudge {version}\" \"Nudge\"\n");
    let text = String::from_utf8_lossy(&text).replace(PREAMBLE, "");
    (format!("{name}.1"), title + PREAMBLE + &in_ascii(&text))
}

/// The usage of `--help`: every flag by name would be a page of its own.
fn synopsis(command: &Command) -> Roff {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    let mut roff = Roff::new();
    roff.control("SH", ["SYNOPSIS"]);
    roff.text([roman(usage)]);
    roff
}

/// Lines as they stand.
fn as_typed<'a>(roff: &mut Roff, lines: impl Iterator<Item = &'a str>) {
    roff.control("EX", []);
    for line in lines {
        roff.text([roman(line)]);
    }
    roff.control("EE", []);
}

/// The text with all else spelled out, for formatters that read bytes.
fn in_ascii(text: &str) -> String {
    let mut ascii = String::with_capacity(text.len());
    for letter in text.chars() {
        // Writing to a string cannot fail.
        let _ = if letter.is_ascii() {
            ascii.write_char(letter)
        } else {
            write!(ascii, "\\[u{:04X}]", u32::from(letter))
        };
    }
    ascii
}

/// What only the first page says.
fn root(roff: &mut Roff, status: &str) {
    exit_status(roff, status);
    roff.control("SH", ["ENVIRONMENT"]);
    roff.text([
        roman("These variables set what the flags of "),
        bold("nudge-serve"),
        roman("(1) do:"),
    ]);
    for name in VARIABLES {
        roff.control("br", []);
        roff.text([bold(name)]);
    }
    roff.control("PP", []);
    roff.text([bold("NO_COLOR"), roman(" turns colour off.")]);
    roff.control("SH", ["FILES"]);
    roff.control("TP", []);
    roff.text([bold("/tmp/nudge")]);
    roff.text([roman(
        "where the processes of a user meet; a server makes it",
    )]);
}

/// What is said after the help of a command.
fn notes(roff: &mut Roff, words: &str) {
    let words = words.trim();
    if words.is_empty() {
        return;
    }
    roff.control("SH", ["NOTES"]);
    as_typed(roff, words.lines());
}

fn exit_status(roff: &mut Roff, words: &str) {
    roff.control("SH", ["EXIT STATUS"]);
    roff.text([roman(words.trim_start_matches("Exit status: "))]);
}
