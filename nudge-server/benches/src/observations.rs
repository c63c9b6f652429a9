//! What happened: what recording adds to an event, what a question takes among 100,000
//! observations, and how well a question finds what it means.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use nudge::{Caller, Config};
use nudge_server::primary::Primary;
use nudge_server::primary::call::call;
use nudge_server::primary::operations::Method;
use serde_json::{Value, json};

use crate::Outcome;
use crate::measure::{Figures, Way, number, percentile};
use crate::place::Place;
use crate::table::{Asked, pair};

const ROUNDS: usize = 21;
const RUNS: u32 = 100;

/// How many observations there are, and after how many what waits is written: a server is told
/// of fewer at a time.
const OBSERVATIONS: usize = 100_000;
const AT_ONCE: usize = 500;

/// What may be added, in seconds: to an event by recording it, to the start of a session by what
/// was recorded, and to a call that does nothing by a search, a file's history, and the first
/// search after the start.
const RECORD: f64 = 0.000_5;
const START: f64 = 0.001;
const SEARCH: f64 = 0.001;
const HISTORY: f64 = 0.000_2;
const OPEN: f64 = 0.005;

/// The words that what happened is made of.
const VERBS: &str =
    "migrate compile render deploy parse encrypt index schedule resize merge validate stream";
const NOUNS: &str = "invoices avatars sessions webhooks ledgers thumbnails tokens reports catalogs \
    shipments payrolls tickets profiles coupons journals manifests";
const PLACES: &str =
    "gateway worker scheduler billing frontend exporter mailer registry planner auditor";

/// What names are made of: each is in a dozen observations, as those of files and tests are.
const SYLLABLES: &str = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu";

/// What happened: words that are everywhere, a name that is not, and which attempt it was.
struct Happened {
    verb: &'static str,
    noun: &'static str,
    place: &'static str,
    name: String,
    round: usize,
}

/// The n-th thing that happened: no two have the same three words and number.
fn happened(number: usize) -> Happened {
    let mut rest = number;
    let mut pick = |words: &'static str| {
        let words: Vec<&str> = words.split_whitespace().collect();
        let word = words[rest % words.len()];
        rest /= words.len();
        word
    };
    let (verb, noun, place) = (pick(VERBS), pick(NOUNS), pick(PLACES));
    let round = rest;
    let syllables: Vec<&str> = SYLLABLES.split(' ').collect();
    let syllable = |place: u32| syllables[number * 7919 / 20_usize.pow(place) % syllables.len()];
    Happened {
        verb,
        noun,
        place,
        name: [0, 1, 2].map(syllable).concat(),
        round,
    }
}

/// Of so many things one is a prompt, one a command that failed and three are edits; the others
/// are commands that worked, such as the last.
const KINDS: usize = 20;
const FAILED: usize = 1;
const WORKED: usize = KINDS - 1;

fn event(place: &Place, number: usize) -> Value {
    let Happened {
        verb,
        noun,
        place: component,
        name,
        round,
    } = happened(number);
    let mut event = json!({
        "host": "claude", "session": format!("s-{}", number / 200),
        "context": {"cwd": place.repository, "root": place.repository, "branch": "dev", "repo": "git:team/platform"},
    });
    let more = match number % KINDS {
        0 => {
            json!({"event": "prompt", "prompt": format!("please {verb} the {name} {noun} of the {component}, attempt {round}")})
        }
        FAILED => json!({"event": "after_command", "exit_code": 1,
            "command": format!("./tools/{component} --{verb} {noun} --only {name} --attempt {round}"),
            "output": format!("reading {noun}\nerror: cannot {verb} {name} {noun} in {component}: attempt {round} timed out")}),
        2..5 => {
            json!({"event": "after_edit", "file": format!("src/{component}/{noun}/{name}_{verb}.rs"), "size": 4_096})
        }
        _ => {
            json!({"event": "after_command", "command": format!("./tools/{component} --{verb} {noun} --only {name}"), "exit_code": 0})
        }
    };
    if let (Some(event), Value::Object(more)) = (event.as_object_mut(), more) {
        event.extend(more);
    }
    event
}

fn asked(primary: &Primary, method: &str, params: &Value) -> Outcome<Value> {
    let method = Method::named(method).map_err(|_| "no such method")?;
    let answer = call(primary, &Caller::user(), method, &params.to_string());
    let answer = answer.map_err(|fault| json!(fault).to_string())?;
    Ok(serde_json::from_str(answer.get())?)
}

