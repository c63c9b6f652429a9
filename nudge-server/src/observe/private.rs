//! `<private>…</private>`: what a user wants nobody to remember.

/// A text without what is private. Where only one of the two tags is there, because the rest was
/// cut off or forgotten, all on its side is.
pub(crate) fn without_private(text: &str) -> String {
    without(text, ["<private>", "</private>"])
}

/// A prompt without what a host has put before it: what hooks told when the session started.
pub(crate) fn without_told(prompt: &str) -> String {
    without(prompt, ["<hook_context>", "</hook_context>"])
}

fn without(text: &str, [begin, end]: [&str; 2]) -> String {
    let mut left = String::new();
    let mut rest = text;
    while let Some(at) = find(rest, end) {
        let (before, after) = (rest.get(..at), rest.get(at + end.len()..));
        let before = before.unwrap_or_default();
        if let Some(begin) = find(before, begin) {
            left.push_str(before.get(..begin).unwrap_or_default());
        } else {
            left.clear();
        }
        rest = after.unwrap_or_default();
    }
    let end = find(rest, begin).unwrap_or(rest.len());
    left + rest.get(..end).unwrap_or_default()
}

/// Where a tag is, in whatever case.
fn find(text: &str, tag: &str) -> Option<usize> {
    let mut windows = text.as_bytes().windows(tag.len());
    windows.position(|window| window.eq_ignore_ascii_case(tag.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::without_told;

    #[test]
    fn what_a_host_puts_before_a_prompt_is_no_part_of_it() {
        let told = "<hook_context>api/lint: make</hook_context>\n\nfix it";
        assert_eq!(without_told(told), "\n\nfix it");
    }
}
