//! `make bench`: one table of ratios, each beside a floor that is measured in the same run.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

mod corpus;
mod cost;
mod measure;
mod plain;
mod reads;
mod whole;
mod writes;
mod written;

use nudge::{Config, Limits, Nudge};

use corpus::Corpus;
use measure::done;

/// A store that holds the corpus.
fn filled(corpus: Corpus) -> Nudge {
    let nudge = empty();
    for request in corpus.requests() {
        done(nudge.set_hint(request));
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
    if let [flag, hints] = &args[..]
        && flag == "--hold"
    {
        let hints = hints.parse().unwrap_or(0);
        return whole::hold(Corpus { hints });
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
        reads::get(corpus, &nudge);
        reads::query(corpus, &nudge);
        reads::threads(corpus, &nudge);
        writes::set(corpus, &nudge);
        whole::import_and_export(&nudge);
    }
    cost::searches();
    cost::memory();
    cost::cost();
    cost::bodies_in_turn();
    written::compare();
}
