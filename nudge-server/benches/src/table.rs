//! The table: what was measured, what is asked of it, and whether that is met.

use crate::measure::{Way, median, percentile, take_turns};
use crate::written;

/// What a figure is counted in.
#[derive(Clone, Copy)]
pub(crate) enum Unit {
    Seconds,
    Bytes,
    PerSecond,
}

/// What is asked of ours beside a floor.
#[derive(Clone, Copy)]
pub(crate) enum Asked {
    /// At most so many times theirs.
    AtMost(f64),
    /// At least so many times theirs.
    AtLeast(f64),
    /// At most so many seconds more than theirs.
    Adds(f64),
    /// Nothing; the line is there to compare.
    Nothing,
}

/// Prints a block: our way, which is the first, and each floor with the ratio of
/// ours to it. `which` is the figure of a round that the block is about.
pub(crate) fn block(title: &str, unit: Unit, which: usize, ways: &[Way<'_>], asked: &[Asked]) {
    heading(title);
    let Some((ours, floors)) = ways.split_first() else {
        return;
    };
    let figures = match ours.figures(which) {
        Ok(figures) => figures,
        Err(why) => return line(&ours.name, "", &format!("NOT MEASURED: {why}")),
    };
    line(&ours.name, &unit.show(median(&mut figures.clone())), "");
    for (floor, asked) in floors.iter().zip(asked) {
        match floor.figures(which) {
            Ok(mut theirs) => {
                let both = figures.iter().zip(&theirs);
                let mut ratios: Vec<f64> = both
                    .map(|(ours, theirs)| asked.ratio(*ours, *theirs))
                    .collect();
                written::take(title, &floor.name, asked.worse(median(&mut ratios)));
                let result = asked.result(&mut ratios);
                line(&floor.name, &unit.show(median(&mut theirs)), &result);
            }
            Err(why) => line(&floor.name, "", &format!("NOT MEASURED: {why}")),
        }
    }
}

/// Runs two ways in turns, ours first, and prints the block about their only figure.
pub(crate) fn pair(title: &str, mut ways: [Way<'_>; 2], rounds: usize, asked: Asked) {
    take_turns(&mut ways, rounds);
    block(title, Unit::Seconds, 0, &ways, &[asked]);
}

fn heading(title: &str) {
    println!("\n{title}");
}

fn line(name: &str, figure: &str, result: &str) {
    println!(
        "{}",
        format!("  {name:<46} {figure:>10}   {result}").trim_end()
    );
}

impl Unit {
    fn show(self, figure: f64) -> String {
        match self {
            Unit::Seconds if figure < 10e-3 => format!("{:.1} us", figure * 1e6),
            Unit::Seconds => format!("{:.1} ms", figure * 1e3),
            Unit::Bytes => format!("{:.2} MB", figure / 1e6),
            Unit::PerSecond => format!("{figure:.0} /s"),
        }
    }
}

impl Asked {
    fn ratio(self, ours: f64, theirs: f64) -> f64 {
        match self {
            Asked::Adds(_) => ours - theirs,
            _ => ours / theirs,
        }
    }

    /// A ratio as a figure of which less is better; what is added, in microseconds.
    fn worse(self, ratio: f64) -> f64 {
        match self {
            Asked::AtLeast(_) => 1.0 / ratio,
            Asked::Adds(_) => ratio * 1e6,
            _ => ratio,
        }
    }

    /// The ratio, the quartiles it lies between, what is asked, and whether it is met.
    fn result(self, ratios: &mut [f64]) -> String {
        let ratio = median(ratios);
        let (low, high) = (percentile(ratios, 25), percentile(ratios, 75));
        let (words, met) = match self {
            Asked::AtMost(limit) => (format!("at most {limit:.2} x"), ratio <= limit),
            Asked::AtLeast(limit) => (format!("at least {limit:.2} x"), ratio >= limit),
            Asked::Adds(limit) => (
                format!("at most {:.0} us more", limit * 1e6),
                ratio <= limit,
            ),
            Asked::Nothing => (String::new(), true),
        };
        let shown = match self {
            Asked::Adds(_) => {
                let [ratio, low, high] = [ratio, low, high].map(|more| more * 1e6);
                format!("{ratio:>+7.2} us ({low:.2} to {high:.2})")
            }
            _ => format!("{ratio:>7.2} x ({low:.2} to {high:.2})"),
        };
        let verdict = match (self, met) {
            (Asked::Nothing, _) => "",
            (_, true) => "met",
            (_, false) => "MISSED",
        };
        format!("{shown:<30} {words:<18} {verdict}")
    }
}
