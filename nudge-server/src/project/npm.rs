//! `package.json`, and which package manager runs its scripts.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::files::Look;
use super::folder::{join, up};
use super::has;
use super::manifest::Manifest;

pub(super) const FILE: &str = "package.json";

/// That of PHP, whose scripts are written alike; one may also be a list of commands.
pub(super) const COMPOSER: &str = "composer.json";

/// What stands before the name of a script in an anchor.
pub(super) const SCRIPTS: &str = "scripts.";

/// The managers, each with a file that is there only where it is used, the surest first.
pub(super) const LOCKS: [(&str, &str); 7] = [
    ("pnpm", "pnpm-lock.yaml"),
    ("yarn", "yarn.lock"),
    ("bun", "bun.lock"),
    ("bun", "bun.lockb"),
    ("npm", "package-lock.json"),
    ("npm", "npm-shrinkwrap.json"),
    ("pnpm", "pnpm-workspace.yaml"),
];

/// What the managers do by themselves, so that a script of that name needs `run`.
const OWN: &str = "add audit bin cache check ci config create dedupe deploy dlx doctor env exec \
    fetch help import info init install licenses link list login logout ls node npm outdated \
    pack patch plugin prune publish rebuild remove root server set setup store unlink up update \
    upgrade version versions why workspace workspaces";

/// What projects call their steps, and no package its program.
const STEPS: &str = "test tests build lint format typecheck check dev e2e";

#[derive(Deserialize)]
struct Package {
    #[serde(default)]
    scripts: BTreeMap<String, Value>,
    #[serde(rename = "packageManager")]
    manager: Option<Value>,
}

/// Reads a `package.json`. The manager that it asks for is its tool.
pub(super) fn read(text: &str) -> Manifest {
    let mut manifest = Manifest::default();
    let Ok(package) = serde_json::from_str::<Package>(text) else {
        return manifest;
    };
    for (name, body) in &package.scripts {
        let body = match body {
            Value::String(body) => body.clone(),
            Value::Array(_) => body.to_string(),
            _ => continue,
        };
        manifest.declare(format!("{SCRIPTS}{name}"), &body);
    }
    let manager = package.manager.as_ref().and_then(Value::as_str);
    let manager = manager.and_then(|manager| manager.split('@').next());
    manifest.tools.extend(manager.map(str::to_owned));
    manifest
}

/// The manager of a folder, and its lock file: what the nearest folder with a lock file or
/// a `packageManager` has, up to the root.
pub(super) fn manager(look: &Look<'_>, folder: &str) -> (&'static str, Option<String>) {
    for folder in up(folder) {
        let package = look.manifest(&join(folder, FILE), read);
        let tools = package.map(|package| package.tools.clone());
        let asked = tools.unwrap_or_default().pop();
        let is_asked = |manager: &str| asked.as_deref().is_none_or(|asked| asked == manager);
        let mut known = LOCKS.into_iter().filter(|(manager, _)| is_asked(manager));
        let any = known.clone().next().filter(|_| asked.is_some());
        let locked = known.find(|(_, lock)| look.is_file(&join(folder, lock)));
        if let Some((manager, _)) = locked.or(any) {
            return (manager, locked.map(|(_, lock)| join(folder, lock)));
        }
    }
    ("npm", None)
}

/// How a manager is told to run a script.
pub(super) fn run(manager: &str, script: &str) -> String {
    let needs_run = match manager {
        "npm" => !matches!(script, "test" | "start"),
        "bun" => true,
        _ => has(OWN, script),
    };
    let run = if needs_run { "run " } else { "" };
    format!("{manager} {run}{script}")
}

/// The script that a manager is told to run, and whether it can be nothing else: some look
/// for a program of that name too, `pnpm run` where `pnpm` alone was meant.
pub(super) fn script<'a>(manager: &str, words: &[&'a str]) -> Option<(Vec<&'a str>, bool)> {
    let name = match (manager, words) {
        (_, ["run" | "run-script", name, ..]) => *name,
        ("npm" | "pnpm", ["t" | "test", ..]) => "test",
        // Without that script, npm starts `server.js`.
        ("npm", [name @ "start", ..]) => return Some((vec![*name], false)),
        ("npm", _) | ("bun", ["test" | "build", ..]) => return None,
        (_, [name, ..]) if !has(OWN, name) => *name,
        _ => return None,
    };
    // Yarn finds a name with a colon in any of the workspaces.
    let is_step = has(STEPS, name) || (manager == "pnpm" && name.contains(':'));
    Some((vec![name], manager == "npm" || is_step))
}
