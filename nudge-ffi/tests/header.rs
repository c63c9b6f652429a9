//! `include/nudge.h` is what cbindgen makes today.

#![expect(clippy::unwrap_used, reason = "a header that cannot be made is none")]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// With `UPDATE=1` in the environment the header is written instead (`make header`).
#[test]
fn the_header_is_made_from_the_source() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = crate_folder.join("../include/nudge.h");
    let mut made = Vec::new();
    cbindgen::generate(crate_folder).unwrap().write(&mut made);
    let made = without_safety(&String::from_utf8(made).unwrap());
    let end = "#ifdef __cplusplus\n}";
    let made = made.replacen(end, &format!("{}\n\n{end}", wrappers()), 1);
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

/// A function for each row of the table, which calls `nudge_call` by its name.
fn wrappers() -> String {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/operations.json");
    let table: Value = serde_json::from_str(&fs::read_to_string(table).unwrap()).unwrap();
    let parts = &table["components"]["schemas"];
    let mut made = "// Every operation of a store. A field with `?` may be left out.\n".to_owned();
    for row in table["operations"].as_array().unwrap() {
        let name = row["name"].as_str().unwrap();
        let of_meta = match row["params"]["properties"].get("meta") {
            Some(_) => format!("; in `meta`: {}", fields(&parts["MetaPatch"])),
            None => String::new(),
        };
        let said = [
            row["summary"].as_str().unwrap().to_owned(),
            format!("Params: {}{of_meta}.", fields(&row["params"])),
            format!("Answer: {}.", fields(&row["result"])),
        ];
        made.push('\n');
        made.extend(said.iter().map(|words| comment(words)));
        let has_context = row["context"] != "none";
        let [declared, given] = if has_context {
            [" const nudge_context *context,", "context"]
        } else {
            ["", "NULL"]
        };
        let function = name.replace('.', "_");
        write!(
            made,
            "static inline nudge_error *{function}(const nudge *store,{declared}\n    const char *params, \
             char **result) {{\n    return nudge_call(store, {given}, \"{name}\", params, result);\n}}\n"
        )
        .unwrap();
    }
    made.trim_end().to_owned()
}

/// The fields of a shape in their order.
fn fields(shape: &Value) -> String {
    let names = shape["order"].as_array().into_iter().flatten();
    let is_required = |name: &Value| {
        let mut required = shape["required"].as_array().into_iter().flatten();
        required.any(|known| known == name)
    };
    let names = names.map(|name| {
        let mark = if is_required(name) { "" } else { "?" };
        format!("{}{mark}", name.as_str().unwrap())
    });
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        "nothing".to_owned()
    } else {
        names.join(", ")
    }
}

/// A paragraph as lines of a comment.
fn comment(words: &str) -> String {
    let mut lines = vec!["//".to_owned()];
    for word in words.split(' ') {
        let is_full = lines.last().unwrap().len() + word.len() > 96;
        if is_full {
            lines.push("//".to_owned());
        }
        let line = lines.last_mut().unwrap();
        line.push(' ');
        line.push_str(word);
    }
    lines.join("\n") + "\n"
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
