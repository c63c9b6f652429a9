//! The rules of the house, as far as a program can see to them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;

/// No file is longer.
const MOST_LINES: usize = 400;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 5] = ["utils", "helpers", "common", "manager", "types"];

/// All that the library builds on.
const DEPENDENCIES: [&str; 12] = [
    "chrono",
    "compact_str",
    "crossbeam-utils",
    "hashbrown",
    "parking_lot",
    "regex",
    "regex-automata",
    "schemars",
    "serde",
    "serde_json",
    "strsim",
    "thiserror",
];

pub(crate) fn root() -> PathBuf {
    let library = Path::new(env!("CARGO_MANIFEST_DIR"));
    library.parent().unwrap().to_owned()
}

/// Every file below a folder whose name ends so, without what is built or hidden.
pub(crate) fn files(below: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![below.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                folders.push(path);
            } else if path.is_file() && name.ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(
        !found.is_empty(),
        "there is no {ending} below {}",
        below.display()
    );
    found
}

/// A path as people of this repository write it.
pub(crate) fn short(path: &Path) -> String {
    let below = path.strip_prefix(root()).unwrap();
    below.display().to_string().replace('\\', "/")
}

/// The files in whose code some words stand, each with the first line that has one.
fn mentions<'w>(files: &[PathBuf], words: impl Fn(&str) -> Option<&'w str>) -> Vec<String> {
    let mention = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        let mut lines = text.lines().zip(1..);
        lines.find_map(|(line, number)| {
            let code = line.split("//").next().unwrap_or_default();
            words(code).map(|word| format!("{}:{number} says {word}", short(path)))
        })
    };
    files.iter().filter_map(mention).collect()
}