pub(crate) fn observations(place: &Place) -> Outcome<()> {
    let home = place.fresh()?;
    let primary = Primary::with_system_clock(Config::default(), 0);
    primary.observe_in(home.path());
    let here =
        json!({"repo": "git:team/platform", "cwd": place.repository, "root": place.repository});
    let with_here = |mut params: Value| {
        params["context"] = here.clone();
        params
    };
    for number in 0..OBSERVATIONS {
        asked(&primary, "nudge.on_event", &event(place, number))?;
        if number % AT_ONCE == 0 {
            asked(
                &primary,
                "nudge.search",
                &with_here(json!({"query": "nothing"})),
            )?;
        }
    }
    events(place, &primary, &with_here);

    let mut turn = 0_usize;
    let mut question = |params: &dyn Fn(usize) -> (&'static str, Value)| -> Outcome<Figures> {
        let mut took = Vec::new();
        for _ in 0..RUNS {
            turn += 7919;
            let (method, params) = params(turn % OBSERVATIONS);
            let params = with_here(params);
            let start = Instant::now();
            black_box(asked(&primary, method, &params)?);
            took.push(start.elapsed().as_secs_f64());
        }
        Ok(vec![percentile(&mut took, 50)])
    };
    let words = |number: usize| {
        let Happened { noun, name, .. } = happened(number);
        ("nudge.search", json!({"query": format!("{noun} {name}")}))
    };
    let common = |number: usize| {
        let Happened { verb, noun, .. } = happened(number);
        ("nudge.search", json!({"query": format!("{verb} {noun}")}))
    };
    let file = |number: usize| {
        let thing = happened(number);
        let (place, noun, name, verb) = (thing.place, thing.noun, thing.name, thing.verb);
        let path = format!("src/{place}/{noun}/{name}_{verb}.rs");
        ("nudge.file_history", json!({"file_path": path}))
    };
    let nothing = |_: usize| ("nudge.get_context", json!({}));
    for (title, asks, asked) in [
        (
            "a search among 100,000 observations, p50",
            &words as &dyn Fn(usize) -> _,
            Asked::Adds(SEARCH),
        ),
        (
            "a search by two words that are in every twelfth and sixteenth, p50",
            &common,
            Asked::Nothing,
        ),
        (
            "a file's history among 100,000 observations, p50",
            &file,
            Asked::Adds(HISTORY),
        ),
    ] {
        let question = std::cell::RefCell::new(&mut question);
        let ways = [
            Way::new("it", || (*question.borrow_mut())(asks)),
            Way::new("a call that looks at nothing", || {
                (*question.borrow_mut())(&nothing)
            }),
        ];
        pair(title, ways, ROUNDS, asked);
    }

    found_again(&primary, &with_here)?;
    // Nobody else opens the file before this one has closed it.
    drop(primary);
    opened(home.path(), &with_here)
}

/// What recording adds to an event, and what was recorded to the start of a session.
fn events(place: &Place, primary: &Primary, with_here: &dyn Fn(Value) -> Value) {
    let off = Primary::with_system_clock(Config::default(), 0);
    let started =
        json!({"event": "session_start", "host": "claude", "session": "s", "reason": "startup"});
    let worked = |run: u32| event(place, run as usize * KINDS + WORKED);
    let starts = |_| with_here(started.clone());
    for (title, event, most) in [
        (
            "an event of a hook, in the server",
            &worked as &dyn Fn(u32) -> Value,
            RECORD,
        ),
        ("the start of a session, in the server", &starts, START),
    ] {
        let told = |primary: &Primary| -> Outcome<Figures> {
            let start = Instant::now();
            for run in 0..RUNS {
                asked(primary, "nudge.on_event", &event(run))?;
            }
            Ok(vec![start.elapsed().as_secs_f64() / number(RUNS.into())])
        };
        let ways = [
            Way::new("recorded", || told(primary)),
            Way::new("not recorded", || told(&off)),
        ];
        pair(title, ways, ROUNDS, Asked::Adds(most));
    }
}

/// Measures the first search after a start, and the file.
fn opened(home: &Path, with_here: &dyn Fn(Value) -> Value) -> Outcome<()> {
    let first = |is_recorded: bool| -> Outcome<Figures> {
        let primary = Primary::with_system_clock(Config::default(), 0);
        let start = Instant::now();
        if is_recorded {
            primary.observe_in(home);
            asked(
                &primary,
                "nudge.search",
                &with_here(json!({"query": "invoices gateway timed"})),
            )?;
        } else {
            asked(&primary, "nudge.get_context", &json!({}))?;
        }
        Ok(vec![start.elapsed().as_secs_f64()])
    };
    let ways = [
        Way::new("open and search", || first(true)),
        Way::new("a call that looks at nothing", || first(false)),
    ];
    let title = "the first search after a start";
    pair(title, ways, ROUNDS, Asked::Adds(OPEN));

    let file = home.join("history.db");
    println!(
        "\nthe file of 100,000 observations: {} MB of at most 60\n",
        file.metadata()?.len() / 1_000_000
    );
    Ok(())
}

/// Asks for what happened in other words than it was told in, and counts how often it is among
/// the first five.
fn found_again(primary: &Primary, with_here: &dyn Fn(Value) -> Value) -> Outcome<()> {
    let mut score = Score::default();
    for number in (FAILED..OBSERVATIONS).step_by(20 * KINDS) {
        let Happened {
            verb,
            noun,
            place,
            round,
            ..
        } = happened(number);
        let thing = noun.trim_end_matches('s');
        let query =
            format!("why did the {place} fail when it was {verb}ing a {thing} on attempt {round}?");
        let query = with_here(json!({"query": query, "limit": 5}));
        let means = |text: &str| [verb, noun, place].iter().all(|word| text.contains(word));
        score.count(&asked(primary, "nudge.search", &query)?, means);
    }
    score.print("questions in other words");
    Ok(())
}

/// How often what was meant is among the first five, and how far up.
#[derive(Default)]
struct Score {
    asked: u32,
    hits: u32,
    ranks: f64,
}

impl Score {
    fn count(&mut self, found: &Value, means: impl Fn(&str) -> bool) {
        self.asked += 1;
        let found = found["observations"].as_array().into_iter().flatten();
        let mut texts = found.map(|one| one["content_preview"].as_str().unwrap_or_default());
        if let Some(rank) = texts.position(means) {
            self.hits += 1;
            self.ranks += 1.0 / number(rank as u64 + 1);
        }
    }

    fn print(&self, title: &str) {
        let asked = f64::from(self.asked.max(1));
        let (share, rank) = (100.0 * f64::from(self.hits) / asked, self.ranks / asked);
        println!(
            "{title}: hit@5 {share:.1} %, MRR {rank:.3}, of {}",
            self.asked
        );
    }
}
