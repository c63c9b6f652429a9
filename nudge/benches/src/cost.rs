//! The worst that a store can hold: what one call takes, whatever its hints say.

use std::hint::black_box;

use nudge::{Caller, Context, GetHint, HintValue, Nudge, Operation, Query, SetHint};
use serde_json::{Map, Value};

use crate::empty;
use crate::measure::{done, heading, line, median, processor_time, resident};

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
        done(nudge.set_hint(set));
    }
    nudge
}

/// Prints what calls take, each beside what it may.
pub(crate) fn cost() {
    heading("the worst that a store can hold: milliseconds of one call");
    for (name, path, pattern) in places() {
        let context = Context::new().cwd(&path).file_open(format!("{path}/file"));
        let slot = fill(200, 1, 64, &pattern);
        let get = GetHint::new("c0", "key0").context(&context);
        told(&format!("get, {name}"), 5.0, || {
            slot.get_hint(get.clone()).is_ok()
        });
        let store = fill(5_000, 5_000, 8, &pattern);
        let query = Query::new().context(&context);
        let all = query.clone().include_ineligible().limit(100);
        for (what, query) in [("query", query), ("query with what does not apply", all)] {
            told(&format!("{what}, {name}"), 50.0, || {
                store.query(query.clone()).is_ok()
            });
        }
    }
}

fn told(name: &str, most: f64, run: impl Fn() -> bool) {
    let time = milliseconds(5, || {
        black_box(run());
    });
    let met = if time <= most { "met" } else { "MISSED" };
    line(name, &format!("{time:>8.2} ms   at most {most} ms   {met}"));
}

/// The median of what some runs take of a processor.
fn milliseconds(runs: usize, run: impl Fn()) -> f64 {
    let took = |_| {
        let start = processor_time();
        run();
        processor_time().saturating_sub(start).as_secs_f64() * 1e3
    };
    median(&mut (0..runs).map(took).collect::<Vec<_>>())
}

/// Prints what a search through a full store takes, whatever is looked for.
pub(crate) fn searches() {
    heading("a search through 32 MB of text: milliseconds of one query");
    let nudge = Nudge::default();
    let mut random: u32 = 1;
    let mut letter = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if random >> 31 == 0 { 'a' } else { 'b' }
    };
    for number in 0..5_000 {
        let text: String = (0..8_000).map(|_| letter()).collect();
        // What does not fit is refused.
        let set = SetHint::new(format!("c{}", number / 200), format!("k{number}"), text);
        let _ = nudge.set_hint(set);
    }
    for regex in ["compose", "[ab]*a[ab]{900}c", "(a|b|ab)*c.*(x|y)+$", "b$"] {
        let query = Query::new().regex(regex);
        told(&format!("regex {regex}"), 50.0, || {
            nudge.query(query.clone()).is_ok()
        });
    }
    let query = Query::new().text("a b ab ba aab abb");
    told("words", 50.0, || nudge.query(query.clone()).is_ok());
}

/// Makes a hint of its kind.
type Make<'a> = &'a dyn Fn(SetHint, usize) -> SetHint;

