//! `nudge completions` and `nudge init`: the script of `clap_complete` for a shell, and what it asks.
//!
//! Bash and PowerShell may expand what comes back, and a name in the store may be
//! anything: only what is made of plain characters is offered.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::time::Duration;

use clap::{Arg, Args, Command, CommandFactory};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{Bash, CompleteEnv, Fish, Powershell, Shells, Zsh};
use nudge::{Components, Exported, Operation, Proposals};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::every_command::EveryCommand;
use super::output::{Exit, misused, written_out};
use super::{Cli, start};
use crate::config::{Flags, Settings};
use crate::deadline::within;
use crate::project;
use crate::proxy::infer::infer;
use crate::wire::shell::Shell;

/// The variable by which a script asks.
const VARIABLE: &str = "_NUDGE_COMPLETE";

const SHELLS: Shells<'static> = Shells(&[&Bash, &Zsh, &Fish, &Powershell]);

/// Zsh calls a script that it has loaded by itself as a function of its file's name.
const LOADED: &str = r#"[[ $funcstack[1] != _nudge ]] || _clap_dynamic_completer_nudge "$@""#;

/// How long a person does not notice that something is looked up.
const PATIENCE: Duration = Duration::from_millis(150);

#[derive(Debug, Args)]
#[command(
    after_help = "Names of components, keys and tags, and numbers of proposals, come from the server that runs; none is started.

To have it in every new shell:
  bash        echo 'source <(nudge completions bash)' >> ~/.bashrc
  zsh         echo 'source <(nudge completions zsh)' >> ~/.zshrc      (after compinit)
  fish        nudge completions fish > ~/.config/fish/completions/nudge.fish
  PowerShell  nudge completions powershell >> $PROFILE"
)]
pub(crate) struct Completions {
    /// bash, zsh, fish or powershell
    #[arg(value_parser = ["bash", "zsh", "fish", "powershell"], hide_possible_values = true)]
    shell: String,
}

impl Completions {
    pub(crate) fn run(&self) -> Exit {
        written_out(&script(&self.shell))
    }
}

fn script(name: &str) -> String {
    let mut script = Vec::new();
    // Writing to memory cannot fail.
    if let Some(shell) = SHELLS.completer(name) {
        let _ = shell.write_registration(VARIABLE, "nudge", "nudge", "nudge", &mut script);
    }
    if name == "zsh" {
        let _ = writeln!(script, "{LOADED}");
    }
    String::from_utf8_lossy(&script).into_owned()
}

/// Zsh knows how to complete only after this.
const ZSH: &str = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n";

#[derive(Debug, Args)]
#[command(
    after_help = "Put one of these lines into the file that your shell reads when it starts:
  eval \"$(nudge init bash)\"        ~/.bashrc
  eval \"$(nudge init zsh)\"         ~/.zshrc
  nudge init fish | source         ~/.config/fish/config.fish"
)]
pub(crate) struct Init {
    /// bash, zsh or fish
    #[arg(value_parser = ["bash", "zsh", "fish"], hide_possible_values = true)]
    shell: Option<String>,
}

impl Init {
    pub(crate) fn run(&self) -> Exit {
        let Some(shell) = &self.shell else {
            return misused(
                "say for which shell: `nudge init bash`, `zsh` or `fish`; `nudge install` adds \
                 Nudge to your coding agents",
            );
        };
        let first = if shell == "zsh" { ZSH } else { "" };
        written_out(&format!("{first}{}", script(shell)))
    }
}

/// Answers a script that asks how a line goes on; `false` where none asks. Nobody
/// is told of failures: they would stand in the middle of the line.
pub(crate) fn answered() -> bool {
    let asked = CompleteEnv::with_factory(known)
        .var(VARIABLE)
        .shells(SHELLS);
    let cwd = std::env::current_dir().ok();
    let answered = asked.try_complete(std::env::args_os(), cwd.as_deref());
    answered.unwrap_or(true)
}

