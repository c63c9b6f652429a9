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
    use super::{without_private, without_told};

    #[test]
    fn what_is_between_the_tags_goes_and_so_does_what_may_be() {
        for (text, left) in [
            ("fix it", "fix it"),
            ("a <private>b</private> c", "a  c"),
            ("a <PRIVATE>b</Private> c <private>d</private>", "a  c "),
            ("a <private>b", "a "),
            ("b</private> c", " c"),
            ("x <private>a</private> b </private> c", " c"),
            ("<private>a<private>b</private>é", "é"),
        ] {
            assert_eq!(without_private(text), left, "{text}");
        }
        let told = "<hook_context>api/lint: make</hook_context>\n\nfix it";
        assert_eq!(without_told(told), "\n\nfix it");
    }
}
