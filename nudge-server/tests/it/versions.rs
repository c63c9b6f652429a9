//! One version is everywhere, and what points somewhere points at something.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::conformance::file;
use crate::says::Says;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn text(path: &str) -> String {
    let read = fs::read_to_string(file(path));
    read.unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap()
}

#[test]
fn one_version_is_everywhere() {
    let nudge = Command::new(env!("CARGO_BIN_EXE_nudge"));
    let said = { nudge }.arg("--version").output().unwrap().stdout;
    let line = format!("nudge {VERSION}\n");
    assert_eq!(String::from_utf8(said).unwrap(), line);

    let line = format!("#define NUDGE_VERSION \"{VERSION}\"\n");
    text("include/nudge.h").says(&line);

    let server = json("server.json");
    assert_eq!(server["version"], VERSION, "server.json");
    for package in server["packages"].as_array().unwrap() {
        assert_eq!(package["version"], VERSION, "a package of server.json");
    }
    assert_eq!(json("docs/openrpc.json")["info"]["version"], VERSION);
}

#[test]
fn the_wheel_and_the_c_library_have_no_version_of_their_own() {
    text("pyproject.toml").says("dynamic = [\"version\"]");
    text("nudge-ffi/nudge.pc.in").says("Version: @VERSION@");
    text("nudge-go/call.go").says("C.nudge_version()");
}

#[test]
fn the_newest_entry_of_the_changelog_is_this_version_or_the_next() {
    let changelog = text("CHANGELOG.md");
    let mut lines = changelog.lines();
    let newest = lines.find_map(|line| line.strip_prefix("## "));
    let newest = newest.unwrap().trim_start_matches('[');
    let word = newest.split([' ', ']']).next().unwrap();
    assert!([VERSION, "Unreleased"].contains(&word), "## {newest}");
}

#[test]
fn what_a_registry_is_told_is_what_is_packed() {
    let server = json("server.json");
    let packages = server["packages"].as_array().unwrap();
    let name = format!("name = {}", packages[0]["identifier"]);
    assert!(text("pyproject.toml").contains(&name), "{name}");
    let known = text("nudge-server/src/config.rs");
    for package in packages {
        assert_eq!(package["packageArguments"][0]["value"], "serve");
        let variables = &package["environmentVariables"];
        assert_eq!(variables, &packages[0]["environmentVariables"]);
        for variable in variables.as_array().unwrap() {
            known.says(variable["name"].as_str().unwrap());
        }
    }
    // Whoever publishes it must put their own account in its place.
    if server["name"] == "io.github.your-account/nudge" {
        assert!(text("RELEASING.md").contains("io.github.your-account/nudge"));
    }
}

#[test]
fn what_models_are_pointed_at_is_there() {
    let page = text("llms.txt");
    assert!(page.starts_with("# Nudge\n\n> "));
    let links = page.split("](").skip(1);
    let links: Vec<&str> = links.map(|rest| rest.split(')').next().unwrap()).collect();
    assert!(links.len() > 5);
    for link in links {
        assert!(file(link).exists(), "{link}");
    }
}
