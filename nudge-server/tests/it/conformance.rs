//! Every vector, through every surface but Rust: `nudge/tests/vectors` has that
//! one, and the driver.

pub(crate) mod adapter;
mod cli;
mod connect;
#[path = "../../../nudge/tests/vectors/driver/mod.rs"]
pub(crate) mod driver;
mod http;
mod mcp;

use std::fs;
use std::path::PathBuf;

use boon::{Compiler, Schemas};

pub(crate) use self::adapter::file;
use self::adapter::{Adapter, nothing_may_be_missing};
use self::cli::Cli;
use self::connect::Connected;
pub(crate) use self::driver::topics;
use self::driver::{conforms, conforms_to, tell};
use self::http::Http;
use self::mcp::Mcp;

#[test]
fn mcp() {
    conforms("mcp", &mut Mcp::default());
}

#[test]
fn c() {
    adapter_conforms("c", &[file("target/adapters/c")]);
}

#[test]
fn go() {
    adapter_conforms("go", &[file("target/adapters/go")]);
}

#[test]
fn python() {
    let adapter = file("tests/conformance/adapters/adapter.py");
    adapter_conforms("python", &[file("target/venv/bin/python"), adapter]);
}

#[test]
fn cli() {
    conforms("cli", &mut Cli::start());
}

#[test]
fn http() {
    conforms("http", &mut Http::default());
}

#[test]
fn connect() {
    conforms("connect", &mut Connected::default());
}

/// The operations of the server itself, which no library has.
#[test]
fn server() {
    conforms_to::<Http>("server");
}

/// What a file names otherwise than its schema would hold nothing.
#[test]
fn every_file_of_vectors_is_as_its_schema_says() {
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    let schema = file("tests/conformance/vector.schema.json");
    let schema = compiler.compile(schema.to_str().unwrap(), &mut schemas);
    let schema = schema.unwrap();
    for folder in ["vectors", "server", "library"] {
        for entry in fs::read_dir(file("tests/conformance").join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let topic = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            let wrong = schemas.validate(&topic, schema).err();
            let wrong = wrong.map(|wrong| format!("{wrong:#}"));
            assert_eq!(wrong, None, "{}", path.display());
        }
    }
}

/// Runs every case through a child process, if it was built.
fn adapter_conforms(name: &str, command: &[PathBuf]) {
    match Adapter::start(command) {
        Some(mut adapter) => conforms(name, &mut adapter),
        None if nothing_may_be_missing() => panic!("{name}: run `make adapters` first"),
        None => tell(&format!(
            "conformance: {name}: SKIPPED, it is not built; run `make adapters` first"
        )),
    }
}
