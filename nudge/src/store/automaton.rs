//! `Automaton`: a regex that takes time for each byte that it reads, or gives up.
//!
//! The regex crate never gives up. Where a regex has more states than it keeps, it tries them one
//! by one at every byte: one query of a full store took three minutes.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use parking_lot::Mutex;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{self, NFA};
use regex_automata::util::prefilter::Prefilter;
use regex_automata::util::syntax;
use regex_automata::{Input, MatchErrorKind, MatchKind};

/// How large a compiled regex may be, and what it keeps of its states. Far above what people
/// write; a counted repetition of a large class runs into it before it costs anything.
const MOST_BYTES: usize = 1 << 20;

/// The most bytes of states that are kept for the next query.
const MOST_SPARE: usize = 64 << 10;

/// How often what is kept of the states may be thrown away by one query.
const MOST_CLEARS: usize = 1;

/// What a query may read for each hint that is stored, in bytes, for how many words as much again,
/// and where there is little. Several times what hints have.
const A_HINT: usize = 1_200;
const MOST_WORDS: usize = 8;
const AT_LEAST: usize = 4 << 20;

/// How many bytes it is worth to begin.
const BEGINNING: usize = 64;

/// How many bytes are read in the time of one where only the beginning of a match is looked for.
const FAST: usize = 8;

/// What a query may read; once that is used up nothing is found any more.
#[derive(Debug)]
pub(crate) struct ReadBudget(Cell<usize>);

impl ReadBudget {
    pub(crate) fn new(words: usize, hints: usize) -> ReadBudget {
        let a_hint = A_HINT * words.clamp(1, MOST_WORDS);
        ReadBudget(Cell::new(hints.saturating_mul(a_hint).max(AT_LEAST)))
    }

    pub(crate) fn is_used_up(&self) -> bool {
        self.0.get() == 0
    }

    /// Takes what is read; false once there is nothing left.
    fn take(&self, bytes: usize) -> bool {
        self.0.set(self.0.get().saturating_sub(bytes));
        !self.is_used_up()
    }
}

#[derive(Debug)]
pub(crate) struct Automaton {
    /// Finds where a match may begin, faster than the rest.
    prefix: Option<Prefilter>,
    dfa: DFA,
    /// For what the other cannot do: the ends of words that are not ASCII.
    slow: PikeVM,
    /// How much longer that takes for a byte, at most.
    slower: usize,
    /// The states that the last query found, for the next one.
    spare: Mutex<Option<Cache>>,
}

/// Why there is no automaton for a regex.
pub(crate) enum Unbuilt {
    TooBig,
    Syntax(String),
}

impl Automaton {
    pub(crate) fn new(regex: &str, syntax: syntax::Config) -> Result<Automaton, Unbuilt> {
        let parsed = syntax::parse_with(regex, &syntax);
        let parsed = parsed.map_err(|error| Unbuilt::Syntax(error.to_string()))?;
        let mut compiler = NFA::compiler();
        compiler.configure(thompson::Config::new().nfa_size_limit(Some(MOST_BYTES)));
        let nfa = compiler.build_from_hir(&parsed);
        let nfa = nfa.map_err(|_| Unbuilt::TooBig)?;
        // A class of letters has a state for each way to write one, of which few count at once.
        let ascii = compiler
            .syntax(syntax.unicode(false).utf8(false))
            .build(regex);
        let slower = ascii.as_ref().unwrap_or(&nfa).states().len();
        let config = DFA::config()
            .prefilter(Prefilter::from_hir_prefix(
                MatchKind::LeftmostFirst,
                &parsed,
            ))
            .unicode_word_boundary(true)
            .cache_capacity(MOST_BYTES)
            .minimum_cache_clear_count(Some(MOST_CLEARS));
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa.clone());
        Ok(Automaton {
            prefix: Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, &parsed),
            dfa: dfa.map_err(|_| Unbuilt::TooBig)?,
            slow: PikeVM::new_from_nfa(nfa).map_err(|_| Unbuilt::TooBig)?,
            slower,
            spare: Mutex::default(),
        })
    }
}

/// An automaton in the hands of one query.
#[derive(Debug)]
pub(crate) struct Scan {
    automaton: Arc<Automaton>,
    cache: RefCell<Option<Cache>>,
}

/// Keeps small states alone: a regex with many gives up when it would always have.
impl Drop for Scan {
    fn drop(&mut self) {
        let cache = self.cache.take();
        if let Some(cache) = cache.filter(|cache| cache.memory_usage() <= MOST_SPARE) {
            *self.automaton.spare.lock() = Some(cache);
        }
    }
}

impl Scan {
    pub(crate) fn new(automaton: &Arc<Automaton>) -> Scan {
        Scan {
            cache: RefCell::new(automaton.spare.lock().take()),
            automaton: Arc::clone(automaton),
        }
    }

    /// Where the first match from a place on ends, by the match that ends first. An answer that
    /// takes too much work is none, and so are all after it. `is_possible` is asked before much
    /// work is done.
    pub(crate) fn end_of_match(
        &self,
        text: &str,
        from: usize,
        budget: &ReadBudget,
        is_possible: impl FnOnce() -> bool,
    ) -> Option<usize> {
        if budget.is_used_up() {
            return None;
        }
        let Automaton {
            prefix,
            dfa,
            slow,
            slower,
            ..
        } = &*self.automaton;
        // Once: to look again behind each place that comes to nothing would take longer.
        let begin = match prefix {
            Some(prefix) => prefix.find(text.as_bytes(), (from..text.len()).into()),
            None => Some((from..text.len()).into()),
        };
        let Some(begin) = begin else {
            budget.take(BEGINNING + (text.len() - from) / FAST);
            return None;
        };
        let input = Input::new(text).range(begin.start..).earliest(true);
        let mut cache = self.cache.borrow_mut();
        let cache = cache.get_or_insert_with(|| dfa.create_cache());
        let found = dfa.try_search_fwd(cache, &input);
        let length = text.len() - from;
        match found {
            Ok(found) => {
                let end = found.map(|found| found.offset());
                budget.take(BEGINNING + end.map_or(length, |end| end - from));
                end
            }
            Err(error) if matches!(error.kind(), MatchErrorKind::Quit { .. }) => {
                let is_done = is_possible() && budget.take(length.saturating_mul(*slower));
                let found = is_done.then(|| slow.find(&mut slow.create_cache(), input));
                found.flatten().map(|found| found.end())
            }
            Err(_) => {
                budget.take(usize::MAX);
                None
            }
        }
    }
}
