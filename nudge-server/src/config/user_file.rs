//! `UserFile`: what the user's own file says of the settings.

use std::fmt::Display;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use nudge::suggest;
use toml_edit::Document;

use super::{Flags, Settings, VARIABLES};
use crate::platform::replace_with_mode;
use nudge_client::folder::file::read;
use nudge_client::platform::{folders, is_link_error, mode};

/// Where it lies below the home. It does not depend on the XDG variables: hosts filter
/// those, and the same user would have two.
const IN_HOME: &str = ".config/nudge-hints/config.toml";

/// The file that `nudge install` makes: every setting, and none of them said but what it was told.
const TEMPLATE: &str = include_str!("config.toml");

/// The most that is read of it.
const MAX_BYTES: u64 = 64 * 1024;

/// The user's file, as it was when it was read.
#[derive(Debug, Clone, Default)]
pub(crate) struct UserFile {
    /// Where it lies, be it there or not.
    pub(crate) path: PathBuf,
    /// Why it counts as if it were not there, though something is.
    pub(crate) unused: Option<String>,
    /// What is wrong with it as a whole, or with a name in it, each in a sentence.
    pub(super) flaws: Vec<String>,
    pub(super) entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The variable of the same name.
    pub(super) variable: &'static str,
    /// The value, as the variable would say it.
    pub(super) text: String,
    pub(super) line: usize,
}

impl UserFile {
    /// The file of whoever runs this; where there is no home, there is none.
    pub(crate) fn read() -> UserFile {
        let home = std::env::home_dir().filter(|home| home.is_absolute());
        let Some(path) = home.map(|home| home.join(IN_HOME)) else {
            return UserFile::default();
        };
        match private_text(&path) {
            Ok(text) => UserFile::of(path, &text),
            Err(error) => UserFile {
                path,
                unused: why(&error),
                ..UserFile::default()
            },
        }
    }

    pub(crate) fn line_of(&self, variable: &str) -> Option<usize> {
        let mut entries = self.entries.iter();
        Some(entries.find(|entry| entry.variable == variable)?.line)
    }

    pub(super) fn at_line(&self, line: usize, words: &str) -> String {
        format!("`{}` line {line}: {words}", self.path.display())
    }

