//! Texts in which the indent of a line says what it belongs to.

/// The lines that are not indented, each with those below it that are. Comments at the
/// start of a line belong to nothing.
pub(super) fn blocks(text: &str) -> Vec<(&str, String)> {
    let mut blocks: Vec<(&str, String)> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let is_below = line.is_empty() || line.starts_with([' ', '\t']);
        match blocks.last_mut() {
            Some((_, body)) if is_below => {
                body.push_str(line.trim_end());
                body.push('\n');
            }
            _ => blocks.push((line, String::new())),
        }
    }
    blocks
}

pub(super) fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A text without the indent that its first line has.
pub(super) fn dedented(text: &str) -> String {
    let first = text.lines().find(|line| !line.trim().is_empty());
    let depth = first.map_or(0, indent);
    let lines = text.lines().map(|line| line.get(depth.min(indent(line))..));
    lines.flatten().flat_map(|line| [line, "\n"]).collect()
}
