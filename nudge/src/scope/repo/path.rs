//! The path of a remote: escapes, dots, drives, and the words that are only route.

use std::fmt::Write;

/// The upper-case letter of a Windows drive and the absolute path on it.
pub(super) fn drive(path: &str) -> Option<(char, &str)> {
    let (letter, rest) = path.trim_start_matches('/').split_once(':')?;
    let [letter] = letter.as_bytes() else {
        return None;
    };
    let absolute = rest.starts_with(['/', '\\']) || (rest.is_empty() && path.starts_with('/'));
    (letter.is_ascii_alphabetic() && absolute)
        .then_some((char::from(letter.to_ascii_uppercase()), rest))
}

/// Decodes percent escapes; `None` when control characters come out.
///
/// An escape that is no part of UTF-8 stays, and so does that of a `%` which
/// would then read as one, so that decoding twice is decoding once.
pub(super) fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = if *first == b'%' { hex_pair(tail) } else { None };
        bytes.push(code.unwrap_or(*first));
        rest = if code.is_some() { tail.get(2..)? } else { tail };
    }
    let mut decoded = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for (at, c) in chunk.valid().char_indices() {
            let after = chunk.valid().as_bytes().get(at + 1..).unwrap_or_default();
            decoded.push(c);
            if c == '%' && hex_pair(after).is_some() {
                decoded.push_str("25");
            }
        }
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(decoded, "%{byte:02X}");
        }
    }
    (!decoded.contains(char::is_control)).then_some(decoded)
}

/// The byte that the first two characters name in hexadecimal.
fn hex_pair(text: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let [high, low, ..] = text else { return None };
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

/// The parts of a path with `.` and `..` resolved; above a `rooted` path is its root, above another nothing.
pub(super) fn resolve(path: &str, rooted: bool) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            ".." if parts.pop().is_none() && !rooted => return None,
            "" | "." | ".." => {}
            part => parts.push(part),
        }
    }
    Some(parts)
}

/// The parts of a repository's path on a host, without one final `.git`; `None` when nothing is left.
pub(super) fn path_parts(path: &str) -> Option<Vec<&str>> {
    let mut parts = resolve(path, false)?;
    let last = parts.pop()?;
    let name = last.strip_suffix(".git").unwrap_or(last);
    if !name.is_empty() {
        parts.push(name);
    }
    (!parts.is_empty() && !matches!(name, "." | "..")).then_some(parts)
}

/// Organisation, project and repository, if `host` is one of those that Azure has had.
pub(super) fn azure<'a>(host: &'a str, parts: &[&'a str]) -> Option<Vec<&'a str>> {
    let legacy = host.strip_suffix(".visualstudio.com");
    match (host, parts) {
        ("dev.azure.com", [org, project, "_git", repo]) => Some(vec![org, project, repo]),
        // A project's main repository has its name and may be asked for without it.
        ("dev.azure.com", [org, "_git", repo]) => Some(vec![org, repo, repo]),
        ("ssh.dev.azure.com" | "vs-ssh.visualstudio.com", ["v3", org, project, repo]) => {
            Some(vec![org, project, repo])
        }
        (_, ["DefaultCollection", rest @ ..] | rest) => match rest {
            [project, "_git", repo] => Some(vec![legacy?, project, repo]),
            ["_git", repo] => Some(vec![legacy?, repo, repo]),
            _ => None,
        },
    }
}
