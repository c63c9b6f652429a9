//! The worst that a store can hold: what one call takes, whatever its hints say.

use std::hint::black_box;
use std::time::Instant;

use nudge::{Context, GetHint, Nudge, Query, SetHint};

use crate::empty;
use crate::measure::{heading, line};

/// The longest path, and patterns that take long with it.
fn places() -> [(&'static str, String, String); 5] {
    let deep = "/a".repeat(255);
    let long = format!("/{}", "a".repeat(4000));
    [
        (
            "plain folders",
            "/work/api/src".to_owned(),
            "/work/api/**".to_owned(),
        ),
        (
            "stars in a long name",
            long.clone(),
            format!("/{}b", "*a?".repeat(80)),
        ),
        (
            "parts between `**`",
            deep.clone(),
            format!("/**{}/b/**", "/a".repeat(120)),
        ),
        ("groups", long, format!("/{}b", "+(a|aa|?)".repeat(16))),
        ("question marks", deep, format!("{}b", "/?".repeat(120))),
    ]
}

/// Hints with as many patterns as a scope may have, all of them nearly alike.
fn fill(hints: usize, slots: usize, globs: usize, pattern: &str) -> Nudge {
    let nudge = empty();
    for number in 0..hints {
        let key = format!("key{}", number % slots);
        let mut set = SetHint::new(format!("c{}", number % slots / 50), key, "make");
        for other in 0..globs {
            set = set.cwd_glob(format!("{pattern}{number}x{other}"));
        }
        if let Err(error) = nudge.set_hint(set) {
            panic!("{error}");
        }
    }
    nudge
}

/// Prints what calls take, each beside what it may.
pub(crate) fn cost() {
    heading("the worst that a store can hold: milliseconds of one call");
    for (name, path, pattern) in places() {
        let context = Context::new().cwd(&path).file_open(format!("{path}/file"));
        let slot = fill(200, 1, 64, &pattern);
        let get = || {
            slot.get_hint(GetHint::new("c0", "key0").context(&context))
                .is_ok()
        };
        told(&format!("get, {name}"), 5.0, get);
        let store = fill(5_000, 5_000, 8, &pattern);
        let query = || store.query(Query::new().context(&context)).is_ok();
        told(&format!("query, {name}"), 50.0, query);
        let query = || {
            store
                .query(
                    Query::new()
                        .context(&context)
                        .include_ineligible()
                        .limit(100),
                )
                .is_ok()
        };
        told(
            &format!("query with what does not apply, {name}"),
            50.0,
            query,
        );
    }
}

fn told(name: &str, most: f64, run: impl Fn() -> bool) {
    let mut times: Vec<f64> = (0..5)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let time = times.get(2).copied().unwrap_or(f64::NAN);
    let met = if time <= most { "met" } else { "MISSED" };
    line(name, &format!("{time:>8.2} ms   at most {most} ms   {met}"));
}
