//! `docs/reference.md`: what is made from `docs/openrpc.json` is up to
//! date, and what it tells people to type does what it says.

mod blocks;
mod layout;
mod render;

use std::fs;

use self::blocks::{Block, blocks};
use crate::conformance::file;
use crate::docs::page::is_made;
use crate::need::need;
use crate::openrpc::document;
use crate::process::Server;
use crate::transcripts::fits;

const PAGE: &str = "docs/reference.md";

#[test]
fn the_reference_is_made_from_the_document() {
    let document = &render::with_words_in_place(document());
    for (name, made) in [
        ("errors", render::errors(document)),
        ("limits", render::limits(document)),
        ("methods", render::methods(document)),
        ("types", render::types(document)),
    ] {
        is_made(PAGE, &format!("{name}, from openrpc.json"), &made);
    }
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
