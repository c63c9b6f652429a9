//! `Settings`: what the environment and the flags of `nudge serve` say.

#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use nudge::{Config, Ttl};

/// The variables that Nudge listens to.
pub const VARIABLES: [&str; 13] = [
    "NUDGE_MAX_COMPONENTS",
    "NUDGE_MAX_HINTS_PER_COMPONENT",
    "NUDGE_MAX_HINTS",
    "NUDGE_MAX_VALUE_BYTES",
    "NUDGE_SECRET_GUARD",
    "NUDGE_DEFAULT_TTL",
    "NUDGE_LOG_LEVEL",
    "NUDGE_RUNTIME_DIR",
    "NUDGE_AUTOSTART",
    "NUDGE_LINGER",
    "NUDGE_SCOPE_WRITES",
    "NUDGE_PRIME_TOKENS",
    "NUDGE_HOOK_MS",
];

/// How a process of Nudge is set up; what nobody said has its default.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Where the processes of this user meet; the usual folder when absent.
    pub runtime_dir: Option<PathBuf>,
    /// The port on 127.0.0.1 that was asked for.
    pub port: Option<u16>,
    /// How the store is set up.
    pub store: Config,
    /// How much is logged; as suits the terminal or the pipe when absent.
    pub log_level: Option<LogLevel>,
    /// How long a session outlives its last member.
    pub linger: Option<Duration>,
    /// Whether a command starts a server where none runs.
    pub autostart: bool,
    /// Whether what is set without a stated place applies only where its writer is.
    pub scope_writes: bool,
    /// How many tokens the start of a session is told in.
    pub prime_tokens: Option<usize>,
    /// How many milliseconds a host's hook takes at most.
    pub hook_ms: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            runtime_dir: None,
            port: None,
            store: Config::default(),
            log_level: None,
            linger: None,
            autostart: true,
            scope_writes: true,
            prime_tokens: None,
            hook_ms: 150,
        }
    }
}

/// How much is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the word for it")]
pub enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
}

/// The flags of `nudge serve` that mirror the environment; a flag goes first.
///
/// They are read where the variables are, so they are only text here.
#[derive(Debug, Clone, Default, Args)]
#[expect(
    clippy::doc_markdown,
    reason = "these are the words of `--help`, where backticks would stand as they are"
)]
pub struct Flags {
    /// The most components [NUDGE_MAX_COMPONENTS; 500]
    #[arg(long, value_name = "N")]
    max_components: Option<String>,
    /// The most hints of one component [NUDGE_MAX_HINTS_PER_COMPONENT; 200]
    #[arg(long, value_name = "N")]
    max_hints_per_component: Option<String>,
    /// The most hints in all [NUDGE_MAX_HINTS; 5000]
    #[arg(long, value_name = "N")]
    max_hints: Option<String>,
    /// The most bytes of one value as JSON [NUDGE_MAX_VALUE_BYTES; 8192]
    #[arg(long, value_name = "N")]
    max_value_bytes: Option<String>,
    /// Store what looks like a credential [NUDGE_SECRET_GUARD=0]
    #[arg(long)]
    no_secret_guard: bool,
    /// How long a hint lives that does not say [NUDGE_DEFAULT_TTL; session]
    #[arg(long, value_name = "TTL")]
    default_ttl: Option<String>,
    /// error, warn, info or debug [NUDGE_LOG_LEVEL]
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<String>,
    /// Session folder [NUDGE_RUNTIME_DIR; ~/.local/state/nudge-hints/session]
    #[arg(long, value_name = "FOLDER")]
    runtime_dir: Option<PathBuf>,
    /// How long a session outlives its last member [NUDGE_LINGER]
    #[arg(long, value_name = "DURATION")]
    linger: Option<String>,
    /// Keep what is set in its project: on or off [NUDGE_SCOPE_WRITES; on]
    #[arg(long, value_name = "WHAT")]
    scope_writes: Option<String>,
}

impl Flags {
    /// What a flag says in place of a variable.
    fn get(&self, variable: &str) -> Option<OsString> {
        let text = match variable {
            "NUDGE_MAX_COMPONENTS" => &self.max_components,
            "NUDGE_MAX_HINTS_PER_COMPONENT" => &self.max_hints_per_component,
            "NUDGE_MAX_HINTS" => &self.max_hints,
            "NUDGE_MAX_VALUE_BYTES" => &self.max_value_bytes,
            "NUDGE_SECRET_GUARD" => return self.no_secret_guard.then(|| "0".into()),
            "NUDGE_DEFAULT_TTL" => &self.default_ttl,
            "NUDGE_LOG_LEVEL" => &self.log_level,
            "NUDGE_RUNTIME_DIR" => return self.runtime_dir.clone().map(Into::into),
            "NUDGE_LINGER" => &self.linger,
            "NUDGE_SCOPE_WRITES" => &self.scope_writes,
            _ => return None,
        };
        text.as_ref().map(OsString::from)
    }
}

impl Settings {
    /// Reads the environment of this process and the flags.
    ///
    /// The error is one sentence for the person who set them.
    pub fn read(flags: &Flags) -> Result<Settings, String> {
        Settings::from(flags, |name| std::env::var_os(name))
    }

