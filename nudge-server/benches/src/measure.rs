//! Measuring side by side: interleaved rounds, and ratios whose median counts.
//!
//! Each round gives a ratio of its own. A machine that is busy for a while slows
//! both sides of it, so the median of the ratios holds where one of times would not.

use crate::Outcome;

/// What a way gave in one round: a figure for each thing that is measured on it.
pub(crate) type Figures = Vec<f64>;

/// How a way goes through one round.
type Run<'a> = Box<dyn FnMut() -> Outcome<Figures> + 'a>;

/// One of those that take turns.
pub(crate) struct Way<'a> {
    pub(crate) name: String,
    /// How to run it, or why that is not possible here.
    run: Outcome<Run<'a>>,
    rounds: Vec<Figures>,
}

impl<'a> Way<'a> {
    pub(crate) fn new(
        name: impl Into<String>,
        run: impl FnMut() -> Outcome<Figures> + 'a,
    ) -> Way<'a> {
        Way::tried(name, Ok(run))
    }

    /// A way that could not be set up stays in the table and says why.
    pub(crate) fn tried(
        name: impl Into<String>,
        run: Outcome<impl FnMut() -> Outcome<Figures> + 'a>,
    ) -> Way<'a> {
        Way {
            name: name.into(),
            run: run.map(|run| Box::new(run) as Run<'a>),
            rounds: Vec::new(),
        }
    }

    fn go(&mut self, counts: bool) {
        let Ok(run) = &mut self.run else { return };
        match run() {
            Ok(figures) if counts => self.rounds.push(figures),
            Ok(_) => {}
            Err(why) => self.run = Err(why),
        }
    }

    /// One figure of every round, or why there are none.
    pub(crate) fn figures(&self, which: usize) -> Result<Vec<f64>, String> {
        if let Err(why) = &self.run {
            return Err(why.to_string());
        }
        let figures = self.rounds.iter().filter_map(|figures| figures.get(which));
        Ok(figures.copied().collect())
    }
}

/// Runs all ways in turns, every other round backwards, so that none always
/// follows the same one. The first round warms up.
pub(crate) fn take_turns(ways: &mut [Way<'_>], rounds: usize) {
    for round in 0..=rounds {
        for way in ways.iter_mut() {
            way.go(round > 0);
        }
        ways.reverse();
    }
    if rounds.is_multiple_of(2) {
        ways.reverse();
    }
}

/// The value below which so many hundredths of all lie.
pub(crate) fn percentile(figures: &mut [f64], hundredths: usize) -> f64 {
    figures.sort_by(f64::total_cmp);
    let index = figures.len() * hundredths / 100;
    let last = figures.len().saturating_sub(1);
    figures.get(index.min(last)).copied().unwrap_or(f64::NAN)
}

pub(crate) fn median(figures: &mut [f64]) -> f64 {
    percentile(figures, 50)
}

/// A count beside others.
#[expect(clippy::cast_precision_loss, reason = "four digits of it are printed")]
pub(crate) fn number(count: u64) -> f64 {
    count as f64
}
