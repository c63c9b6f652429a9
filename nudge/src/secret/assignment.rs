//! Values assigned to telling names, in the many notations there are: `NAME=…`, `"name": "…"`, `<name>…</name>`.

use super::name::{self, Kind};
use super::{phrase, shape, value};

/// How many bytes a name may have.
const NAME_MAX: usize = 80;

/// How many bytes of a value are looked at.
const VALUE_MAX: usize = 96;

const ID: &str = "secret-assignment";

/// Returns the rule's id when a telling name has a credential assigned.
pub(super) fn find(text: &str) -> Option<&'static str> {
    let bytes = text.as_bytes();
    let mut pending = None;
    for (at, byte) in bytes.iter().enumerate() {
        let separator = match byte {
            b'=' => equals(bytes, at),
            b':' => colon(bytes, at),
            b',' => comma(bytes, at),
            b'>' => tag(bytes, at),
            b'\'' | b'"' => quoted_after(bytes, at),
            _ => None,
        };
        let Some(separator) = separator else { continue };
        let Some(label) = label(text, separator.name_end) else {
            continue;
        };
        let Some(given) = given(text, &separator) else {
            continue;
        };
        let is_phrase = given.quoted && phrase::is_pass_phrase(label, given.full);
        if is_phrase || matches_pair(label, given.full, &mut pending) {
            return Some(ID);
        }
        // Finding out the kind of a name costs more than sending plain words away.
        if value::is_plain(given.full) {
            continue;
        }
        let Some(kind) = kind_of(text, label, &separator) else {
            continue;
        };
        if is_closed(text, &separator, &given) && is_assigned(kind, &separator, &given) {
            return Some(ID);
        }
    }
    None
}

/// Where a name ends and its value begins.
struct Separator {
    name_end: usize,
    /// The beginning of the value or of the space before it.
    value_start: usize,
    style: Style,
}

impl Separator {
    const fn new(name_end: usize, value_start: usize, style: Style) -> Separator {
        Separator {
            name_end,
            value_start,
            style,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `name=value`, `name = value`, `name := value`, `name => value`.
    Equals,
    /// `name: value`.
    Colon,
    /// `name:value`, which is also how tags and ports are written.
    Tight,
    /// `<name>value</name>`.
    Tag,
    /// `PASSWORD 'value'`.
    Quoted,
    /// `define('name', 'value')`.
    Call,
}

/// A value as it stands in the text.
struct Given<'a> {
    /// Up to the quote's end or the next space.
    full: &'a str,
    /// Up to the next sign that may end it, for a value without quotes.
    short: &'a str,
    quoted: bool,
}

/// Judges a value under a telling name.
fn is_assigned(kind: Kind, separator: &Separator, given: &Given<'_>) -> bool {
    if separator.style == Style::Quoted {
        // Only SQL and configuration put a value directly behind the name; prose puts anything there.
        return kind == Kind::Password && value::is_credential(kind, given.full);
    }
    if separator.style == Style::Tight && !given.quoted {
        return value::is_credential(Kind::Weak, given.short) && !given.short.contains(['.', '/']);
    }
    if separator.style == Style::Call && !given.quoted {
        return false;
    }
    if given.quoted || given.short.len() == given.full.len() {
        return value::is_credential(kind, given.full);
    }
    if value::is_credential(kind, given.short) {
        return true;
    }
    // A sign such as `,` or `&` may also be part of a password.
    given.short.len() < 5
        && !value::is_indirect(given.short)
        && !shape::is_natural_name(given.full)
        && !given.full.contains('=')
        && value::is_credential(kind, given.full)
}

/// Returns the kind of a name; SQL's `IDENTIFIED BY '…'` has a word that is telling only there.
fn kind_of(text: &str, label: &str, separator: &Separator) -> Option<Kind> {
    let before = text.get(..separator.name_end)?.strip_suffix(label);
    let word = before.and_then(|before| before.strip_suffix(' '));
    // The name of a public key may also be written `did:key:…`.
    let is_did = before.is_some_and(|before| before.ends_with("did:"));
    if is_did || label.eq_ignore_ascii_case("key") && word.is_some_and(name::ends_public) {
        return None;
    }
    if separator.style == Style::Quoted && label.eq_ignore_ascii_case("by") {
        return Some(Kind::Password);
    }
    name::kind(label)
}

/// Remembers `"name": "X_TOKEN"` and judges the `"value": …` that follows.
fn matches_pair<'a>(label: &str, given: &'a str, pending: &mut Option<&'a str>) -> bool {
    if ["name", "key", "variable", "Name", "Key"].contains(&label) {
        *pending = Some(given);
        return false;
    }
    if !["value", "Value", "default"].contains(&label) {
        return false;
    }
    let kind = pending.take().and_then(name::kind);
    kind.is_some_and(|kind| value::is_credential(kind, given))
}

/// The bytes on both sides of a place; 0 where there is none.
fn around(bytes: &[u8], at: usize) -> (u8, u8) {
    let byte = |place: Option<usize>| place.and_then(|place| bytes.get(place)).copied();
    let (before, after) = (byte(at.checked_sub(1)), byte(Some(at + 1)));
    (before.unwrap_or_default(), after.unwrap_or_default())
}

