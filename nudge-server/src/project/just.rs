//! Justfiles: their recipes.

use super::blocks::blocks;
use super::manifest::Manifest;

pub(super) const FILES: [&str; 3] = ["justfile", "Justfile", ".justfile"];

pub(super) fn read(text: &str) -> Manifest {
    let mut manifest = Manifest::default();
    for (line, recipe) in blocks(text) {
        let mut words = line.split_whitespace();
        match (words.next().unwrap_or_default(), words.next()) {
            ("import" | "import?" | "mod" | "mod?", _) | ("set", Some("fallback")) => {
                manifest.is_open = true;
            }
            ("alias", Some(name)) => manifest.declare(name, line),
            _ => {}
        }
        if let Some(name) = head(line) {
            manifest.declare(name, format!("{line}\n{recipe}").trim_end());
        }
    }
    manifest
}

/// The name of the recipe that a line begins: `@name parameters: others`.
fn head(line: &str) -> Option<&str> {
    let line = line.strip_prefix('@').unwrap_or(line);
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    let (name, rest) = line.split_at_checked(line.find(|letter| !is_part(letter))?)?;
    let mut quote = None;
    // A default value may have a colon in it.
    let end = rest.find(|letter| {
        match quote {
            None if "'\"`".contains(letter) => quote = Some(letter),
            Some(open) if open == letter => quote = None,
            _ => {}
        }
        quote.is_none() && letter == ':'
    });
    let is_word = !name.is_empty() && rest.starts_with([' ', ':']);
    let is_recipe = is_word && !rest.get(end?..)?.starts_with(":=");
    is_recipe.then_some(name)
}
