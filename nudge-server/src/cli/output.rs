//! The two printers: pretty for people, `--json` for programs. Nothing else of
//! the commands prints.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

use nudge::{Error, HintMatch};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::every_command::Color;
use super::failure;
use super::terminal::{Asked, misuse};
use crate::wire::Fault;
use crate::wire::escape::shown_lines;
use crate::wire::json_text::{extended, inert_json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    Done = 0,
    /// Looked, and found nothing.
    Nothing = 1,
    /// Refused, or misused.
    Refused = 2,
    NoServer = 3,
}

impl Exit {
    /// Done where something was found.
    pub(crate) fn found(is_found: bool) -> Exit {
        if is_found { Exit::Done } else { Exit::Nothing }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// What is to be printed for a person.
pub(crate) struct Page {
    text: String,
    color: bool,
    quiet: bool,
    /// Whether it tells of something that was done.
    is_report: bool,
}

impl Page {
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// How a list ends: with some words where nothing is in it.
    pub(crate) fn listed(&mut self, is_any: bool, nothing: &str) -> Exit {
        if !is_any {
            self.line(nothing);
        }
        Exit::found(is_any)
    }

    /// Adds a line that stands back.
    pub(crate) fn dim(&mut self, line: &str) {
        if self.quiet {
            return;
        }
        self.styled("\u{1b}[2m", line, "");
    }

    pub(crate) fn done(&mut self, line: &str) {
        self.marked("✔", line);
    }

    /// Adds a line that starts with a mark of success.
    pub(crate) fn marked(&mut self, mark: &str, line: &str) {
        self.is_report = true;
        self.styled("\u{1b}[32m", mark, &format!(" {line}"));
    }

    /// Adds a line about a success that is listed, and not reported.
    pub(crate) fn ticked(&mut self, line: &str) {
        self.styled("\u{1b}[32m", "✔", &format!(" {line}"));
    }

    /// Adds a line that starts with a mark of doubt.
    pub(crate) fn warned(&mut self, mark: &str, line: &str) {
        self.styled("\u{1b}[33m", mark, &format!(" {line}"));
    }

    /// Adds a line that starts with a mark of failure.
    pub(crate) fn alarmed(&mut self, mark: &str, line: &str) {
        self.styled("\u{1b}[31m", mark, &format!(" {line}"));
    }

    fn styled(&mut self, style: &str, line: &str, rest: &str) {
        if self.color {
            self.line(&format!("{style}{line}\u{1b}[0m{rest}"));
        } else {
            self.line(&format!("{line}{rest}"));
        }
    }
}

/// Where and how a command prints.
#[derive(Debug, Clone, Default)]
pub(crate) struct Output {
    /// Whether a program reads it.
    pub(crate) json: bool,
    pub(crate) color: Color,
    /// Whether nothing but what was asked for is printed.
    pub(crate) quiet: bool,
}

impl Output {
    /// As far as a command line that was not understood says.
    pub(crate) fn typed() -> Output {
        let mut words = std::env::args_os().take_while(|word| word != "--");
        Output {
            json: words.any(|word| word == "--json"),
            ..Output::default()
        }
    }

    /// Prints what came of a call, and ends as `pretty` says.
    pub(crate) fn asked<T: DeserializeOwned>(
        &self,
        asked: &Asked,
        pretty: impl FnOnce(&mut Page, &T) -> Exit,
    ) -> Exit {
        let result = match (&asked.answer, &asked.context) {
            (Ok(result), Some(at)) => extended(result.get(), "context_used", &at.to_string()),
            (Ok(result), None) => result.get().to_owned(),
            (Err(fault), _) => return self.failed(fault, asked),
        };
        let mut page = self.page(&io::stdout());
        let exit = if let Ok(result) = serde_json::from_str(&result) {
            pretty(&mut page, &result)
        } else {
            // A server of another version may say what this one cannot read.
            page.line(&inert_json(&result));
            Exit::Done
        };
        if self.json {
            page.text = inert_json(&result) + "\n";
        }
        self.printed(&page, exit)
    }

    /// Prints the text of a value and nothing else.
    pub(crate) fn raw(&self, asked: &Asked) -> Exit {
        let found = match &asked.answer {
            Ok(result) => serde_json::from_str::<HintMatch>(result.get()),
            Err(fault) => return self.failed(fault, asked),
        };
        let Ok(found) = found else {
            return misused("this server's answer cannot be read; look at it with `--json`");
        };
        let text = found.hint.value.text();
        // A program gets the bytes; a terminal would act upon them.
        let text = if io::stdout().is_terminal() {
            shown_lines(&text)
        } else {
            text
        };
        written_out(&format!("{text}\n"))
    }

    /// Prints what this process found out by itself.
    pub(crate) fn value(
        &self,
        value: &impl Serialize,
        pretty: impl FnOnce(&mut Page) -> Exit,
    ) -> Exit {
        let mut page = self.page(&io::stdout());
        let exit = pretty(&mut page);
        if self.json {
            page.text = inert_json(&serde_json::to_string(value).unwrap_or_default()) + "\n";
        }
        self.printed(&page, exit)
    }

    /// Prints something that happened at once, as one line.
    pub(crate) fn event(&self, json: &str, words: &str) -> io::Result<()> {
        let line = if self.json { &inert_json(json) } else { words };
        let mut stdout = io::stdout().lock();
        stdout.write_all(format!("{line}\n").as_bytes())?;
        stdout.flush()
    }

    /// Prints what is wrong with what was typed; to a program as an error.
    pub(crate) fn mistyped(&self, words: &str) -> Exit {
        if self.json {
            return self.refused(misuse(words).into());
        }
        misused(words)
    }

    /// Prints why nothing could be asked.
    pub(crate) fn refused(&self, fault: Fault) -> Exit {
        self.asked(&Err(fault).into(), |_, _: &IgnoredAny| Exit::Refused)
    }

    pub(crate) fn page_of(&self, write: impl FnOnce(&mut Page)) -> Exit {
        let mut page = self.page(&io::stdout());
        write(&mut page);
        self.printed(&page, Exit::Done)
    }

    /// Prints a page; who wants it quiet knows what was to be done.
    fn printed(&self, page: &Page, exit: Exit) -> Exit {
        let is_known = page.quiet && page.is_report && exit == Exit::Done;
        let text = if is_known && !self.json {
            ""
        } else {
            &page.text
        };
        print(io::stdout(), text, exit)
    }

    /// Says a line on the side, as that a server was started.
    pub(crate) fn note(&self, line: &str) {
        if self.quiet {
            return;
        }
        let mut page = self.page(&io::stderr());
        page.dim(line);
        print(io::stderr(), &page.text, Exit::Done);
    }

    fn failed(&self, fault: &Fault, asked: &Asked) -> Exit {
        let error = Error::from(fault);
        let exit = failure::exit(&error);
        if self.json {
            let error = inert_json(&serde_json::to_string(fault).unwrap_or_default());
            return print(io::stdout(), &format!("{error}\n"), exit);
        }
        let mut page = self.page(&io::stderr());
        failure::write(&mut page, &error, asked);
        print(io::stderr(), &page.text, exit)
    }

    fn page(&self, stream: &impl IsTerminal) -> Page {
        Page {
            text: String::new(),
            color: self.color.is_for(stream),
            quiet: self.quiet,
            is_report: false,
        }
    }
}

pub(crate) fn written_out(text: &str) -> Exit {
    print(io::stdout(), text, Exit::Done)
}

pub(crate) fn misused(words: &str) -> Exit {
    print(io::stderr(), &format!("{words}\n"), Exit::Refused)
}

/// Prints a text. A reader who has seen enough and went away is no failure.
pub(crate) fn print(mut stream: impl Write, text: &str, exit: Exit) -> Exit {
    let printed = stream
        .write_all(text.as_bytes())
        .and_then(|()| stream.flush());
    match printed {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Exit::Refused,
        _ => exit,
    }
}