/// The first of some words that stands in a line.
fn first_of<'w>(words: &'w [&'w str]) -> impl Fn(&str) -> Option<&'w str> {
    |line| words.iter().copied().find(|word| line.contains(word))
}

#[test]
fn no_source_file_is_too_long() {
    let too_long = files(&root(), ".rs").into_iter().filter_map(|path| {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        (lines > MOST_LINES).then(|| format!("{} has {lines} lines", short(&path)))
    });
    assert_eq!(too_long.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn every_file_is_named_for_what_it_is() {
    let names = files(&root(), ".rs").into_iter().map(|path| short(&path));
    let nameless = names.filter(|name| {
        let mut parts = name.split('/').map(|part| part.trim_end_matches(".rs"));
        parts.any(|part| EMPTY_NAMES.contains(&part))
    });
    assert_eq!(nameless.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn the_library_depends_on_a_closed_list_and_nothing_below_it_is_asynchronous() {
    let typed =
        "tree -p nudge-hints -e normal --target all --all-features --prefix depth --offline";
    let mut tree = Command::new(env!("CARGO"));
    let tree = tree.args(typed.split(' ')).current_dir(root()).output();
    let tree = tree.unwrap();
    assert!(tree.status.success(), "{tree:?}");
    let tree = String::from_utf8(tree.stdout).unwrap();
    // A line is `1serde v1.0.0`, where the number says how far below it is.
    let named = tree.lines().map(|line| {
        let word = line.split(' ').next().unwrap_or_default();
        let name = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
        (word.trim_end_matches(name), name)
    });
    let named: BTreeSet<(&str, &str)> = named.collect();
    let direct = named.iter().filter(|(depth, _)| *depth == "1");
    assert!(direct.map(|(_, name)| *name).eq(DEPENDENCIES), "{tree}");
    let runtimes = ["tokio", "async-std", "futures", "mio", "reqwest", "hyper"];
    let runs = named.iter().find(|(_, name)| runtimes.contains(name));
    assert_eq!(runs, None, "it is below the library");
}

#[test]
fn only_the_c_door_is_unsafe() {
    let door = root().join("nudge-ffi");
    // This file has to name the word.
    let outside = |path: &PathBuf| !path.starts_with(&door) && !path.ends_with("tidy.rs");
    let sources: Vec<PathBuf> = files(&root(), ".rs").into_iter().filter(outside).collect();
    let is_unsafe = |line: &str| {
        let mut words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        words.any(|word| word == "unsafe").then_some("unsafe")
    };
    assert_eq!(mentions(&sources, is_unsafe), Vec::<String>::new());
}

#[test]
fn only_one_file_of_the_library_looks_at_the_machine() {
    let src = root().join("nudge/src");
    let here =
        |path: &PathBuf| path.ends_with("here.rs") || path.starts_with(src.join("scope/here"));
    let sources: Vec<PathBuf> = files(&src, ".rs")
        .into_iter()
        .filter(|path| !here(path))
        .collect();
    let machine = [
        "std::fs",
        "std::env",
        "std::process",
        "std::thread",
        "TcpStream",
        "tokio",
    ];
    assert_eq!(mentions(&sources, first_of(&machine)), Vec::<String>::new());
}

#[test]
fn only_the_platform_of_the_server_knows_one_system_from_another() {
    let server = root().join("nudge-server");
    let sources = ["src", "client/src"].map(|folder| {
        let (platform, root) = (server.join(folder).join("platform"), server.join(folder));
        let outside = move |path: &PathBuf| {
            !path.starts_with(&platform) && *path != platform.with_extension("rs")
        };
        files(&root, ".rs").into_iter().filter(outside)
    });
    let sources: Vec<PathBuf> = sources.into_iter().flatten().collect();
    let systems = ["target_os", "(unix", "(windows", "/proc/"];
    assert_eq!(mentions(&sources, first_of(&systems)), Vec::<String>::new());
}

#[test]
fn the_library_says_nothing_and_leaves_nothing_undone() {
    let sources = files(&root().join("nudge/src"), ".rs");
    let words = [
        "println!",
        "eprintln!",
        "print!",
        "dbg!",
        "todo!",
        "unimplemented!",
    ];
    assert_eq!(mentions(&sources, first_of(&words)), Vec::<String>::new());
}

#[test]
fn there_is_one_version() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let version = manifest
        .lines()
        .find_map(|line| line.strip_prefix("version = \""))
        .unwrap();
    let version = version.trim_end_matches('"');
    assert_eq!(version, env!("CARGO_PKG_VERSION"));
    for path in files(&root(), "Cargo.toml") {
        let manifest = fs::read_to_string(&path).unwrap();
        let package = manifest.split("[package]").nth(1).unwrap_or_default();
        let package = package.split("\n[").next().unwrap_or_default();
        let mut versions = package.lines().filter(|line| line.starts_with("version"));
        let is_shared = versions.all(|line| line.replace(' ', "") == "version.workspace=true");
        assert!(is_shared, "{} has a version of its own", short(&path));
        for line in manifest
            .lines()
            .filter(|line| line.contains("path = \"nudge"))
        {
            assert!(line.contains(version), "{}: {line}", short(&path));
        }
    }
}

#[test]
fn the_page_knows_the_same_active_characters() {
    let script = root().join("nudge-server/src/surface/page/text.js");
    let script = fs::read_to_string(script).unwrap();
    let class = script.split_once("const ACTIVE =").unwrap().1;
    let class = class.trim_start().strip_prefix('/').unwrap();
    let class = Regex::new(class.split_once("/u;").unwrap().0).unwrap();
    let differs = |letter: &char| nudge::is_active(*letter) != class.is_match(&letter.to_string());
    let all: Vec<char> = (char::MIN..=char::MAX).filter(differs).collect();
    assert!(all.is_empty(), "{all:?}");
}

#[test]
fn nothing_says_of_a_kept_hint_that_it_ends_with_the_session() {
    let everywhere = [
        ".md", ".txt", ".toml", ".in", ".rb", ".h", ".go", ".py", ".json", ".trycmd", ".svg",
    ];
    let mut texts: Vec<PathBuf> = everywhere
        .iter()
        .flat_map(|end| files(&root(), end))
        .collect();
    texts.extend(files(&root().join("nudge/src"), ".rs"));
    texts.extend(files(&root().join("nudge-server/src"), ".rs"));
    for path in texts {
        let text = fs::read(&path).unwrap();
        let text = String::from_utf8_lossy(&text).to_lowercase();
        for words in ["session-scoped", "kept until `nudge stop`"] {
            assert!(!text.contains(words), "{} says {words}", short(&path));
        }
    }
}
