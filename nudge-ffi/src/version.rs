//! `nudge_version` and what a program was compiled with.

use std::ffi::c_char;

/// The first number of the version; another one breaks programs.
pub const NUDGE_VERSION_MAJOR: i32 = 0;
/// The second number of the version.
pub const NUDGE_VERSION_MINOR: i32 = 1;
/// The third number of the version.
pub const NUDGE_VERSION_PATCH: i32 = 0;

/// The version of the library that the program runs with, such as "0.1.0".
///
/// Compare it with `NUDGE_VERSION` to find out that a program was compiled for
/// another one. The text is static: do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn nudge_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_has_the_version_of_the_library() {
        let numbers = [
            NUDGE_VERSION_MAJOR,
            NUDGE_VERSION_MINOR,
            NUDGE_VERSION_PATCH,
        ];
        let header = include_str!("../../include/nudge.h");
        assert_eq!(
            numbers.map(|n| n.to_string()).join("."),
            env!("CARGO_PKG_VERSION")
        );
        let whole = concat!(
            "#define NUDGE_VERSION \"",
            env!("CARGO_PKG_VERSION"),
            "\"\n"
        );
        assert!(
            header.contains(whole),
            "`after_includes` in cbindgen.toml has another version"
        );
    }
}
