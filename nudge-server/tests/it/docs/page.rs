//! `Page`: a page of Markdown, its blocks of code and what stands around them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::conformance::adapter::file;
use crate::golden::is_as_written_down;

/// What ends a block, and what every one of them starts with.
pub(crate) const FENCE: &str = "```";

/// What a session at a terminal starts with.
pub(crate) const CONSOLE: &str = "```console";

/// The pages outside of `docs`.
const BESIDE_DOCS: [&str; 7] = [
    "README.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "nudge-server/examples/plugins/README.md",
    "nudge-server/examples/plugins/nudge.md",
    "nudge-server/examples/plugins/remember.md",
];

/// Pages whose sessions need another server than that of a transcript, and have
/// a test of their own.
const RUN_ELSEWHERE: [&str; 1] = ["docs/reference.md"];

/// A page, by its path from the root.
pub(crate) struct Page {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A block of code.
pub(crate) struct Block {
    pub(crate) language: String,
    /// The line on which it starts.
    pub(crate) line: usize,
    pub(crate) text: String,
}

impl Page {
    pub(crate) fn read(name: &str) -> Page {
        Page {
            name: name.to_owned(),
            text: fs::read_to_string(file(name)).unwrap(),
        }
    }

    pub(crate) fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut lines = self.text.lines().zip(1..);
        while let Some((line, number)) = lines.next() {
            let Some(language) = line.trim_start().strip_prefix(FENCE) else {
                continue;
            };
            let inside = lines.by_ref().map(|(line, _)| line);
            let inside = inside.take_while(|line| line.trim_start() != FENCE);
            let text = inside.fold(String::new(), |text, line| text + line + "\n");
            blocks.push(Block {
                language: language.to_owned(),
                line: number,
                text,
            });
        }
        blocks
    }

    /// The lines outside of blocks, each with its number.
    pub(crate) fn prose(&self) -> Vec<(usize, &str)> {
        let mut is_code = false;
        let lines = self.text.lines().zip(1..).filter(|(line, _)| {
            let is_fence = line.trim_start().starts_with(FENCE);
            is_code ^= is_fence;
            !is_code && !is_fence
        });
        lines.map(|(line, number)| (number, line)).collect()
    }
}

/// Every page that people read.
pub(crate) fn pages() -> Vec<Page> {
    let mut names: Vec<String> = BESIDE_DOCS.map(str::to_owned).into();
    let mut folders = vec![file("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "md") {
                names.push(name(&path));
            }
        }
    }
    names.sort();
    assert!(names.len() > 10, "the pages are not all there");
    names.iter().map(|name| Page::read(name)).collect()
}

/// The pages that have a block of a language.
pub(crate) fn with_blocks_of(language: &str) -> Vec<PathBuf> {
    let pages = pages().into_iter();
    let pages = pages.filter(|page| page.blocks().iter().any(|block| block.language == language));
    pages.map(|page| file(&page.name)).collect()
}

/// Fails when what stands in a page behind `<!-- NAME -->` is not what would be made now.
pub(crate) fn is_made(path: &str, name: &str, made: &str) {
    let page = Page::read(path).text;
    let start = format!("<!-- {name} -->\n");
    let (before, rest) = page.split_once(&start).unwrap();
    let (_, after) = rest.split_once("<!-- end -->").unwrap();
    let today = format!("{before}{start}\n{made}\n<!-- end -->{after}");
    is_as_written_down(path, &today);
}

/// Whether the sessions of a page are run by a test of its own.
pub(crate) fn run_elsewhere(path: &Path) -> bool {
    RUN_ELSEWHERE.contains(&name(path).as_str())
}

/// A path from the root, as pages and people write it.
fn name(path: &Path) -> String {
    let root = file("");
    path.strip_prefix(root).unwrap().display().to_string()
}
