//! What `docs/tomorrow.md` says of languages: their table is made of the one that is read.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::page::is_made;

const TABLE: &str = include_str!("../../../src/project/ecosystems.txt");

/// The sections that are not called as the language is.
const NAMES: [(&str, &str); 5] = [
    ("js", "JavaScript, TypeScript"),
    ("jvm", "Java, Kotlin"),
    ("c", "C, C++"),
    ("dotnet", "C#, F#"),
    ("php", "PHP"),
];

/// What the code fills in, in words.
const FILLED: [(&str, &str); 4] = [
    ("{py}", ""),
    ("{ci}", "npm ci"),
    ("{js}", "npm"),
    ("{extra}", "[test]"),
];

fn row(section: &str) -> String {
    let mut lines = section.lines();
    let (name, rest) = lines.next().unwrap().split_once(']').unwrap();
    let known = NAMES.iter().find(|(id, _)| *id == name);
    let title = known.map_or_else(
        || name[..1].to_uppercase() + &name[1..],
        |(_, title)| (*title).to_owned(),
    );
    let files = rest.split(" : ").nth(1).unwrap().replace('!', "");
    let files = format!("`{}`", files.replace(' ', "`, `"));
    let mut kinds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for line in lines.filter(|line| !line.is_empty()) {
        let parts: Vec<&str> = line.split(" : ").collect();
        let fill = |text: String, (name, word): (&str, &str)| text.replace(name, word);
        let command = FILLED.into_iter().fold(parts[2].to_owned(), fill);
        let all = kinds.entry(parts[0].trim_end_matches('?')).or_default();
        if !all.contains(&command) {
            all.push(command);
        }
    }
    let cell = |kind: &str| {
        let all = kinds.get(kind).into_iter().flatten();
        let all: Vec<String> = all.map(|command| format!("`{command}`")).collect();
        all.join(", ")
    };
    let [test, build, install] = ["test", "build", "install"].map(cell);
    format!("| {title} | {files} | {test} | {build} | {install} |\n")
}

#[test]
fn every_language_is_told_as_it_is_read() {
    let mut table = String::from("| language | files | test | build | install |\n");
    table += "| --- | --- | --- | --- | --- |\n";
    for section in TABLE.split("\n[").skip(1) {
        write!(table, "{}", row(section)).unwrap();
    }
    is_made("docs/tomorrow.md", "languages", &table);
}