    /// What the variables say that mean something, and of each of the others
    /// its name and the sentence that [`Settings::read`] would refuse it with.
    pub(crate) fn read_each(
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> (Settings, Vec<(&'static str, String)>) {
        let none = Flags::default();
        let refused = |name: &&'static str| {
            let alone = Settings::from(&none, |asked| variable(asked).filter(|_| asked == *name));
            Some((*name, alone.err()?))
        };
        let refused: Vec<_> = VARIABLES.iter().filter_map(refused).collect();
        let is_refused = |asked: &str| refused.iter().any(|(name, _)| *name == asked);
        let rest = |asked: &str| variable(asked).filter(|_| !is_refused(asked));
        let settings = Settings::from(&none, rest).unwrap_or_default();
        (settings, refused)
    }

    fn from(
        flags: &Flags,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Settings, String> {
        let source = Source { flags, variable };
        let mut settings = Settings::default();
        let store = &mut settings.store;
        let limits = &mut store.limits;
        source.number("NUDGE_MAX_COMPONENTS", &mut limits.components)?;
        source.number(
            "NUDGE_MAX_HINTS_PER_COMPONENT",
            &mut limits.hints_per_component,
        )?;
        source.number("NUDGE_MAX_HINTS", &mut limits.hints)?;
        source.number("NUDGE_MAX_VALUE_BYTES", &mut limits.value_bytes)?;
        source.switch("NUDGE_SECRET_GUARD", &mut store.secret_guard)?;
        source.switch("NUDGE_AUTOSTART", &mut settings.autostart)?;
        if let Some(ttl) = source.ttl("NUDGE_DEFAULT_TTL")? {
            store.default_ttl = ttl;
        }
        let linger = source.ttl("NUDGE_LINGER")?;
        settings.linger = linger.and_then(|ttl| ttl.duration());
        settings.log_level = source.word(
            "NUDGE_LOG_LEVEL",
            "`error`, `warn`, `info` or `debug`",
            |word| match word {
                "error" => Some(LogLevel::Error),
                "warn" => Some(LogLevel::Warn),
                "info" => Some(LogLevel::Info),
                "debug" => Some(LogLevel::Debug),
                _ => None,
            },
        )?;
        let scoped = source.word("NUDGE_SCOPE_WRITES", "`on` or `off`", |word| match word {
            // As version 0.1 had it, in the configs of hosts.
            "on" | "1" | "repo" => Some(true),
            "off" | "0" => Some(false),
            _ => None,
        })?;
        settings.scope_writes = scoped.unwrap_or(true);
        let tokens = source.word("NUDGE_PRIME_TOKENS", "a number from 1 to 50000", |text| {
            text.parse()
                .ok()
                .filter(|tokens| (1..=50_000).contains(tokens))
        })?;
        settings.prime_tokens = tokens;
        let within = source.word("NUDGE_HOOK_MS", "a number from 50 to 60000", |text| {
            text.parse().ok().filter(|ms| (50..=60_000).contains(ms))
        })?;
        settings.hook_ms = within.unwrap_or(settings.hook_ms);
        settings.runtime_dir = source.get("NUDGE_RUNTIME_DIR").map(PathBuf::from);
        if let Some(folder) = settings
            .runtime_dir
            .as_ref()
            .filter(|path| path.is_relative())
        {
            return Err(source.bad(
                "NUDGE_RUNTIME_DIR",
                &folder.to_string_lossy(),
                "an absolute path, for every process to mean the same folder",
            ));
        }
        Ok(settings)
    }
}

/// Where settings come from.
struct Source<'f, V> {
    flags: &'f Flags,
    variable: V,
}

impl<V: Fn(&str) -> Option<OsString>> Source<'_, V> {
    /// What is said; an empty variable says nothing.
    fn get(&self, name: &str) -> Option<OsString> {
        let said = self.flags.get(name).or_else(|| (self.variable)(name));
        said.filter(|text| !text.is_empty())
    }

    fn word<T>(
        &self,
        name: &str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let Some(text) = self.get(name) else {
            return Ok(None);
        };
        let text = text.to_string_lossy();
        match read(&text) {
            Some(value) => Ok(Some(value)),
            None => Err(self.bad(name, &text, expected)),
        }
    }

    fn number(&self, name: &str, number: &mut usize) -> Result<(), String> {
        let said = self.word(name, "a whole number above 0", |text| {
            text.parse().ok().filter(|number| *number > 0)
        })?;
        *number = said.unwrap_or(*number);
        Ok(())
    }

    fn switch(&self, name: &str, on: &mut bool) -> Result<(), String> {
        let said = self.word(name, "`1` or `0`", |word| match word {
            "1" | "true" | "on" | "yes" => Some(true),
            "0" | "false" | "off" | "no" => Some(false),
            _ => None,
        })?;
        *on = said.unwrap_or(*on);
        Ok(())
    }

    fn ttl(&self, name: &str) -> Result<Option<Ttl>, String> {
        let expected = "`session` or a duration such as `PT2H`, `P7D`";
        self.word(name, expected, |text| text.parse().ok())
    }

    /// The sentence for a value that means nothing.
    fn bad(&self, name: &str, text: &str, expected: &str) -> String {
        let name = if self.flags.get(name).is_some() {
            let name = name.trim_start_matches("NUDGE_").to_lowercase();
            format!("--{}", name.replace('_', "-"))
        } else {
            name.to_owned()
        };
        format!("{name} is `{}`; make it {expected}", text.escape_debug())
    }
}
