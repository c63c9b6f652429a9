//! What happened: what recording adds to an event, what a question takes among 100,000
//! observations, and how well a question finds what it means.

use std::hint::black_box;
use std::time::Instant;

use nudge::{Caller, Config};
use nudge_server::primary::Primary;
use nudge_server::primary::call::call;
use nudge_server::primary::operations::Method;
use serde_json::{Value, json};

use crate::Outcome;
use crate::measure::{Figures, Way, number, percentile, take_turns};
use crate::place::Place;
use crate::table::{Asked, Unit, block};

const ROUNDS: usize = 21;
const RUNS: u32 = 100;

/// How many observations there are, and after how many what waits is written: a server is told
/// of fewer at a time.
const OBSERVATIONS: usize = 100_000;
const AT_ONCE: usize = 500;

/// What may be added, in seconds: to an event by recording it, and to a call that does nothing by
/// a search, a file's history, and the first search after the start.
const RECORD: f64 = 0.000_5;
const SEARCH: f64 = 0.001;
const HISTORY: f64 = 0.000_2;
const OPEN: f64 = 0.005;

/// The words that what happened is made of.
const VERBS: [&str; 12] = [
    "migrate", "compile", "render", "deploy", "parse", "encrypt", "index", "schedule", "resize",
    "merge", "validate", "stream",
];
const NOUNS: [&str; 16] = [
    "invoices",
    "avatars",
    "sessions",
    "webhooks",
    "ledgers",
    "thumbnails",
    "tokens",
    "reports",
    "catalogs",
    "shipments",
    "payrolls",
    "tickets",
    "profiles",
    "coupons",
    "journals",
    "manifests",
];
const PLACES: [&str; 10] = [
    "gateway",
    "worker",
    "scheduler",
    "billing",
    "frontend",
    "exporter",
    "mailer",
    "registry",
    "planner",
    "auditor",
];

/// The n-th thing that happened: no two have the same three words and number.
fn happened(number: usize) -> (&'static str, &'static str, &'static str, usize) {
    let verb = VERBS[number % VERBS.len()];
    let noun = NOUNS[number / VERBS.len() % NOUNS.len()];
    let place = PLACES[number / (VERBS.len() * NOUNS.len()) % PLACES.len()];
    let all = VERBS.len() * NOUNS.len() * PLACES.len();
    (verb, noun, place, number / all)
}

/// Of so many things one is a prompt, one a command that failed and three are edits; the others
/// are commands that worked, such as the last.
const KINDS: usize = 20;
const FAILED: usize = 1;
const WORKED: usize = KINDS - 1;

