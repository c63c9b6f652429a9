//! Private keys in their text forms: PEM, OpenSSH, PGP, SSH2 and `PuTTY`.

/// How many bytes a key block's first line has at most.
const LINE_MAX: usize = 80;

/// Returns the rule's id when the text has a private key with something of its content.
pub(super) fn find(text: &str) -> Option<&'static str> {
    let putty = text.contains("PuTTY-User-Key-File-") && text.contains("Private-Lines:");
    if putty {
        return Some("putty-private-key");
    }
    text.match_indices("BEGIN ").find_map(|(at, mark)| {
        let opened = text.get(..at)?.ends_with("---") || text.get(..at)?.ends_with("--- ");
        let rest = text.get(at + mark.len()..)?;
        let line = rest.get(..rest.len().min(LINE_MAX)).or_else(|| {
            rest.char_indices()
                .nth(LINE_MAX / 4)
                .and_then(|(end, _)| rest.get(..end))
        })?;
        let close = line.find("---")?;
        let title = line.get(..close)?;
        let private = title.contains("PRIVATE KEY") || title.contains("ENCRYPTED SECRET KEY");
        let body = rest.get(close..)?.trim_start_matches('-');
        (opened && private && has_content(body)).then_some("private-key")
    })
}

/// Says whether key material follows the first line, not its end, a gap or a reference.
fn has_content(body: &str) -> bool {
    let mut rest = body;
    loop {
        let next = rest
            .trim_start()
            .trim_start_matches("\\n")
            .trim_start_matches("\\r")
            .trim_start_matches(['\\', '"', '\'', '+']);
        if next.len() == rest.len() {
            break;
        }
        rest = next;
    }
    let word = rest
        .split(|letter: char| letter.is_whitespace() || matches!(letter, '\\' | '-' | '"' | '\''))
        .next()
        .unwrap_or_default();
    rest.starts_with("Proc-Type")
        || rest.starts_with("Version:")
        || rest.starts_with("Comment:")
        || (word.len() >= 16 && super::shape::distinct(word) > 6)
}
