//! `make bench`, the server's part: what a client of `nudge serve` and a caller of
//! `nudge` wait for, beside what they would have instead.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]
#![expect(clippy::print_stderr, reason = "and so is what went wrong")]

mod asker;
mod calls;
mod command;
mod corpus;
mod floor;
mod hook;
mod http;
mod load;
mod measure;
mod observations;
mod place;
mod process;
mod project;
mod safety;
mod start;
mod table;
#[path = "../../../nudge/benches/src/written.rs"]
mod written;

use std::error::Error;
use std::process::ExitCode;

use place::Place;

/// What came of something that may fail for many reasons.
type Outcome<T> = Result<T, Box<dyn Error>>;

/// A part of the benchmark, by the name that asks for it alone.
type Part = (&'static str, fn(&Place) -> Outcome<()>);

const PARTS: [Part; 9] = [
    ("calls", calls::calls),
    ("start", start::start),
    ("http", http::http),
    ("command", command::get),
    ("hook", hook::hook),
    ("project", project::project),
    ("observations", observations::observations),
    ("size", start::size),
    ("safety", safety::safety),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let done = match &args[..] {
        [flag, file] if flag == "--floor" => floor::serve(file.as_ref()),
        names => run(names),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures the parts that are named, or all. One that fails leaves the others be.
fn run(names: &[String]) -> Outcome<()> {
    let place = Place::new()?;
    println!("medians of interleaved rounds, with quartiles; each ratio is of nudge to that line");
    let mut failed = Vec::new();
    for (name, part) in PARTS {
        if !names.is_empty() && !names.iter().any(|asked| asked == name) {
            continue;
        }
        if let Err(error) = part(&place) {
            eprintln!("{name}: {error}");
            failed.push(name);
        }
    }
    written::compare();
    if failed.is_empty() {
        return Ok(());
    }
    Err(format!("not measured: {}", failed.join(", ")).into())
}