/// Reads `=` and what may surround it; a comparison is no assignment.
fn equals(bytes: &[u8], at: usize) -> Option<Separator> {
    let (before, after) = around(bytes, at);
    if after == b'=' || after == b'~' || matches!(before, b'=' | b'!' | b'<' | b'>') {
        return None;
    }
    let name_end = if matches!(before, b':' | b'+' | b'?') {
        at - 1
    } else {
        at
    };
    let value_start = if after == b'>' { at + 2 } else { at + 1 };
    Some(Separator::new(name_end, value_start, Style::Equals))
}

/// Reads `:` unless it belongs to an address or a path of a program's modules.
fn colon(bytes: &[u8], at: usize) -> Option<Separator> {
    let (before, after) = around(bytes, at);
    if matches!(after, b':' | b'=')
        || before == b':'
        || (after == b'/' && bytes.get(at + 2) == Some(&b'/'))
    {
        return None;
    }
    let spaced = after.is_ascii_whitespace() || matches!(before, b'"' | b'\'');
    Some(Separator::new(
        at,
        at + 1,
        if spaced { Style::Colon } else { Style::Tight },
    ))
}

/// Reads the end of an opening tag.
fn tag(bytes: &[u8], at: usize) -> Option<Separator> {
    let length = name_length(bytes, at)?;
    let opens = (at - length)
        .checked_sub(1)
        .and_then(|place| bytes.get(place))
        == Some(&b'<');
    opens.then_some(Separator::new(at, at + 1, Style::Tag))
}

/// Reads the comma behind a quoted name with which the arguments of a call begin.
fn comma(bytes: &[u8], at: usize) -> Option<Separator> {
    let (b'"' | b'\'', before) = bytes.get(at.saturating_sub(NAME_MAX)..at)?.split_last()? else {
        return None;
    };
    let name = before.rsplit(|byte| !is_name_byte(*byte)).next()?;
    let (b'"' | b'\'', before) = before.get(..before.len() - name.len())?.split_last()? else {
        return None;
    };
    before
        .trim_ascii_end()
        .ends_with(b"(")
        .then_some(Separator::new(at, at + 1, Style::Call))
}

/// Says whether a value in a tag is followed by the tag's end; otherwise `<name>` is a placeholder.
fn is_closed(text: &str, separator: &Separator, given: &Given<'_>) -> bool {
    let rest = text.get(separator.value_start + given.full.len()..);
    separator.style != Style::Tag || rest.is_some_and(|rest| rest.starts_with("</"))
}

/// Reads a quote that stands behind a name and a space, or behind a sign for what counts without a value.
fn quoted_after(bytes: &[u8], at: usize) -> Option<Separator> {
    let (b' ', before) = bytes.get(..at)?.split_last()? else {
        return None;
    };
    let is_default = before.ends_with(b"||") || before.ends_with(b"??");
    Some(if is_default {
        Separator::new(at - 3, at, Style::Equals)
    } else {
        Separator::new(at, at, Style::Quoted)
    })
}

/// Returns the name that ends at the place, quotes and spaces left out.
fn label(text: &str, end: usize) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut end = end;
    let mut steps = 0;
    while let Some(byte) = end.checked_sub(1).and_then(|place| bytes.get(place)) {
        if !matches!(
            byte,
            b' ' | b'"' | b'\'' | b'\\' | b']' | b'\t' | b'`' | b'|'
        ) || steps == 6
        {
            break;
        }
        end -= 1;
        steps += 1;
    }
    let length = name_length(bytes, end)?;
    text.get(end - length..end).filter(|name| name.len() > 1)
}

/// How many bytes of a name stand in front of a place.
fn name_length(bytes: &[u8], end: usize) -> Option<usize> {
    let before = bytes.get(end.saturating_sub(NAME_MAX)..end)?;
    let is_other = |byte: &u8| !is_name_byte(*byte);
    Some(before.rsplit(is_other).next().map_or(0, <[u8]>::len))
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Returns the value that begins behind a separator.
fn given<'a>(text: &'a str, separator: &Separator) -> Option<Given<'a>> {
    let bytes = text.as_bytes();
    let mut at = separator.value_start;
    let spaces = bytes
        .get(at..)?
        .iter()
        .take(40)
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count();
    at += spaces;
    if bytes.get(at) == Some(&b'\\') && matches!(bytes.get(at + 1), Some(b'"' | b'\'')) {
        at += 1;
    }
    let quote = bytes
        .get(at)
        .copied()
        .filter(|byte| matches!(byte, b'"' | b'\''));
    if let Some(quote) = quote {
        let full = until(text, at + 1, |byte| byte == quote || byte == b'\n');
        let full = full.trim_end_matches('\\');
        return Some(Given {
            full,
            short: full,
            quoted: true,
        });
    }
    let stops = |byte: u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'"' | b'\'')
            || (separator.style == Style::Tag && byte == b'<')
    };
    // An expression in braces may hold spaces; it is a reference as a whole.
    let full = until(text, at, stops);
    let signs = |byte: u8| matches!(byte, b'&' | b';' | b',' | b'}' | b')' | b']' | b'\\' | b'|');
    let cut = full.bytes().position(signs).unwrap_or(full.len());
    Some(Given {
        full,
        short: full.get(..cut).unwrap_or(full),
        quoted: false,
    })
}

/// Returns the part of the text from a place up to where it stops, as far as values are looked at.
fn until(text: &str, start: usize, stops: impl Fn(u8) -> bool) -> &str {
    let rest = text.get(start..).unwrap_or_default();
    let rest = rest
        .get(..rest.floor_char_boundary(VALUE_MAX))
        .unwrap_or(rest);
    let end = rest.bytes().position(stops).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}
