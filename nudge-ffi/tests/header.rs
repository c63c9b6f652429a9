//! `include/nudge.h` is what cbindgen makes today.

use std::fs;
use std::path::Path;

/// With `UPDATE=1` in the environment the header is written instead (`make header`).
#[test]
fn the_header_is_made_from_the_source() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = crate_folder.join("../include/nudge.h");
    let mut made = Vec::new();
    cbindgen::generate(crate_folder).unwrap().write(&mut made);
    let made = without_safety(&String::from_utf8(made).unwrap());
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&header, &made).unwrap();
    }
    let committed = fs::read_to_string(&header).unwrap();
    assert!(
        committed == made,
        "include/nudge.h is stale; run `make header` and look at what changed"
    );
}

#[test]
fn every_operation_has_a_function() {
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../include/nudge.h");
    let header = fs::read_to_string(header).unwrap();
    for operation in nudge_core::Operation::ALL {
        let function = format!("nudge_error *{}(", operation.name().replace('.', "_"));
        assert!(header.contains(&function), "there is no {function}");
    }
}

#[test]
fn what_holds_for_every_function_is_said_once() {
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../include/nudge.h");
    let header = fs::read_to_string(header).unwrap();
    // A rule that each function repeats is a rule that nobody reads.
    for rule in [
        "`nudge_error_free`",
        "`nudge_string_free`",
        "All text is UTF-8",
        "takes NULL",
    ] {
        assert_eq!(header.matches(rule).count(), 1, "{rule}");
    }
    for repeated in [
        "Everything else",
        "On success",
        "must not be NULL",
        "NULL is fine",
    ] {
        assert!(!header.contains(repeated), "{repeated}");
    }
}

/// The `# Safety` sections speak to Rust; what they ask for is what every C
/// string is.
fn without_safety(header: &str) -> String {
    let mut kept = String::new();
    let mut lines = header.lines().peekable();
    while let Some(line) = lines.next() {
        if line == "//" && lines.peek() == Some(&"// # Safety") {
            while lines.peek().is_some_and(|line| line.starts_with("//")) {
                lines.next();
            }
        } else {
            // cbindgen leaves two empty lines below the heading.
            if !(line.is_empty() && kept.ends_with("\n\n")) {
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    kept
}
