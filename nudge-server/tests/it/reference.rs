//! `docs/reference.md`: what is made from `docs/openrpc.json` is up to
//! date, and what it tells people to type does what it says.

mod blocks;
mod layout;
mod render;

use std::fs;

use serde_json::Value;

use self::blocks::{Block, blocks};
use crate::conformance::file;
use crate::golden::is_as_written_down;
use crate::need::need;
use crate::openrpc::document;
use crate::process::Server;
use crate::transcripts::fits;

const PAGE: &str = "docs/reference.md";

#[test]
fn the_reference_is_made_from_the_document() {
    let page = fs::read_to_string(file(PAGE)).unwrap();
    is_as_written_down(PAGE, &filled(&page, &document()));
}

/// The page with its made parts made anew.
fn filled(page: &str, document: &Value) -> String {
    let document = &render::with_words_in_place(document.clone());
    let parts = [
        ("errors", render::errors(document)),
        ("limits", render::limits(document)),
        ("methods", render::methods(document)),
        ("types", render::types(document)),
    ];
    parts.iter().fold(page.to_owned(), |page, (name, made)| {
        let start = format!("<!-- {name}, from openrpc.json -->\n");
        let (before, rest) = page.split_once(&start).unwrap();
        let (_, after) = rest.split_once("<!-- end -->").unwrap();
        format!("{before}{start}\n{made}\n<!-- end -->{after}")
    })
}

#[test]
fn every_command_of_the_reference_prints_what_it_says() {
    if !need("curl", "curl") {
        return;
    }
    let page = fs::read_to_string(file(PAGE)).unwrap();
    let folder = crate::process::folder();
    let server = Server::start(folder.path());
    let all = blocks(&page);
    assert!(all.len() > 5, "the blocks are not all there");
    for Block { typed, expected } in all {
        let typed_here = typed.replace("127.0.0.1:8765", server.address());
        let printed = blocks::printed(&typed_here, expected.len());
        let mut lines = expected.iter().zip(&printed);
        let fits = printed.len() == expected.len() && lines.all(|(a, b)| fits(a, b));
        assert!(
            fits,
            "$ {typed}\nexpected {expected:#?}\nprinted {printed:#?}"
        );
    }
}
