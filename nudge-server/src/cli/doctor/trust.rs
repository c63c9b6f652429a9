//! What a host does not trust and therefore leaves out, without a word. Said only where
//! its files say so; what cannot be read says nothing.

use std::path::{Path, PathBuf};

use nudge_client::folder::file;

use super::Finding;
use crate::install::config_file::ConfigFile;
use crate::install::format::{Format, Value};
use crate::install::hooks::{Found, Hooks};
use crate::install::machine::Machine;
use crate::install::table::{Host, Scope};

/// The longest list of folders that is read.
const MOST_BYTES: u64 = 1024 * 1024;

const SCOPES: [Scope; 2] = [Scope::User, Scope::Project];

pub(super) fn look(machine: &Machine) -> Vec<Finding> {
    let mut found = Vec::new();
    for host in machine.hosts() {
        match host.id {
            "codex" => {
                found.extend(SCOPES.map(|scope| codex_hooks(host, scope, machine)));
                found.push(codex_project(host, machine));
            }
            "gemini" => found.push(gemini_folder(host, machine)),
            _ => {}
        }
    }
    found.into_iter().flatten().collect()
}

fn finding(host: &Host, words: String) -> Option<Finding> {
    Some(Finding::odd("trust", words).fixed_by(*host.commands.first()?))
}

fn has_entry(host: &Host, scope: Scope, machine: &Machine) -> bool {
    let entry = ConfigFile::of(host, scope, machine).ok();
    entry.is_some_and(|(_, present)| present.is_some_and(|present| present.is_ours()))
}

/// Codex runs a hook whose hash the user has approved. The hash is its own affair: one
/// that is there may be of an older hook, and so nothing is said of it.
pub(super) fn codex_hooks(host: &Host, scope: Scope, machine: &Machine) -> Option<Finding> {
    let (config, _) = ConfigFile::of(host, Scope::User, machine).ok()?;
    let hooks = Hooks::of(host)?;
    let file = hooks.file(scope, machine).ok()?;
    let found = hooks.found(&file.text).ok()?;
    let is_approved = |hook: &&Found| {
        let [group, own] = hook.place;
        let event = snake_case(&hook.event);
        both(&file.path).any(|path| {
            let key = format!("{}:{event}:{group}:{own}", path.display());
            let keys = ["hooks", "state", &key, "trusted_hash"];
            Format::Toml.has(&config.text, &keys)
        })
    };
    let waiting = found.iter().filter(|hook| !is_approved(hook)).count();
    let (all, path) = (found.len(), file.path.display());
    let words = format!(
        "{waiting} of {all} hooks in `{path}` wait for your approval and do not run; \
         type `/hooks` in Codex and press `t`"
    );
    (waiting > 0).then(|| finding(host, words)).flatten()
}

/// Codex reads a project's own files where it trusts the project.
fn codex_project(host: &Host, machine: &Machine) -> Option<Finding> {
    let root = machine.project();
    let hooks = Hooks::of(host)?;
    let has_hooks = hooks.is_wired(&hooks.file(Scope::Project, machine).ok()?.text);
    // A linked worktree is trusted by the name of the main one.
    let is_plain = !root.join(".git").is_file();
    if !is_plain || !(has_hooks || has_entry(host, Scope::Project, machine)) {
        return None;
    }
    let (config, _) = ConfigFile::of(host, Scope::User, machine).ok()?;
    let is_trusted = |folder: &Path| {
        let keys = ["projects", &folder.to_string_lossy(), "trust_level"];
        let level = Format::Toml.look(&config.text, &keys).ok().flatten();
        level.is_some_and(|level| level.value == Some(Value::Text("trusted".to_owned())))
    };
    if both(&machine.folder).any(|folder| folder.ancestors().any(is_trusted)) {
        return None;
    }
    let root = root.display();
    let words = format!(
        "Codex does not trust `{root}` and reads nothing below its `.codex`; \
         start Codex there and say that you trust it"
    );
    finding(host, words)
}

/// Gemini CLI starts servers in trusted folders only.
fn gemini_folder(host: &Host, machine: &Machine) -> Option<Finding> {
    let is_everywhere = machine.variable("GEMINI_CLI_TRUST_WORKSPACE");
    let is_everywhere = is_everywhere.is_some_and(|value| value == "true");
    let mut scopes = SCOPES.into_iter();
    if is_everywhere || !scopes.any(|scope| has_entry(host, scope, machine)) {
        return None;
    }
    let (settings, _) = ConfigFile::of(host, Scope::User, machine).ok()?;
    if is_off(host.format, &settings.text) {
        return None;
    }
    let path = machine.variable("GEMINI_CLI_TRUSTED_FOLDERS_PATH");
    let path = path.map_or_else(
        || machine.folder(host).join("trustedFolders.json"),
        PathBuf::from,
    );
    let rules = match file::read(&path, MOST_BYTES) {
        Ok(bytes) => rules(host.format, &String::from_utf8(bytes).ok()?)?,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(_) => return None,
    };
    let here = real(&machine.folder);
    let fitting = rules.iter().filter(|(folder, _)| here.starts_with(folder));
    let nearest =
        fitting.max_by_key(|(folder, is_trusted)| (folder.components().count(), !is_trusted));
    if nearest.is_some_and(|(_, is_trusted)| *is_trusted) {
        return None;
    }
    let here = machine.folder.display();
    let words = format!(
        "Gemini CLI does not trust `{here}` and starts no server there; \
         start it there and choose `Trust folder`, or type `/permissions` in it"
    );
    finding(host, words)
}

/// Whether the user has turned the question off.
fn is_off(format: Format, text: &str) -> bool {
    let enabled = format.look(text, &["security", "folderTrust", "enabled"]);
    let enabled = enabled.ok().flatten();
    enabled.is_some_and(|enabled| enabled.value == Some(Value::Switch(false)))
}

/// The folders of a list, and whether each is trusted with all that is below it.
fn rules(format: Format, text: &str) -> Option<Vec<(PathBuf, bool)>> {
    let Some(Value::Map(listed)) = format.look(text, &[]).ok()??.value else {
        return None;
    };
    let rule = |(folder, level): (String, Value)| {
        let folder = Path::new(&folder);
        match level {
            Value::Text(level) if level == "TRUST_PARENT" => Some((real(folder.parent()?), true)),
            Value::Text(level) => Some((real(folder), level == "TRUST_FOLDER")),
            _ => None,
        }
    };
    Some(listed.into_iter().filter_map(rule).collect())
}

fn real(path: &Path) -> PathBuf {
    let real = path.canonicalize().map(nudge_client::platform::plain);
    real.unwrap_or_else(|_| path.to_owned())
}

/// A path as it is written, and where it leads.
fn both(path: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    [path.to_owned(), real(path)].into_iter()
}

fn snake_case(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
