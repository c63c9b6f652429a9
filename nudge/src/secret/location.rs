//! Values that say where something is or which one: addresses, paths, ports, files, versions.

use super::shape;

/// Says whether the value is an address, a path, or a version, which other rules look at.
pub(super) fn is_location(value: &str) -> bool {
    value.contains("://")
        || shape::is_path(value)
        || is_port(value)
        || is_file(value)
        || is_version(value)
}

/// Says whether the value is a number of up to five digits or a mapping of such numbers.
pub(super) fn is_port(value: &str) -> bool {
    value
        .split([':', '/', '.'])
        .all(|part| part.len() <= 5 && shape::is_decimal(part))
}

/// Says whether the value is a file name with a usual ending.
pub(super) fn is_file(value: &str) -> bool {
    let known = [
        "pem", "key", "txt", "json", "yaml", "yml", "env", "toml", "ini", "cfg", "conf", "p12",
        "pfx", "jks", "crt", "cer", "gpg", "asc", "age", "enc", "kdbx", "rs", "py", "go", "ts",
        "js", "tsx", "rb", "java", "md", "sql", "sh", "css", "xml",
    ];
    value
        .rsplit_once('.')
        .is_some_and(|(stem, ending)| known.contains(&ending) && shape::is_natural_name(stem))
}

/// Says whether the value is a version: `v1.2.3`, `2.0.1-beta.2`.
fn is_version(value: &str) -> bool {
    let number = value.strip_prefix('v').unwrap_or(value);
    number.split('.').count() >= 3
        && number.split('.').take(2).all(shape::is_decimal)
        && shape::is_natural_name(number)
}
