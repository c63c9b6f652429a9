//! The driver: every vector, through a surface.
//!
//! The vectors and their format are in `tests/conformance`. A surface is an
//! implementation of [`Surface`] and a test that hands it to [`conforms`]. The
//! tests of the server include this folder for the surfaces that need it built.

mod baseline;
mod compare;
mod surface;
pub(crate) mod vector;

use std::env;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use self::baseline::listed;
use self::compare::{difference, error_difference, has_difference, without_origins};
pub(crate) use self::surface::Surface;
pub(crate) use self::vector::{Case, Topic, topics};
use self::vector::{Step, topics_in};

/// Fewer cases than this means that files went missing.
const LEAST: usize = 200;

/// Runs every case through a surface and fails if one step answers otherwise, or
/// if a case that the surface's baseline lists is answered well after all.
///
/// With `CASE` set, only the cases run that have its text in their name, or in
/// that of their file, and they show their steps and answers.
pub(crate) fn conforms(name: &str, surface: &mut dyn Surface) {
    let wanted = wanted();
    let show = |line: fmt::Arguments<'_>| {
        if !wanted.is_empty() {
            tell(&format!("{name}: {line}"));
        }
    };
    let (mut beyond, mut left_out) = (listed(name), 0);
    let (mut all, mut count, mut failures) = (0, 0, Vec::new());
    for Topic { file, cases, .. } in topics() {
        for case in cases {
            all += 1;
            let listed = beyond.remove(&case.name).is_some();
            if !file.contains(&wanted) && !case.name.contains(&wanted) {
                continue;
            }
            count += 1;
            left_out += usize::from(listed);
            show(format_args!("{file}: {}", case.name));
            let wrong = match (run(&case, surface, &show), listed) {
                (Ok(()), false) | (Err(_), true) => continue,
                (Err(wrong), false) => wrong,
                (Ok(()), true) => format!("  it works; take it off baseline/{name}.txt"),
            };
            let Case {
                name: case, why, ..
            } = &case;
            let alone = alone(name, case);
            failures.push(format!("{file}: {case}\n  ({why})\n{wrong}\n  {alone}"));
        }
    }
    let unknown = beyond.keys().map(|name| format!("no such case: {name}"));
    failures.extend(unknown);
    let failed = failures.len();
    tell(&match left_out {
        0 => format!("conformance: {name}: {count} cases, {failed} failed"),
        _ => format!("conformance: {name}: {count} cases, {failed} failed, {left_out} beyond it"),
    });
    assert!(
        all >= LEAST,
        "{name}: only {all} cases; the vectors are not all there"
    );
    assert!(
        count > 0,
        "CASE={wanted:?} matches the name of no case and of no file of vectors"
    );
    assert!(
        failures.is_empty(),
        "{name}: {} of {count} cases failed\n\n{}",
        failures.len(),
        failures.join("\n\n")
    );
}

/// Runs the cases of another folder, which only one surface can be told, through that one.
pub(crate) fn conforms_to<S: Surface + Default>(folder: &str) {
    for case in topics_in(folder).iter().flat_map(|topic| &topic.cases) {
        let wrong = run(case, &mut S::default(), &|_| ()).err();
        assert_eq!(wrong, None, "{} ({})", case.name, case.why);
    }
}

/// What `CASE` says: a part of the names of the cases to run, or nothing.
#[allow(
    clippy::disallowed_methods,
    reason = "who runs the tests may choose; the lint is the library's, and not of the server's tests"
)]
fn wanted() -> String {
    env::var("CASE").unwrap_or_default()
}

/// How to run one case through one surface.
fn alone(surface: &str, case: &str) -> String {
    let (package, target) = (env!("CARGO_PKG_NAME"), env!("CARGO_CRATE_NAME"));
    // The test has the surface's name, and stands in the module above this one.
    let (_, driver) = module_path!().split_once("::").unwrap();
    let module = driver.strip_suffix("driver").unwrap();
    format!(
        "to run it alone: CASE={case:?} cargo test -p {package} --test {target} {module}{surface}"
    )
}

/// Says a line past the harness, which would keep it to itself.
pub(crate) fn tell(line: &str) {
    io::stdout()
        .write_all(format!("{line}\n").as_bytes())
        .unwrap();
}

/// Where the steps and answers of a case are shown.
type Show<'a> = dyn Fn(fmt::Arguments<'_>) + 'a;

/// Tells the story of a case to a surface; the first step that goes wrong ends it.
pub(crate) fn run(case: &Case, surface: &mut dyn Surface, show: &Show<'_>) -> Result<(), String> {
    let at = case.steps.first().and_then(|step| step.at.as_deref());
    if case.config != json!({}) {
        show(format_args!("  config {}", case.config));
    }
    surface.open(&case.config, at.unwrap_or_default());
    // Where a case tells callers apart, who is not named is the user.
    let tells_apart = case.steps.iter().any(|step| step.caller.is_some());
    for (index, step) in case.steps.iter().enumerate() {
        if let Some(at) = &step.at {
            show(format_args!("  at {at}"));
            surface.at(at);
        }
        let caller = step.caller.as_deref();
        let caller = caller.or(tells_apart.then_some("user"));
        take(step, caller, surface, show).map_err(|why| {
            let params = shortened(&step.params.value);
            format!("  step {}, {} {params}\n{why}", index + 1, step.call)
        })?;
    }
    Ok(())
}

fn take(
    step: &Step,
    caller: Option<&str>,
    surface: &mut dyn Surface,
    show: &Show<'_>,
) -> Result<(), String> {
    let everything = |surface: &mut dyn Surface| {
        surface.caller(caller.map(|_| "user"));
        everything(surface)
    };
    let before = step.unchanged.then(|| everything(surface));
    surface.caller(caller);
    let by = caller.map(|caller| format!("as {caller}, "));
    let by = by.unwrap_or_default();
    show(format_args!("  {by}{} {}", step.call, step.params.value));
    let mut got = surface.call(&step.call, &step.params.value);
    match &got {
        Ok(answer) => show(format_args!("    ok {answer}")),
        Err(error) => show(format_args!("    error {error}")),
    }
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
            Err("  the call changed the hints that an export shows".to_owned())
        }
        _ => Ok(()),
    }
}

/// All hints as bytes.
fn everything(surface: &mut dyn Surface) -> String {
    let all = json!({"format": "json", "include_secrets": true});
    match surface.call("export", &all) {
        Ok(all) => all["payload"]["components"].to_string(),
        Err(error) => error.to_string(),
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
pub(crate) fn file(path: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/conformance");
    tests.join(path)
}
