//! The host of a remote: names, addresses, and what only looks like one.

use std::net::Ipv6Addr;

/// The host of `user:password@host:port`.
pub(super) fn authority_host(authority: &str) -> Option<String> {
    let place = authority
        .rsplit_once('@')
        .map_or(authority, |(_, place)| place);
    let bracketed = place
        .strip_prefix('[')
        .and_then(|place| place.split_once(']'));
    let (host, port) = if let Some((address, port)) = bracketed {
        (ipv6(address)?, port)
    } else {
        let (name, port) = place.split_at_checked(place.find(':').unwrap_or(place.len()))?;
        (host_name(name)?, port)
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit()) && port.len() <= 5;
    (port.is_empty() || port.strip_prefix(':').is_some_and(is_port)).then_some(host)
}

/// A host name in lower case; `None` for what can be no name.
pub(super) fn host_name(name: &str) -> Option<String> {
    let name = name.strip_suffix('.').unwrap_or(name);
    let fit = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let label = |label: &str| !label.is_empty() && label.chars().all(fit);
    (!name.starts_with('-') && name.split('.').all(label)).then(|| name.to_lowercase())
}

/// An IPv6 address in brackets and its shortest form, without the zone, which only one machine knows.
pub(super) fn ipv6(address: &str) -> Option<String> {
    let address = address.split('%').next().unwrap_or_default();
    Some(format!("[{}]", address.parse::<Ipv6Addr>().ok()?))
}

/// Whether the first part of a spelling is taken for a host: it has a dot, or is `localhost`.
pub(super) fn is_host(name: &str) -> bool {
    host_name(name).is_some_and(|host| name.contains('.') || !is_group(&host))
}

/// Whether a host would be taken for a group when its spelling is read.
pub(super) fn is_group(host: &str) -> bool {
    !host.contains(['.', '[']) && host != "localhost"
}

/// Whether some part of the path has an `@` that does not begin it.
pub(super) fn has_inner_at(path: &str) -> bool {
    path.split('/')
        .any(|part| part.chars().skip(1).any(|c| c == '@'))
}