    pub(super) fn of(path: PathBuf, text: &str) -> UserFile {
        let mut file = UserFile {
            path,
            ..UserFile::default()
        };
        let line = |at: usize| text.get(..at).unwrap_or_default().matches('\n').count() + 1;
        let document = match Document::parse(text) {
            Ok(document) => document,
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                let words = error.message().lines().next().unwrap_or_default();
                file.flaws = vec![file.at_line(line(at), words)];
                return file;
            }
        };
        for (name, item) in document.iter() {
            let key = document.get_key_value(name).and_then(|(key, _)| key.span());
            let line = line(key.map_or(0, |span| span.start));
            let known = VARIABLES.iter().find(|known| name_of(known) == name);
            let Some(variable) = known.filter(|_| example(name).is_some()) else {
                file.flaws.push(file.at_line(line, &not_one(name, known)));
                continue;
            };
            let source = || item.span().and_then(|span| text.get(span));
            let said = item.as_str().map(str::to_owned);
            let said = said.or_else(|| item.as_integer().map(|number| number.to_string()));
            file.entries.push(Entry {
                variable,
                text: said.unwrap_or_else(|| source().unwrap_or("a table").to_owned()),
                line,
            });
        }
        file
    }

    /// Has it say something of a setting, as TOML. Where there is no file, one is made in which
    /// every other setting is commented out. What cannot be read is not written.
    pub(crate) fn write(&self, name: &str, value: &str) -> Result<(), String> {
        let (text, mode) = self.text()?;
        let text = with_setting(&text, name, value);
        let file = UserFile::of(self.path.clone(), &text);
        let (_, refused) = Settings::read_each(&Flags::default(), |_| None, &file);
        if let Some(flaw) = refused.first() {
            // A line that is in no file yet is nobody's to look at.
            let words = flaw.words.as_str();
            let line = words
                .split_once("` line ")
                .filter(|_| self.flaws.is_empty());
            let line = line.and_then(|(_, rest)| rest.split_once(": "));
            return Err(line.map_or(words, |(_, words)| words).to_owned());
        }
        self.save(&text, mode)
    }

    /// Makes it where it is not there.
    pub(crate) fn make(&self) -> Result<(), String> {
        let (text, mode) = self.text()?;
        match fs::symlink_metadata(&self.path) {
            Ok(_) => Ok(()),
            Err(_) => self.save(&text, mode),
        }
    }

    fn save(&self, text: &str, mode: u32) -> Result<(), String> {
        let folder = self.path.parent().unwrap_or(&self.path);
        let folder = folders(0o700).recursive(true).create(folder);
        folder
            .and_then(|()| replace_with_mode(&self.path, text.as_bytes(), mode))
            .map_err(|error| self.failed(&error))
    }

    /// Its text and mode, or those with which it is made.
    fn text(&self) -> Result<(String, u32), String> {
        if let Some(why) = &self.unused {
            return Err(self.failed(why));
        }
        match private_text(&self.path) {
            Ok(text) => {
                let mode = self.path.metadata().map(|seen| mode(&seen));
                Ok((text, mode.unwrap_or(0o600)))
            }
            Err(error) if why(&error).is_none() => Ok((TEMPLATE.to_owned(), 0o600)),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn failed(&self, why: &dyn Display) -> String {
        format!("`{}` cannot be written: {why}", self.path.display())
    }

    /// Says where it is, if it is there: what the user said stays when Nudge goes.
    pub(crate) fn left(&self) -> Option<String> {
        let is_there = fs::symlink_metadata(&self.path).is_ok();
        is_there.then(|| format!("left your settings in `{}`", self.path.display()))
    }
}

/// A text with a setting in the place of what it says of it, or of its default, or else as the
/// last line, which ends as the others do.
fn with_setting(text: &str, name: &str, value: &str) -> String {
    let new = format!("{name} = {value}");
    let default = example(name).map(|line| format!("# {line}"));
    let is_said = |line: &str| {
        let rest = line.strip_prefix(name).map(str::trim_start);
        rest.is_some_and(|rest| rest.starts_with('='))
    };
    let mut lines: Vec<&str> = text.split('\n').collect();
    let said = lines.iter().position(|line| is_said(line));
    let usual = || {
        lines
            .iter()
            .position(|line| Some(*line) == default.as_deref())
    };
    if let Some(at) = said.or_else(usual) {
        let end = if lines[at].ends_with('\r') { "\r" } else { "" };
        let new = format!("{new}{end}");
        lines[at] = &new;
        return lines.join("\n");
    }
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let is_open = !text.is_empty() && !text.ends_with('\n');
    format!("{text}{}{new}{end}", if is_open { end } else { "" })
}

/// The text of a file that is ours, and that nobody else may write to.
fn private_text(path: &Path) -> io::Result<String> {
    let bytes = read(path, MAX_BYTES)?;
    if mode(&path.symlink_metadata()?) & 0o022 != 0 {
        return Err(io::Error::other(
            "others may write to it; `chmod go-w` keeps them out",
        ));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8"))
}

/// Why a file is not used; that there is none needs no reason.
fn why(error: &io::Error) -> Option<String> {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => None,
        _ if is_link_error(error) => Some("it is a link".to_owned()),
        _ => Some(error.to_string()),
    }
}

/// What a variable is called in the file.
pub(crate) fn name_of(variable: &str) -> String {
    variable.trim_start_matches("NUDGE_").to_lowercase()
}

/// The line that says the default of a setting, if the file may have it.
pub(crate) fn example(name: &str) -> Option<&'static str> {
    let mut lines = TEMPLATE.lines().filter_map(|line| line.strip_prefix("# "));
    lines.find(|line| line.split(" = ").next() == Some(name))
}

/// What to say of a name that the file may not have.
fn not_one(name: &str, variable: Option<&&str>) -> String {
    let shown = name.escape_debug();
    if let Some(variable) = variable {
        return format!("`{shown}` cannot stand in a file; set {variable}");
    }
    match meant(name).and_then(|name| example(&name)) {
        Some(line) => format!("there is no setting `{shown}`; write `{line}`"),
        None => format!("there is no setting `{shown}`; `nudge config` shows them all"),
    }
}

/// The setting that was meant by another name; `NUDGE_MAX_HINTS` is as well known as `max_hints`.
pub(crate) fn meant(name: &str) -> Option<String> {
    let names = VARIABLES.map(name_of);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    suggest(&name_of(&name.to_uppercase().replace('-', "_")), &names).map(str::to_owned)
}
