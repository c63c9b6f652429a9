//! Measuring several ways side by side: interleaved rounds, medians, ratios.

use std::time::{Duration, Instant};

use crate::written;

/// How many rounds each way gets.
const ROUNDS: usize = 15;

/// Ways to do one thing, the first of them the one the others are held against.
pub(crate) struct Race<'a> {
    title: String,
    ways: Vec<Way<'a>>,
}

struct Way<'a> {
    name: &'static str,
    run: Box<dyn FnMut() -> usize + 'a>,
    times: Vec<f64>,
}

impl<'a> Race<'a> {
    pub(crate) fn new(title: impl Into<String>) -> Race<'a> {
        Race {
            title: title.into(),
            ways: Vec::new(),
        }
    }

    /// Adds a way; what it runs gives back how many operations it did.
    pub(crate) fn way(mut self, name: &'static str, run: impl FnMut() -> usize + 'a) -> Race<'a> {
        self.ways.push(Way {
            name,
            run: Box::new(run),
            times: Vec::new(),
        });
        self
    }

    /// Runs all ways in turns and prints a line for each. A machine that is
    /// busy for a while then slows all of them.
    pub(crate) fn run(mut self) {
        for round in 0..=ROUNDS {
            for way in &mut self.ways {
                let start = Instant::now();
                let operations = (way.run)();
                let each = start.elapsed().as_secs_f64()
                    / f64::from(u32::try_from(operations).unwrap_or(1));
                // The first round warms up.
                if round > 0 {
                    way.times.push(each);
                }
            }
        }
        heading(&self.title);
        let medians: Vec<f64> = self
            .ways
            .iter_mut()
            .map(|way| median(&mut way.times))
            .collect();
        let floor = medians.first().copied().unwrap_or(1.0);
        for (way, time) in self.ways.iter().zip(&medians) {
            written::take(&self.title, way.name, time / floor);
            line(
                way.name,
                &format!("{:>10}   {:>7.2} x", shown(*time), time / floor),
            );
        }
    }
}

pub(crate) fn heading(title: &str) {
    println!("\n{title}");
}

pub(crate) fn line(name: &str, numbers: &str) {
    println!("  {name:<52} {numbers}");
}

pub(crate) fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A time in the unit that suits it.
fn shown(seconds: f64) -> String {
    let time = Duration::from_secs_f64(seconds);
    match time.as_nanos() {
        0..10_000 => format!("{:.0} ns", seconds * 1e9),
        10_000..10_000_000 => format!("{:.1} us", seconds * 1e6),
        _ => format!("{:.1} ms", seconds * 1e3),
    }
}

/// The memory of this process that is really there, in bytes.
pub(crate) fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}

/// A number of bytes beside others.
#[expect(clippy::cast_precision_loss, reason = "four digits of it are printed")]
pub(crate) fn bytes(number: usize) -> f64 {
    number as f64
}

/// What this process has had of a processor.
pub(crate) fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let (seconds, rest) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or_default(), rest.unwrap_or_default())
}

/// What came of something that only a mistake in a benchmark can make fail.
pub(crate) fn done<T, E: std::fmt::Display>(outcome: Result<T, E>) -> T {
    outcome.unwrap_or_else(|error| panic!("{error}"))
}
