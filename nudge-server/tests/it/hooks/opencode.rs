//! The plugin for `OpenCode`, loaded by a host that fires its hooks.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::PATIENT;
use super::mishaps::{folder, talkative};
use crate::conformance::adapter::file;
use crate::hosts::home::{BINARY, Home};
use crate::need::need;

/// What came of the hooks, with the plugin that is installed.
fn fired(home: &Home, runtime: &Path) -> Value {
    // Node goes by the ending of a file where OpenCode does not.
    let plugin = home.read(".config/opencode/plugins/nudge.js");
    // A busy machine may take longer to start a process than a plugin waits.
    let plugin = plugin.replace("const PATIENCE = 300;", "const PATIENCE = 60000;");
    let plugin = home.write("plugin.mjs", plugin);
    let mut node = Command::new("node");
    node.arg(file("tests/hooks/opencode.mjs")).arg(plugin);
    node.env("NUDGE_RUNTIME_DIR", runtime)
        .env("NUDGE_HOOK_MS", PATIENT);
    let output = node.current_dir(home.project("")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_plugin_passes_on_what_a_hook_says_and_nothing_where_that_is_nothing() {
    if !need("node", "nodejs") {
        return;
    }
    let home = Home::with_hosts();
    home.nudge("install opencode --hooks").done();
    let runtime = folder();
    talkative(runtime.path(), "a hint");
    let primed = json!(["You are an agent.", "a hint"]);
    let expected = json!({
        "first": primed, "second": primed, "compacted": primed,
        "ran": "printed\n\na hint\n\na hint", "read": "printed",
    });
    assert_eq!(fired(&home, runtime.path()), expected);

    // It is silent without a server, and without a binary.
    let alone = json!(["You are an agent."]);
    let expected = json!({
        "first": alone, "second": alone, "compacted": alone, "ran": "printed", "read": "printed",
    });
    let nowhere = home.path("nowhere");
    assert_eq!(fired(&home, &nowhere), expected);
    let name = ".config/opencode/plugins/nudge.js";
    home.write(name, home.read(name).replace(BINARY, "/gone/nudge"));
    assert_eq!(fired(&home, &nowhere), expected);
}
