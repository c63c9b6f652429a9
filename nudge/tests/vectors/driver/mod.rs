//! The driver: every vector, through a surface.
//!
//! The vectors and their format are in `tests/conformance`. A surface is an
//! implementation of [`Surface`] and a test that hands it to [`conforms`]. The
//! tests of the server include this folder for the surfaces that need it built.

mod baseline;
mod compare;
mod surface;
mod vector;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use self::baseline::listed;
use self::compare::{difference, error_difference, has_difference, without_origins};
pub(crate) use self::surface::Surface;
use self::vector::Step;
pub(crate) use self::vector::{Case, Topic, topics};

/// Fewer cases than this means that files went missing.
const LEAST: usize = 200;

/// Runs every case through a surface and fails if one step answers otherwise, or
/// if a case that the surface's baseline lists is answered well after all.
pub(crate) fn conforms(name: &str, surface: &mut dyn Surface) {
    let mut beyond = listed(name);
    let left_out = beyond.len();
    let (mut count, mut failures) = (0, Vec::new());
    for Topic { file, cases, .. } in topics() {
        for case in cases {
            count += 1;
            let wrong = match (run(&case, surface), beyond.remove(&case.name)) {
                (Ok(()), None) | (Err(_), Some(_)) => continue,
                (Err(wrong), None) => wrong,
                (Ok(()), Some(_)) => format!("  it works; take it off baseline/{name}.txt"),
            };
            failures.push(format!("{file}: {}\n  ({})\n{wrong}", case.name, case.why));
        }
    }
    let unknown = beyond.keys().map(|name| format!("no such case: {name}"));
    failures.extend(unknown);
    let failed = failures.len();
    tell(&match left_out {
        0 => format!("{name}: {count} cases, {failed} failed"),
        _ => format!("{name}: {count} cases, {failed} failed, {left_out} beyond it"),
    });
    assert!(
        count >= LEAST,
        "{name}: only {count} cases; the vectors are not all there"
    );
    assert!(
        failures.is_empty(),
        "{name}: {} of {count} cases failed\n\n{}",
        failures.len(),
        failures.join("\n\n")
    );
}

/// Says a line past the harness, which would keep it to itself.
pub(crate) fn tell(line: &str) {
    let line = format!("conformance: {line}\n");
    io::stdout().write_all(line.as_bytes()).unwrap();
}

/// Tells the story of a case to a surface; the first step that goes wrong ends it.
pub(crate) fn run(case: &Case, surface: &mut dyn Surface) -> Result<(), String> {
    let at = case.steps.first().and_then(|step| step.at.as_deref());
    surface.open(&case.config, at.unwrap_or_default());
    for (index, step) in case.steps.iter().enumerate() {
        if let Some(at) = &step.at {
            surface.at(at);
        }
        take(step, surface).map_err(|why| {
            let params = shortened(&step.params.value);
            format!("  step {}, {} {params}\n{why}", index + 1, step.call)
        })?;
    }
    Ok(())
}

fn take(step: &Step, surface: &mut dyn Surface) -> Result<(), String> {
    let before = step.unchanged.then(|| everything(surface));
    let mut got = surface.call(&step.call, &step.params.value);
    if let (Ok(got), Some(via)) = (&mut got, surface.via()) {
        without_origins(got, via);
    }
    let wrong = match (&got, &step.error, &step.result, &step.has) {
        (Ok(_), Some(_), ..) => Some("expected an error".to_owned()),
        (Err(_), None, ..) => Some("expected no error".to_owned()),
        (Err(got), Some(expected), ..) => {
            error_difference(expected, got).or_else(|| shows_a_secret(step, got))
        }
        (Ok(got), None, Some(expected), _) => difference(expected, got),
        (Ok(got), None, None, Some(expected)) => has_difference(expected, got),
        (Ok(_), None, None, None) => None,
    };
    if let Some(wrong) = wrong {
        let expected = step.error.as_ref().or(step.result.as_ref());
        let expected = expected.or(step.has.as_ref()).unwrap_or(&Value::Null);
        let got = got.unwrap_or_else(|error| error);
        return Err(format!(
            "  {wrong}\n  expected {}\n  got      {}",
            shortened(expected),
            shortened(&got)
        ));
    }
    match before {
        Some(before) if before != everything(surface) => {
            Err("  the call changed what an export shows".to_owned())
        }
        _ => Ok(()),
    }
}

/// The store as bytes.
fn everything(surface: &mut dyn Surface) -> String {
    let all = json!({"format": "json", "include_secrets": true});
    match surface.call("export", &all) {
        Ok(all) | Err(all) => all.to_string(),
    }
}

/// A refusal of the guard must not repeat what it refuses. In vectors such
/// text is always joined from parts.
fn shows_a_secret(step: &Step, error: &Value) -> Option<String> {
    let text = error.to_string();
    let mut joined = step.params.joined.iter();
    let rejected = error.get("code") == Some(&json!(40002));
    (rejected && joined.any(|secret| text.contains(secret)))
        .then(|| "the error shows the secret".to_owned())
}

/// JSON for a report, which nobody reads beyond some lines.
fn shortened(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(1200) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// A file or folder of `tests/conformance`.
fn file(path: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance");
    tests.join(path)
}