/// Prints what a store takes that is filled with one kind of hint until it is full.
pub(crate) fn memory() {
    heading("the memory of a full store: MiB, of at most 64 and 32 around them");
    let numbers = Value::from(vec![0; 4_000]);
    let fields: Map<String, Value> = (0..700).map(|n| (format!("f{n}"), n.into())).collect();
    let groups = format!("/{}", "+(a|b|c|d|e|f|g)".repeat(15));
    let ways: [(&str, Make<'_>); 4] = [
        ("long values", &|set, _| set),
        ("lists of numbers", &|set, _| with(set, numbers.clone())),
        ("objects of many fields", &|set, _| {
            with(set, fields.clone().into())
        }),
        ("64 patterns of groups", &|set, number| {
            (0..64).fold(set, |set, other| {
                set.cwd_glob(format!("{groups}{number}x{other}"))
            })
        }),
    ];
    for (name, make) in ways {
        let before = resident();
        let nudge = Nudge::default();
        let mut hints = 0;
        for number in 0..5_000 {
            let set = SetHint::new(
                format!("c{}", number / 200),
                format!("k{number}"),
                "x".repeat(8_000),
            );
            hints += usize::from(nudge.set_hint(make(set, number)).is_ok());
        }
        let taken = resident().saturating_sub(before) >> 20;
        let met = if taken <= 96 { "met" } else { "MISSED" };
        line(name, &format!("{taken:>5} MiB in {hints} hints   {met}"));
    }
}

fn with(mut set: SetHint, data: Value) -> SetHint {
    set.value = HintValue::Json(Box::new(data));
    set
}

/// A list of so many bytes.
fn list(bytes: usize, one: impl Fn(usize) -> String) -> String {
    let count = bytes / (one(0).len() + 1);
    (0..count).map(one).collect::<Vec<_>>().join(",")
}

/// Calls that make much work of few bytes, for each operation that takes a list or a text. A word
/// in capitals is put in: a list of names or of one name, or a text.
const BODIES: &str = r#"
set_hint {SLOT,"value":"make","meta":{"tags":[SAME]}}
set_hint {SLOT,"value":"make","meta":{"tags":[NAMES]}}
set_hint {SLOT,"value":"make","meta":{"scope":{"cwd_glob":[NAMES]}}}
set_hint {SLOT,"value":"make","meta":{"reason":"PATH"}}
set_hint {SLOT,"value":"WORDS"}
set_hint {SLOT,"value":{"type":"json","data":DEEP}}
get_hint {"component":"PATH","key":"build"}
get_hint {SLOT,"context":{"repo":[NAMES]}}
get_hint {SLOT,"context":{"cwd":"PATH"}}
query {"keys":[NAMES]}
query {"tags":[NAMES]}
query {"tags":[SAME],"tags_mode":"all"}
query {"text":"WORDS"}
query {"regex":"(a|b|ab)*c.*(x|y)+$"}
export {"tags":[NAMES]}
set_context {"sets":{"files":[NAMES]}}
on_event {FAILED,"command":"WORDS"}
on_event {FAILED,"command":"make","output":"PATH"}
on_event {FAILED,"command":"MANY"}
on_event {FAILED,"command":"OPEN"}
on_event {FAILED,"command":"SET"}
on_event {"event":"prompt","prompt":"WORDS","context":{"cwd":"/w"}}
bump {SLOT,"reason":"PATH"}
"#;

/// The bodies with what is put in, of about so many bytes, by their methods.
fn bodies(bytes: usize) -> impl Iterator<Item = (String, String)> {
    let failed = r#""event":"after_command","exit_code":1,"context":{"cwd":"/w","repo":"git:a/b"}"#;
    let put_in = [
        ("SLOT", r#""component":"api","key":"build""#.to_owned()),
        ("FAILED", failed.to_owned()),
        ("SAME", list(bytes, |_| "\"a\"".to_owned())),
        ("NAMES", list(bytes, |number| format!("\"n{number:06}\""))),
        ("PATH", "a/".repeat(bytes / 2)),
        ("WORDS", "ab ".repeat(bytes / 3)),
        ("MANY", "a && ".repeat(bytes / 5)),
        ("OPEN", "$(".repeat(bytes / 2)),
        ("SET", "a=b ".repeat(bytes / 4)),
        ("DEEP", ["[".repeat(100), "]".repeat(100)].join("1")),
    ];
    let rows = BODIES.trim().lines().filter_map(|row| row.split_once(' '));
    rows.map(move |(method, body)| {
        let put_in = put_in.iter();
        let put_in = put_in.fold(body.to_owned(), |body, (word, text)| {
            body.replace(word, text)
        });
        (format!("nudge.{method}"), put_in)
    })
}

/// Prints what bodies of one and of four MiB take.
pub(crate) fn bodies_in_turn() {
    heading("a call with a long body: milliseconds for 1 MiB, for 4 MiB");
    let store = fill(5_000, 5_000, 1, "/work/api/**");
    let took = |method: &str, body: &str| {
        let operation = Operation::named(method).unwrap_or_else(|| panic!("{method}"));
        milliseconds(3, || {
            let (by, body) = (Caller::user(), body.as_bytes());
            let _ = black_box(store.call(&by, operation, body, &mut Vec::new()));
        })
    };
    for ((method, one), (_, four)) in bodies(1 << 20).zip(bodies(4 << 20)) {
        let (small, large) = (took(&method, &one), took(&method, &four));
        let is_met = small <= 50.0 && large <= 200.0_f64.max(6.0 * small);
        let start: String = one.chars().skip(1).take(34).collect();
        let met = if is_met { "met" } else { "MISSED" };
        line(
            &format!("{method} {start}"),
            &format!("{small:>8.2} {large:>8.2} ms   {met}"),
        );
    }
}
