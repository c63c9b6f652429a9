//! `Settings`: what the user's file, the environment and the flags of `nudge serve` say.

mod session_settings;
pub(crate) mod short_ttl;
mod source;
mod user_file;

use std::cell::RefCell;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

pub use self::session_settings::SessionSettings;
use self::source::Source;
pub(crate) use self::source::is_ci;
pub(crate) use self::user_file::{UserFile, example, meant, name_of};

/// The variables that Nudge listens to: those of the session, which all its processes
/// share, and those of a process.
pub const VARIABLES: [&str; 18] = [
    "NUDGE_MAX_COMPONENTS",
    "NUDGE_MAX_HINTS_PER_COMPONENT",
    "NUDGE_MAX_HINTS",
    "NUDGE_MAX_VALUE_BYTES",
    "NUDGE_MAX_BYTES",
    "NUDGE_SECRET_GUARD",
    "NUDGE_DEFAULT_TTL",
    "NUDGE_LINGER",
    "NUDGE_KEEP",
    "NUDGE_OBSERVE",
    "NUDGE_LOG_LEVEL",
    "NUDGE_RUNTIME_DIR",
    "NUDGE_AUTOSTART",
    "NUDGE_SCOPE_WRITES",
    "NUDGE_PRIME_TOKENS",
    "NUDGE_REMIND",
    "NUDGE_BEFORE",
    "NUDGE_HOOK_MS",
];

/// What is said aloud wherever the secret guard is off.
pub(crate) const GUARD_IS_OFF: &str =
    "the secret guard is OFF: what looks like a password or a key is stored";

/// How a process of Nudge is set up; what nobody said has its default.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settings {
    /// Where the processes of this user meet; the usual folder when absent.
    #[serde(skip)]
    pub runtime_dir: Option<PathBuf>,
    /// The port on 127.0.0.1 that was asked for.
    #[serde(skip)]
    pub port: Option<u16>,
    /// What is said of the session, by whomever: what the user asks it to have by the file and
    /// then by variables and flags, for `nudge serve --foreground` and `nudge restart`.
    #[serde(flatten)]
    pub session: SessionSettings,
    /// What the user's file alone says of it.
    #[serde(skip)]
    pub session_of_file: SessionSettings,
    /// What flags say, as variables.
    #[serde(skip)]
    pub flags: Vec<(&'static str, OsString)>,
    /// Whether the user serves the session by hand, and so may loosen its settings.
    #[serde(skip)]
    pub is_users_own: bool,
    /// How much is logged; `warn` when absent.
    pub log_level: Option<LogLevel>,
    /// Whether a command starts a server where none runs.
    pub autostart: bool,
    /// Whether what is set without a stated place applies only where its writer is.
    pub scope_writes: bool,
    /// How many tokens the start of a session is told in.
    pub prime_tokens: Option<usize>,
    /// After how many commands an agent is reminded of what works and no hint has; never if absent.
    pub remind: Option<usize>,
    /// What is done before a command that is known not to run.
    pub before: Before,
    /// How many milliseconds a host's hook takes at most.
    pub hook_ms: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            runtime_dir: None,
            port: None,
            session: SessionSettings::default(),
            session_of_file: SessionSettings::default(),
            flags: Vec::new(),
            is_users_own: false,
            log_level: None,
            autostart: true,
            scope_writes: true,
            prime_tokens: None,
            remind: None,
            before: Before::Tell,
            hook_ms: 150,
        }
    }
}

/// What is done before a command that is known not to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Before {
    /// It is said, which an agent reads with the output.
    Tell,
    /// It is held back once, where the host can do that.
    Stop,
    /// Nothing is said before any command.
    Off,
}

