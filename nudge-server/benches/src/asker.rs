//! A server and the calls that are made to it again and again.

use std::time::Instant;

use serde_json::Value;

use crate::Outcome;
use crate::corpus;
use crate::measure::{Figures, Way, median};
use crate::place::Place;
use crate::process::{Process, call_line, result};

/// Calls in a round.
const CALLS: usize = 300;

pub(crate) struct Asker {
    process: Process,
    lines: Vec<String>,
    /// What a result has only if the call did what it should.
    proof: &'static str,
}

impl Asker {
    fn new(
        process: Process,
        tool: &str,
        arguments: impl Fn(&str, &str) -> Value,
        proof: &'static str,
    ) -> Outcome<Asker> {
        let slots = corpus::slots().take(CALLS);
        let lines = slots.map(|(component, key)| call_line(tool, &arguments(&component, &key)));
        let mut asker = Asker {
            process,
            lines: lines.collect(),
            proof,
        };
        asker.first_answer()?;
        Ok(asker)
    }

    /// Nudge in a runtime folder, whose store has the hints.
    pub(crate) fn nudge(process: Process) -> Outcome<Asker> {
        let proof = "/structuredContent/hint/value";
        Asker::new(process, "nudge_get_hint", corpus::asked, proof)
    }

    /// The rmcp server; its answers are as long as those of ours.
    pub(crate) fn echo(place: &Place, ours: &mut Asker) -> Outcome<Asker> {
        let length = ours.first_answer()?;
        let open = |bytes| {
            let process = Process::open(place.echo(bytes))?;
            Asker::new(process, "echo", corpus::asked, "/content/0/text")
        };
        let text = 100;
        let around = open(text)?.first_answer()?.saturating_sub(text);
        open(length.saturating_sub(around))
    }

    /// The length of an answer that did what it should.
    pub(crate) fn first_answer(&mut self) -> Outcome<usize> {
        let answer = self.process.ask(&self.lines[0])?;
        let result = result(answer)?;
        match result.pointer(self.proof) {
            Some(Value::String(_)) => Ok(answer.len()),
            _ => Err(format!("it has no `{}`: {result}", self.proof).into()),
        }
    }

    /// The median time of a call.
    pub(crate) fn round(&mut self) -> Outcome<Figures> {
        let mut times = Vec::with_capacity(self.lines.len());
        for line in &self.lines {
            let start = Instant::now();
            self.process.ask(line)?;
            times.push(start.elapsed().as_secs_f64());
        }
        // Whoever refuses is quick, and would look good.
        self.first_answer()?;
        Ok(vec![median(&mut times)])
    }

    pub(crate) fn way<'a>(name: &str, asker: Outcome<Asker>) -> Way<'a> {
        Way::tried(name, asker.map(|mut asker| move || asker.round()))
    }
}
