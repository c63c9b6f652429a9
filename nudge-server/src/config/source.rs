//! `Source`: where a setting comes from, and how what is said there is read.

use std::cell::RefCell;
use std::ffi::OsString;
use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use nudge::Ttl;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_value};

use super::short_ttl::spelled_out;
use super::user_file::{UserFile, example, name_of};
use super::{Flags, Refused, SessionSettings, Settings};

/// Whether this is a machine that is thrown away after its job.
pub(crate) fn is_ci(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let ci = variable("CI").unwrap_or_default();
    !ci.is_empty() && ci != "0" && ci != "false"
}

/// Where settings come from, the first to say something first. What means nothing is noted,
/// and counts as not said.
pub(super) struct Source<'s> {
    pub(super) flags: &'s Flags,
    pub(super) variable: &'s dyn Fn(&str) -> Option<OsString>,
    pub(super) file: &'s UserFile,
    pub(super) refused: &'s RefCell<Vec<Refused>>,
}

impl Source<'_> {
    pub(super) fn settings(&self) -> Settings {
        let usual = Settings::default();
        let at_least_one = 1..=usize::MAX;
        let limit = |name, usual| self.number(name, at_least_one.clone()).unwrap_or(usual);
        let session = usual.session;
        Settings {
            session: SessionSettings {
                max_components: limit("NUDGE_MAX_COMPONENTS", session.max_components),
                max_hints_per_component: limit(
                    "NUDGE_MAX_HINTS_PER_COMPONENT",
                    session.max_hints_per_component,
                ),
                max_hints: limit("NUDGE_MAX_HINTS", session.max_hints),
                max_value_bytes: limit("NUDGE_MAX_VALUE_BYTES", session.max_value_bytes),
                max_bytes: limit("NUDGE_MAX_BYTES", session.max_bytes),
                secret_guard: self.switch("NUDGE_SECRET_GUARD", session.secret_guard),
                default_ttl: self.ttl("NUDGE_DEFAULT_TTL", session.default_ttl),
                linger: self.ttl("NUDGE_LINGER", session.linger),
                keep: self.switch("NUDGE_KEEP", session.keep) && !is_ci(self.variable),
                observe: self.switch("NUDGE_OBSERVE", session.observe),
            },
            log_level: self.named("NUDGE_LOG_LEVEL", "`error`, `warn`, `info` or `debug`"),
            runtime_dir: self.folder("NUDGE_RUNTIME_DIR"),
            autostart: self.switch("NUDGE_AUTOSTART", usual.autostart),
            scope_writes: self.switch("NUDGE_SCOPE_WRITES", usual.scope_writes),
            prime_tokens: self.number("NUDGE_PRIME_TOKENS", 1..=50_000),
            remind: self
                .number("NUDGE_REMIND", 0..=1_000)
                .filter(|commands| *commands > 0),
            before: self
                .named("NUDGE_BEFORE", "`tell`, `stop` or `off`")
                .unwrap_or(usual.before),
            hook_ms: self
                .number("NUDGE_HOOK_MS", 50..=60_000)
                .unwrap_or(usual.hook_ms),
            ..usual
        }
    }

    /// The first that is said and can be read; an empty text says nothing.
    fn word<T>(
        &self,
        name: &'static str,
        expected: impl Display,
        read: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let mut entries = self.file.entries.iter();
        let entry = entries.find(|entry| entry.variable == name);
        let said = [
            self.flags.get(name),
            (self.variable)(name),
            entry.map(|entry| OsString::from(&entry.text)),
        ];
        for (index, text) in said.into_iter().enumerate() {
            let Some(text) = text.filter(|text| !text.is_empty()) else {
                continue;
            };
            let text = text.to_string_lossy();
            if let Some(value) = read(&text) {
                return Some(value);
            }
            let short = name_of(name);
            let who = match index {
                0 => format!("--{}", short.replace('_', "-")),
                1 => name.to_owned(),
                _ => short,
            };
            let mut words = format!("{who} is `{}`; make it {expected}", text.escape_debug());
            if let (2, Some(entry), Some(line)) = (index, entry, example(&who)) {
                words = self
                    .file
                    .at_line(entry.line, &format!("{words}, as in `{line}`"));
            }
            let variable = (index == 1).then_some(name);
            let line = entry.filter(|_| index == 2).map(|entry| entry.line);
            let refused = Refused {
                variable,
                line,
                words,
            };
            let mut all = self.refused.borrow_mut();
            if !all.contains(&refused) {
                all.push(refused);
            }
        }
        None
    }

    /// One of some words.
    fn named<T: DeserializeOwned>(&self, name: &'static str, words: &str) -> Option<T> {
        self.word(name, words, |word| from_value(Value::from(word)).ok())
    }

    fn number(&self, name: &'static str, range: RangeInclusive<usize>) -> Option<usize> {
        let expected = fmt::from_fn(|f| match range.end() {
            &usize::MAX => f.write_str("a whole number above 0"),
            most => write!(f, "a number from {} to {most}", range.start()),
        });
        self.word(name, expected, |text| {
            text.parse().ok().filter(|number| range.contains(number))
        })
    }

    fn folder(&self, name: &'static str) -> Option<PathBuf> {
        let expected = "an absolute path, for every process to mean the same folder";
        self.word(name, expected, |path| {
            Path::new(path).is_absolute().then_some(())
        })?;
        // As it is: a path need not be UTF-8.
        let said = self.flags.get(name).filter(|path| !path.is_empty());
        said.or_else(|| (self.variable)(name)).map(PathBuf::from)
    }

    fn switch(&self, name: &'static str, usual: bool) -> bool {
        let said = self.word(name, "`true` or `false`", |word| match word {
            // `repo` is how version 0.1 had it, in the configs of hosts.
            "1" | "true" | "on" | "yes" | "repo" => Some(true),
            "0" | "false" | "off" | "no" => Some(false),
            _ => None,
        });
        said.unwrap_or(usual)
    }

    fn ttl(&self, name: &'static str, usual: Ttl) -> Ttl {
        // A session lasts, but nothing of it is kept.
        let is_lifetime = name == "NUDGE_DEFAULT_TTL";
        let expected = if is_lifetime {
            "`kept`, `session` or a duration such as `2h`, `P7D`"
        } else {
            "`session` or a duration such as `2h`, `P7D`"
        };
        let parse = |text: &str| spelled_out(text).parse().ok();
        let said = self.word(name, expected, |text| {
            parse(text).filter(|ttl| is_lifetime || *ttl != Ttl::KEPT)
        });
        said.unwrap_or(usual)
    }
}
