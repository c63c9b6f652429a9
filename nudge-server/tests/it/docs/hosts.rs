//! The blocks that the README gives to copy are those of the page of hosts, which
//! is held against `nudge install HOST --print`.

use std::collections::BTreeMap;

use serde_json::Value;
use toml_edit::{DocumentMut, Item};

use super::page::{Block, Page};

const HOSTS: &str = "docs/hosts.md";

/// What a config says, each leaf by its path; where the binary lies is the
/// reader's business.
type Said = BTreeMap<String, String>;

fn told(said: &mut Said, path: &str, text: &str) {
    let is_binary = text.ends_with("/nudge");
    let text = if is_binary { "nudge" } else { text };
    said.insert(path.to_owned(), text.to_owned());
}

fn of_json(said: &mut Said, path: &str, value: &Value) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                of_json(said, &format!("{path}.{name}"), value);
            }
        }
        Value::Array(values) => {
            for (number, value) in values.iter().enumerate() {
                of_json(said, &format!("{path}.{number}"), value);
            }
        }
        Value::String(text) => told(said, path, text),
        other => told(said, path, &other.to_string()),
    }
}

fn of_toml(said: &mut Said, path: &str, item: &Item) {
    if let Some(table) = item.as_table_like() {
        for (name, item) in table.iter() {
            of_toml(said, &format!("{path}.{name}"), item);
        }
    } else if let Some(array) = item.as_array() {
        for (number, value) in array.iter().enumerate() {
            of_toml(
                said,
                &format!("{path}.{number}"),
                &Item::Value(value.clone()),
            );
        }
    } else if let Some(text) = item.as_str() {
        told(said, path, text);
    } else {
        told(said, path, item.to_string().trim());
    }
}

/// What a block says, if it is a config.
fn said(block: &Block) -> Option<Said> {
    let mut said = Said::new();
    match block.language.as_str() {
        "json" => of_json(&mut said, "", &serde_json::from_str(&block.text).unwrap()),
        "toml" => {
            let document: DocumentMut = block.text.parse().unwrap();
            of_toml(&mut said, "", document.as_item());
        }
        _ => return None,
    }
    Some(said)
}

#[test]
fn the_readme_gives_the_blocks_of_the_page_of_hosts() {
    let hosts = Page::read(HOSTS);
    let known: Vec<Said> = hosts.blocks().iter().filter_map(said).collect();
    for block in Page::read("README.md").blocks() {
        let is_known = said(&block).is_none_or(|said| known.contains(&said));
        assert!(is_known, "README.md:{} is not in {HOSTS}", block.line);
    }
}

#[test]
fn a_config_says_the_same_in_every_layout() {
    let block = |language: &str, text: &str| Block {
        language: language.to_owned(),
        line: 1,
        text: text.to_owned(),
    };
    let inline = block(
        "toml",
        "[s.n]\ncommand = \"/a/nudge\"\nargs = [\"serve\"]\nenv = { A = \"b\" }\n",
    );
    let tables = block(
        "toml",
        "[s.n]\ncommand = \"nudge\"\nargs = [\n\"serve\",\n]\n[s.n.env]\nA = \"b\"\n",
    );
    let json = r#"{"s": {"n": {"command": "/b/nudge", "args": ["serve"], "env": {"A": "b"}}}}"#;
    assert_eq!(said(&inline), said(&tables));
    assert_eq!(said(&inline), said(&block("json", json)));
    assert_ne!(said(&inline), said(&block("json", "{}")));
    assert_eq!(said(&block("sh", "nudge stop")), None);
}