/// The command, whose arguments know their values as far as they can be known.
fn known() -> Command {
    let typed = std::env::args_os().skip_while(|word| word != "--").skip(1);
    let typed: Vec<OsString> = typed.collect();
    let last = typed.last().map(|word| word.as_encoded_bytes());
    // Flags are for who begins one, or has nothing else to choose from.
    let is_one_wanted = last.is_some_and(|word| word.starts_with(b"-"));
    let sifted = |arg: Arg| {
        let is_shown = arg.is_positional() || (is_one_wanted && !arg.is_hide_set());
        arg.hide(!is_shown)
    };
    let stated = stated(&typed);
    let mut command = Cli::command();
    // All flags of all commands, which are otherwise laid out when they are needed.
    command.build();
    for part in command.get_subcommands_mut() {
        let is_export = part.get_name() == "export";
        // Of two names for a command the short one is offered.
        let named = std::mem::take(part).visible_alias(None::<&'static str>);
        *part = named.mut_args(|arg| sifted(with_values(arg, is_export, &stated)));
    }
    command.mut_args(sifted)
}

fn with_values(arg: Arg, is_export: bool, stated: &(Option<String>, Option<u16>)) -> Arg {
    let id = arg.get_id().as_str();
    let (component, port) = stated.clone();
    match (id, component) {
        ("file" | "output" | "path", _) => arg.add(paths(PathCompleter::file())),
        ("cwd" | "root" | "runtime_dir", _) => arg.add(paths(PathCompleter::dir())),
        ("branch" | "scope_branch", _) => arg.add(looked_up(branches)),
        ("tags", _) => arg.add(looked_up(move || tags(port))),
        ("ids", _) if arg.is_positional() => arg.add(looked_up(move || proposals(port))),
        ("component", _) => arg.add(looked_up(move || names(None, port))),
        ("key" | "keys", Some(component)) => {
            arg.add(looked_up(move || names(Some(&component), port)))
        }
        // Its only format is another than those of a template.
        ("format", _) if is_export => arg.add(looked_up(|| vec!["json".to_owned()])),
        // One that knows its values has the better help.
        _ if !arg.get_possible_values().is_empty() => arg,
        _ => {
            let words = words(id).iter().map(|word| (*word).to_owned());
            let words: Vec<String> = words.collect();
            arg.add(looked_up(move || words.clone()))
        }
    }
}

/// The words of a flag whose values are read by the store, which has the last word
/// about them: what is not here may be typed all the same.
fn words(flag: &str) -> &'static [&'static str] {
    match flag {
        "host" => &["claude", "codex", "gemini", "copilot", "cursor", "opencode"],
        "os" | "scope_os" | "path_os" => &["linux", "darwin", "windows"],
        "shell" => &["bash", "sh", "zsh", "fish", "powershell", "cmd"],
        "format" => &["mustache", "handlebars", "jinja", "interpolate"],
        "mode" => &["merge", "replace"],
        "source" => &["user", "agent", "tool-output", "file-import"],
        "sensitivity" => &["normal", "secret"],
        "log_level" => &["error", "warn", "info", "debug"],
        "scope_writes" => &["on", "off"],
        "ttl" => &["session", "30m", "2h", "1d"],
        "default_ttl" | "linger" => &["session", "2h", "4d"],
        "clear" => &["reason", "tags", "priority", "confidence", "ttl"],
        _ => &[],
    }
}

fn paths(paths: PathCompleter) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let found = paths.complete(current).into_iter();
        found.filter(|path| is_plain(path.get_value())).collect()
    })
}

fn looked_up(look: impl Fn() -> Vec<String> + Send + Sync + 'static) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let current = current.to_string_lossy();
        let found = look().into_iter();
        let found = found.filter(|name| name.starts_with(&*current) && is_plain(name.as_ref()));
        found.map(CompletionCandidate::new).collect()
    })
}

/// Whether a word means itself and nothing else to every shell, and begins no flag.
fn is_plain(word: &OsStr) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./:@+-".contains(byte);
    let bytes = word.as_encoded_bytes();
    bytes.iter().all(is_plain) && bytes.first().is_some_and(|first| *first != b'-')
}

/// The names of the components, or of the keys of one; none where no server
/// answers in time, and none is started.
fn names(component: Option<&str>, port: Option<u16>) -> Vec<String> {
    let params = component.map_or_else(|| json!({}), |it| json!({"component": it}));
    let listed = asked::<Components>(Operation::ListComponents, params, port);
    let listed = listed.into_iter().flat_map(|listed| listed.components);
    let names = listed.flat_map(|one| one.keys.unwrap_or_else(|| vec![one.name]));
    names.map(|name| name.to_string()).collect()
}

fn tags(port: Option<u16>) -> Vec<String> {
    let all = asked::<Exported>(Operation::Export, json!({}), port);
    let hints = all.iter().flat_map(|all| all.payload.hints());
    let tags = hints.flat_map(|(_, _, hint)| hint.meta.tags.iter());
    let tags: BTreeSet<String> = tags.map(ToString::to_string).collect();
    tags.into_iter().collect()
}

fn proposals(port: Option<u16>) -> Vec<String> {
    let waiting = asked::<Proposals>(Operation::ListProposals, json!({}), port).into_iter();
    let waiting = waiting.flat_map(|waiting| waiting.proposals);
    waiting.map(|proposal| proposal.id.to_string()).collect()
}

fn branches() -> Vec<String> {
    let here = infer(None, &[]).ok();
    let root = here.and_then(|here| here.facts().root.clone());
    let branches = root.and_then(|root| within(PATIENCE, move || project::branches(&root)));
    branches.unwrap_or_default()
}

/// What the server that runs answers, if it does so in time.
fn asked<T: DeserializeOwned + Send + 'static>(
    operation: Operation,
    params: Value,
    port: Option<u16>,
) -> Option<T> {
    let answer = within(PATIENCE, move || {
        let settings = Settings::read(&Flags::default()).ok()?;
        let client = start::running(&Settings { port, ..settings }).ok()?;
        let by = Shell::sender(Shell::this().as_ref());
        let answer = client.call_from(&by, operation, &params.to_string());
        serde_json::from_str(answer.ok()?.get()).ok()
    });
    answer.flatten()
}

/// The component that a line names already, and the port of its server.
fn stated(words: &[OsString]) -> (Option<String>, Option<u16>) {
    let command = Cli::command().ignore_errors(true);
    let Ok(matches) = command.try_get_matches_from(words) else {
        return (None, None);
    };
    let component = matches.subcommand().and_then(|(_, given)| {
        let component = given.try_get_one::<String>("component");
        component.ok().flatten().cloned()
    });
    (component, EveryCommand::said(&matches).port)
}
