//! `make bench`: one table of ratios, each beside a floor and the peers a Rust
//! user would pick, measured in the same run.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

mod corpus;
mod cost;
mod measure;
mod peers;
mod reads;
mod whole;
mod writes;

use nudge::{Config, Limits, Nudge};

use corpus::Corpus;

/// A store that holds the corpus.
fn filled(corpus: Corpus) -> Nudge {
    let nudge = empty();
    for request in corpus.requests() {
        if let Err(error) = nudge.set_hint(request) {
            panic!("{error}");
        }
    }
    nudge
}

/// A store without limits.
fn empty() -> Nudge {
    let limits = Limits {
        components: usize::MAX,
        hints_per_component: usize::MAX,
        hints: usize::MAX,
        ..Limits::default()
    };
    Nudge::new(Config {
        limits,
        ..Config::default()
    })
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, holder, hints] = &args[..]
        && flag == "--hold"
    {
        let hints = hints.parse().unwrap_or(0);
        return whole::hold(holder, Corpus { hints });
    }
    if args == ["cost"] {
        cost::searches();
        cost::memory();
        cost::cost();
        return cost::bodies_in_turn();
    }
    // The largest size to measure.
    let largest = args.first().and_then(|arg| arg.parse().ok());
    let largest = largest.unwrap_or(1_000_000);
    println!("medians of interleaved rounds; the ratio is to the first line of each block");
    for hints in [500, 5_000, 1_000_000] {
        if hints > largest {
            continue;
        }
        let corpus = Corpus { hints };
        if hints > 100_000 {
            whole::memory(corpus);
        }
        let nudge = filled(corpus);
        let db = peers::sqlite(corpus).unwrap_or_else(|error| panic!("{error}"));
        reads::get(corpus, &nudge, &db);
        reads::query(corpus, &nudge, &db);
        reads::threads(corpus, &nudge);
        writes::set(corpus, &nudge);
        drop(db);
        whole::import_and_export(&nudge);
    }
    reads::globs();
    cost::searches();
    cost::memory();
    cost::cost();
    cost::bodies_in_turn();
}
