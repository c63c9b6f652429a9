//! What was measured before, in `docs/speed.tsv`: whatever is a quarter worse is named at the end.
//! `UPDATE=1` writes down what was measured now.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Mutex;

type Figures = BTreeMap<String, f64>;

static NOW: Mutex<Figures> = Mutex::new(Figures::new());

/// Takes a figure, of which less is better.
pub(crate) fn take(title: &str, name: &str, figure: f64) {
    if let Ok(mut now) = NOW.lock() {
        now.insert(format!("{}: {name}", title.trim()), figure);
    }
}

/// Prints what is a quarter worse than what was written down.
pub(crate) fn compare() {
    let file = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/speed.tsv"));
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let row = |row: &str| {
        let (figure, what) = row.split_once('\t')?;
        Some((what.to_owned(), figure.parse().ok()?))
    };
    let mut written: Figures = text.lines().filter_map(row).collect();
    let now = NOW.lock().map(|now| now.clone()).unwrap_or_default();
    for (what, figure) in &now {
        // Of what adds nothing no part is a quarter.
        let before = written.get(what).filter(|before| **before > 0.0);
        if let Some(before) = before.filter(|before| *figure > *before * 1.25) {
            println!("A QUARTER WORSE: {what}: {figure:.2}, and {before:.2} at the last writing");
        }
    }
    if std::env::var_os("UPDATE").is_some() {
        written.extend(now);
        let mut text = String::from(
            "# By `UPDATE=1 make bench`: ratios to a floor, or what is added, in microseconds.\n",
        );
        for (what, figure) in written {
            let _ = writeln!(text, "{figure:.2}\t{what}");
        }
        if let Err(error) = std::fs::write(&file, text) {
            println!("NOT WRITTEN: {error}");
        }
    }
}
