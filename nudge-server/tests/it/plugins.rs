//! The packages for hosts: they say what `nudge install` says, and all of one version.

#[path = "../../examples/plugins/packages.rs"]
mod packages;

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::conformance::adapter::file;
use crate::docs::page::is_made;
use crate::hosts::home::{BINARY, Home};

fn written() -> BTreeMap<String, String> {
    packages::packages().into_iter().collect()
}

fn parsed(files: &BTreeMap<String, String>, path: &str) -> Value {
    let parsed = serde_json::from_str(&files[path]);
    parsed.unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What `nudge install` puts into a host's file, for a binary on the PATH.
fn installed(host: &str, path: &str) -> String {
    let home = Home::with_hosts();
    home.nudge(&format!("install {host} --hooks --scope project"))
        .done();
    let text = fs::read_to_string(home.project(path)).unwrap();
    text.replace(BINARY, "nudge")
}

fn installed_json(host: &str, path: &str) -> Value {
    serde_json::from_str(&installed(host, path)).unwrap()
}

#[test]
fn every_package_has_the_entry_and_the_hooks_that_are_installed() {
    let files = written();
    let file = |path: &str| parsed(&files, path);
    for (path, host, theirs) in [
        ("claude/.mcp.json", "claude", ".mcp.json"),
        ("claude/hooks/hooks.json", "claude", ".claude/settings.json"),
        ("codex/hooks/hooks.json", "codex", ".codex/hooks.json"),
        ("copilot/.mcp.json", "copilot", ".github/mcp.json"),
        ("copilot/hooks.json", "copilot", ".github/hooks/nudge.json"),
    ] {
        assert_eq!(file(path), installed_json(host, theirs), "{path}");
    }
    let gemini = installed_json("gemini", ".gemini/settings.json");
    let manifest = file("gemini-extension.json");
    assert_eq!(manifest["mcpServers"], gemini["mcpServers"]);
    assert_eq!(file("hooks/hooks.json")["hooks"], gemini["hooks"]);
    let codex: toml_edit::DocumentMut = installed("codex", ".codex/config.toml").parse().unwrap();
    let command = codex["mcp_servers"]["nudge"]["command"].as_str();
    let server = json!({"mcpServers": {"nudge": {"command": command, "args": ["serve"]}}});
    assert_eq!(file("codex/.mcp.json"), server);
    let plugin = installed("opencode", ".opencode/plugins/nudge.js");
    assert_eq!(files["opencode/nudge.js"], plugin);
    let server = &installed_json("opencode", "opencode.json")["mcp"]["nudge"];
    assert!(files["opencode/index.js"].contains(&format!("nudge: {server},")));
}

#[test]
fn every_manifest_is_of_this_version_and_names_what_is_there() {
    let files = written();
    let mut manifests = 0;
    for (path, text) in &files {
        if path.rsplit('.').next() != Some("json") {
            continue;
        }
        let manifest = parsed(&files, path);
        if let Some(version) = manifest.get("version").filter(|it| it.is_string()) {
            assert_eq!(version, env!("CARGO_PKG_VERSION"), "{path}");
            manifests += 1;
        }
        // What is named by a path lies below the package.
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let root = folder.rsplit_once("/.").map_or(folder, |(root, _)| root);
        for key in ["skills", "hooks", "mcpServers", "main", "contextFileName"] {
            let Some(named) = manifest.get(key).and_then(Value::as_str) else {
                continue;
            };
            let named = format!("{root}/{}", named.trim_start_matches("./"));
            let named = named.trim_start_matches('/');
            let is_there = files.keys().any(|it| it.starts_with(named));
            assert!(is_there, "{path}: {key}");
        }
        for plugin in manifest["plugins"].as_array().into_iter().flatten() {
            let source = plugin["source"]["path"].as_str();
            let source = source.or(plugin["source"].as_str()).unwrap();
            let inside = format!("{}/", source.trim_start_matches("./"));
            assert!(files.keys().any(|it| it.starts_with(&inside)), "{path}");
        }
        assert!(text.ends_with("}\n"), "{path}");
    }
    assert_eq!(manifests, 15);
}

#[test]
fn npm_gets_the_binary_of_this_very_version() {
    let files = written();
    let main = parsed(&files, "npm/nudge-hints/package.json");
    let others = main["optionalDependencies"].as_object().unwrap();
    assert_eq!(others.len(), 5);
    for (name, version) in others {
        let path = name.replace("@nudge-hints/", "npm/") + "/package.json";
        let package = parsed(&files, &path);
        assert_eq!(package["name"], **name);
        assert_eq!(package["version"], *version);
    }
    let server: Value = serde_json::from_str(include_str!("../../../server.json")).unwrap();
    assert_eq!(main["mcpName"], server["name"]);
    assert_eq!(main["name"], server["packages"][1]["identifier"]);
}

#[test]
fn commands_are_the_skills() {
    let files = written();
    for name in ["nudge", "remember"] {
        let command = &files[&format!("commands/{name}.toml")];
        let command: toml_edit::DocumentMut = command.parse().unwrap();
        let skill = &files[&format!("claude/skills/{name}/SKILL.md")];
        let (head, words) = packages::parts(skill);
        assert!(head.starts_with(&format!("name: {name}\ndescription: ")));
        let prompt = command["prompt"].as_str().unwrap();
        assert_eq!(prompt.replace("{{args}}", "$ARGUMENTS"), words);
    }
    assert!(files["commands/remember.toml"].contains("{{args}}"));
}

/// The tokens that every session pays for the light way, as `docs/tokens.md` counts them.
#[test]
fn the_light_way_costs_little() {
    let files = written();
    let (head, words) = packages::parts(&files["light/skills/nudge/SKILL.md"]);
    let tokens = |text: &str| text.chars().count().div_ceil(4);
    let said = head.replace("name: ", "").replace("description: ", "");
    let always = tokens(&said);
    assert!(always <= 55, "{always}");
    let line = format!(
        "{always} tokens in every session, and {} when an agent uses it",
        tokens(words)
    );
    for page in ["docs/hosts.md", "docs/tokens.md"] {
        let text = fs::read_to_string(file(page)).unwrap().replace('\n', " ");
        assert!(text.contains(&line), "{page} does not say: {line}");
    }
    let light: Vec<&String> = files.keys().filter(|it| it.starts_with("light/")).collect();
    assert_eq!(light.len(), 3, "{light:?}");
}

#[test]
fn the_manual_shows_the_links() {
    let links = packages::links().join("\n");
    is_made(
        "docs/hosts.md",
        "links",
        &format!("```text\n{links}\n```\n"),
    );
}