/// How much is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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
    /// The most components of one repository [NUDGE_MAX_COMPONENTS; 500]
    #[arg(long, value_name = "N")]
    max_components: Option<String>,
    /// The most hints of a component there [NUDGE_MAX_HINTS_PER_COMPONENT; 200]
    #[arg(long, value_name = "N")]
    max_hints_per_component: Option<String>,
    /// The most hints in all, but learned ones [NUDGE_MAX_HINTS; 5000]
    #[arg(long, value_name = "N")]
    max_hints: Option<String>,
    /// The most bytes of one value as JSON [NUDGE_MAX_VALUE_BYTES; 8192]
    #[arg(long, value_name = "N")]
    max_value_bytes: Option<String>,
    /// The most bytes of memory that hints take [NUDGE_MAX_BYTES; 67108864]
    #[arg(long, value_name = "N")]
    max_bytes: Option<String>,
    /// Store what looks like a credential [NUDGE_SECRET_GUARD=0]
    #[arg(long)]
    no_secret_guard: bool,
    /// The time to live of a hint that states none [NUDGE_DEFAULT_TTL; kept]
    #[arg(long, value_name = "TTL")]
    default_ttl: Option<String>,
    /// error, warn, info or debug [NUDGE_LOG_LEVEL; warn]
    #[arg(long, value_name = "LEVEL")]
    log_level: Option<String>,
    /// Session folder [NUDGE_RUNTIME_DIR; ~/.local/state/nudge-hints]
    #[arg(long, value_name = "FOLDER")]
    runtime_dir: Option<PathBuf>,
    /// How long a session lives without a call [NUDGE_LINGER; P4D]
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
            "NUDGE_MAX_BYTES" => &self.max_bytes,
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

/// Something that was said and means nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// The variable that said it; the user's file where absent.
    pub(crate) variable: Option<&'static str>,
    /// The line of a setting that said it.
    pub(crate) line: Option<usize>,
    /// The sentence for the person who said it.
    pub(crate) words: String,
}

impl Settings {
    /// Reads the user's file, the environment of this process and the flags.
    ///
    /// The error is one sentence for the person who set them.
    pub fn read(flags: &Flags) -> Result<Settings, String> {
        let variable = |name: &str| std::env::var_os(name);
        checked(Settings::read_each(flags, variable, &UserFile::read()))
    }

    /// The same for other variables, and for the text of a file.
    pub fn of(
        flags: &Flags,
        variable: impl Fn(&str) -> Option<OsString>,
        file: &str,
    ) -> Result<Settings, String> {
        let file = UserFile::of("config.toml".into(), file);
        checked(Settings::read_each(flags, variable, &file))
    }

    /// What is said that means something, and all that does not.
    pub(crate) fn read_each(
        flags: &Flags,
        variable: impl Fn(&str) -> Option<OsString>,
        file: &UserFile,
    ) -> (Settings, Vec<Refused>) {
        let refused = file.flaws.iter().map(|words| Refused {
            variable: None,
            line: None,
            words: words.clone(),
        });
        let refused = RefCell::new(refused.collect());
        let said = |flags, variable: &dyn Fn(&str) -> Option<OsString>| {
            let refused = &refused;
            Source {
                flags,
                variable,
                file,
                refused,
            }
            .settings()
        };
        let settings = said(flags, &variable);
        // All of the file is read, also what something else goes before.
        let session_of_file = said(&Flags::default(), &|_| None).session;
        let by_flag = |name: &&'static str| Some((*name, flags.get(name)?));
        let settings = Settings {
            session_of_file,
            flags: VARIABLES.iter().filter_map(by_flag).collect(),
            ..settings
        };
        (settings, refused.into_inner())
    }

    /// What a session begins with, whoever started its PRIMARY: what the file says, and
    /// what variables and flags say that is stricter. A host, or an agent in a shell, can
    /// start one too, and must not turn the guard off for everybody.
    #[must_use]
    pub fn session_of_file_tightened(&self) -> SessionSettings {
        self.session_of_file.tightened_by(&self.session)
    }
}

/// The settings if all of them mean something, or the first sentence.
fn checked((settings, refused): (Settings, Vec<Refused>)) -> Result<Settings, String> {
    let first = refused.into_iter().next();
    first.map_or(Ok(settings), |refused| Err(refused.words))
}
