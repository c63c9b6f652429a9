//! What the manifests of the runners declare.

use crate::project::manifest::Manifest;
use crate::project::npm;
use crate::project::runner::reader;
use crate::table::check;

fn read(file: &str, text: &str) -> Manifest {
    reader(file).unwrap()(text)
}

#[test]
fn the_names_that_a_manifest_declares_are_read() {
    let table = include_str!("../../../../tests/projects/manifests.tsv");
    check(table, |[file, text, _]| {
        let manifest = read(file, text);
        let names = manifest.names.iter().map(|known| known.name.as_str());
        let names = names.chain(manifest.is_open.then_some("…"));
        names.collect::<Vec<_>>().join(" ").trim().to_owned()
    });
}

#[test]
fn its_tools_are_found_wherever_they_are_declared() {
    let table = include_str!("../../../../tests/projects/tools.tsv");
    check(table, |[file, text, _]| read(file, text).tools.join(" "));
}

#[test]
fn what_a_name_does_is_hashed_without_its_neighbors() {
    let table = include_str!("../../../../tests/projects/bodies.tsv");
    check(table, |[file, one, other, _]| {
        let slice = |text: &str| read(file, text).named("a").unwrap().slice.clone();
        let is_same = slice(one) == slice(other);
        if is_same { "same" } else { "other" }.to_owned()
    });
}

#[test]
fn a_name_that_may_be_a_program_is_not_sure() {
    let table = include_str!("../../../../tests/projects/scripts.tsv");
    check(table, |[line, _]| {
        let words: Vec<&str> = line.split(' ').collect();
        let named = match npm::script(words[0], &words[1..]) {
            Some((_, true)) => "a script",
            Some((_, false)) => "a script or a program",
            None => "no script",
        };
        named.to_owned()
    });
}
