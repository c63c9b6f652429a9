//! Credentials inside addresses: `scheme://user:password@host`.

use super::{shape, value};

/// How many bytes the part before the host may have.
const USER_MAX: usize = 256;

/// Returns the rule's id when an address in the text carries a password or a token.
pub(super) fn find(text: &str) -> Option<&'static str> {
    let addresses = text.match_indices("://").find_map(|(at, mark)| {
        let rest = text.get(at + mark.len()..)?;
        has_credential(rest).then_some("url-credentials")
    });
    addresses.or_else(|| oracle(text))
}

/// Says whether the authority with which the text begins has a password or a token.
fn has_credential(rest: &str) -> bool {
    let Some((user, host)) = authority(rest) else {
        return false;
    };
    let is_token = |word: &str| {
        let is_made = || shape::is_random(word) || shape::is_long_hex(word);
        word.len() >= 20 && !value::is_indirect(word) && is_made()
    };
    let Some((name, password)) = user.split_once(':') else {
        // A token may stand where the user does.
        // Sentry's addresses hold a public key there.
        return !host.contains("sentry") && is_token(user);
    };
    // `https://TOKEN:x-oauth-basic@host` has the token first.
    if is_token(name) {
        return true;
    }
    if password.len() < 3
        || value::is_indirect(password)
        || password.starts_with('$')
        || password.eq_ignore_ascii_case("x-oauth-basic")
    {
        return false;
    }
    let trivial = value::is_weak(password)
        || (password == name && !password.bytes().any(|byte| byte.is_ascii_digit()));
    !(trivial && (is_near(host) || value::is_weak(password)))
}

/// Splits the part before the host from the host.
fn authority(rest: &str) -> Option<(&str, &str)> {
    let stop = end(rest, |byte| matches!(byte, b'/' | b'?' | b'#'));
    let before = rest.get(..stop)?;
    if let Some(at) = before.rfind('@') {
        return Some((before.get(..at)?, before.get(at + 1..)?));
    }
    // A password may hold an unencoded slash; then what looks like a port is none.
    let (_, port) = before.split_once(':')?;
    let digits = port.bytes().all(|byte| byte.is_ascii_digit());
    if digits || before.starts_with('[') || port.starts_with(['$', '{', '<', '*', '[', '%']) {
        return None;
    }
    let word = rest.get(..end(rest, |_| false))?;
    let at = word.find('@')?;
    Some((word.get(..at)?, word.get(at + 1..)?))
}

/// Returns where the text has a space, a quote or another byte at which it stops, within the bound.
fn end(text: &str, stops: impl Fn(u8) -> bool) -> usize {
    let ends =
        |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'`') || stops(byte);
    let bound = text.floor_char_boundary(USER_MAX);
    text.bytes().take(bound).position(ends).unwrap_or(bound)
}

/// Says whether the host is this machine or one without a domain, as in a network of containers.
fn is_near(host: &str) -> bool {
    let name = host.split([':', '/', '?']).next().unwrap_or_default();
    !name.contains('.') || name.starts_with("127.") || host.starts_with("[::1]")
}

/// Looks for Oracle's `user/password@database`.
fn oracle(text: &str) -> Option<&'static str> {
    let at = text
        .find("jdbc:oracle:")
        .and_then(|at| text.get(at..)?.find("thin:").map(|thin| at + thin + 5))?;
    let word = text.get(at..)?.split([' ', '"', '\'']).next()?;
    let (user, _) = word.split_once('@')?;
    let (_, password) = user.split_once('/')?;
    value::is_literal(password).then_some("url-credentials")
}