fn event(place: &Place, number: usize) -> Value {
    let (verb, noun, component, round) = happened(number);
    let mut event = json!({
        "host": "claude", "session": format!("s-{}", number / 200),
        "context": {"cwd": place.repository, "root": place.repository, "branch": "dev", "repo": "git:team/platform"},
    });
    let more = match number % KINDS {
        0 => {
            json!({"event": "prompt", "prompt": format!("please {verb} the {noun} of the {component}, attempt {round}")})
        }
        FAILED => json!({"event": "after_command", "exit_code": 1,
            "command": format!("./tools/{component} --{verb} {noun} --attempt {round}"),
            "output": format!("reading {noun}\nerror: cannot {verb} {noun} in {component}: attempt {round} timed out")}),
        2..5 => {
            json!({"event": "after_edit", "file": format!("src/{component}/{noun}/{verb}_{round}.rs"), "size": 4_096})
        }
        _ => {
            json!({"event": "after_command", "command": format!("./tools/{component} --{verb} {noun}"), "exit_code": 0})
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
    let (home, usual) = (place.fresh()?, || {
        Primary::with_system_clock(Config::default(), 0)
    });
    let primary = usual();
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
    let off = usual();
    let told = |primary: &Primary| -> Outcome<Figures> {
        let start = Instant::now();
        for number in 0..RUNS {
            let number = number as usize * KINDS + WORKED;
            asked(primary, "nudge.on_event", &event(place, number))?;
        }
        Ok(vec![start.elapsed().as_secs_f64() / number(RUNS.into())])
    };
    let mut ways = [
        Way::new("recorded", || told(&primary)),
        Way::new("not recorded", || told(&off)),
    ];
    take_turns(&mut ways, ROUNDS);
    block(
        "an event of a hook, in the server",
        Unit::Seconds,
        0,
        &ways,
        &[Asked::Adds(RECORD)],
    );

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
        let (verb, noun, place, round) = happened(number);
        (
            "nudge.search",
            json!({"query": format!("{verb} {noun} {place} {round}")}),
        )
    };
    let file = |number: usize| {
        let (verb, noun, place, round) = happened(number);
        (
            "nudge.file_history",
            json!({"file_path": format!("src/{place}/{noun}/{verb}_{round}.rs")}),
        )
    };
    let nothing = |_: usize| ("nudge.get_context", json!({}));
    for (title, asks, most) in [
        (
            "a search among 100,000 observations, p50",
            &words as &dyn Fn(usize) -> _,
            SEARCH,
        ),
        (
            "a file's history among 100,000 observations, p50",
            &file,
            HISTORY,
        ),
    ] {
        let question = std::cell::RefCell::new(&mut question);
        let mut ways = [
            Way::new("it", || (*question.borrow_mut())(asks)),
            Way::new("a call that looks at nothing", || {
                (*question.borrow_mut())(&nothing)
            }),
        ];
        take_turns(&mut ways, ROUNDS);
        block(title, Unit::Seconds, 0, &ways, &[Asked::Adds(most)]);
    }

    let first = |is_recorded: bool| -> Outcome<Figures> {
        let primary = usual();
        let start = Instant::now();
        if is_recorded {
            primary.observe_in(home.path());
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
    let mut ways = [
        Way::new("open and search", || first(true)),
        Way::new("a call that looks at nothing", || first(false)),
    ];
    take_turns(&mut ways, ROUNDS);
    block(
        "the first search after a start",
        Unit::Seconds,
        0,
        &ways,
        &[Asked::Adds(OPEN)],
    );

    let file = home.path().join(".local/state/nudge-hints/observations.db");
    println!(
        "\nthe file of 100,000 observations: {} MB of at most 60\n",
        file.metadata()?.len() / 1_000_000
    );
    found_again(&primary, &with_here)
}

/// Asks for what happened in other words than it was told in, and counts how often it is among
/// the first five.
fn found_again(primary: &Primary, with_here: &dyn Fn(Value) -> Value) -> Outcome<()> {
    let (mut asked_for, mut hits, mut ranks) = (0_u32, 0_u32, 0.0);
    for number in (FAILED..OBSERVATIONS).step_by(20 * KINDS) {
        let (verb, noun, place, round) = happened(number);
        let thing = noun.trim_end_matches('s');
        let query =
            format!("why did the {place} fail when it was {verb}ing a {thing} on attempt {round}?");
        let found = asked(
            primary,
            "nudge.search",
            &with_here(json!({"query": query, "limit": 5})),
        )?;
        let means = |one: &Value| {
            let text = one["content_preview"].as_str().unwrap_or_default();
            [verb, noun, place].iter().all(|word| text.contains(word))
        };
        let found = found["observations"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        asked_for += 1;
        if let Some(rank) = found.iter().position(means) {
            hits += 1;
            ranks += 1.0 / number_of(rank + 1);
        }
    }
    let share = 100.0 * f64::from(hits) / f64::from(asked_for);
    println!(
        "questions in other words: hit@5 {share:.1} %, MRR {:.3}, of {asked_for}",
        ranks / f64::from(asked_for)
    );
    println!("(data of this program; docs/server.md says how to run LoCoMo)\n");
    Ok(())
}

fn number_of(count: usize) -> f64 {
    number(count as u64)
}
