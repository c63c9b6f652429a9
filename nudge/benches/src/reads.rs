//! Getting and querying.

use std::hint::black_box;

use nudge::{Context, GetHint, Name, Nudge, Query, SetHint};
use regex::Regex;

use crate::corpus::{Corpus, KEYS, RARE_TAGS, VARIANTS, ready_names};
use crate::measure::{Race, done};
use crate::plain::locked_map;

/// How many operations one round does.
const BATCH: usize = 20_000;

/// Slots to ask for, with the names and places they go with.
struct Asked {
    slots: Vec<usize>,
    names: Vec<(Name, Name)>,
    contexts: Vec<Context>,
}

impl Asked {
    fn new(corpus: Corpus, seed: usize) -> Asked {
        let slots: Vec<usize> = corpus.shuffled().skip(seed * BATCH).take(BATCH).collect();
        Asked {
            names: ready_names(&slots),
            contexts: (0..corpus.components()).map(Corpus::context).collect(),
            slots,
        }
    }

    fn requests(&self) -> impl Iterator<Item = GetHint> {
        self.slots
            .iter()
            .zip(&self.names)
            .map(|(slot, (component, key))| {
                let context = &self.contexts[slot / KEYS];
                GetHint::new(component, key).context(context)
            })
    }
}

pub(crate) fn get(corpus: Corpus, nudge: &Nudge) {
    let asked = Asked::new(corpus, 0);
    let flat: Vec<String> = asked
        .slots
        .iter()
        .map(|slot| Corpus::flat_key(*slot))
        .collect();
    let map = locked_map(corpus);
    Race::new(format!("get, {} hints", corpus.hints))
        .way("floor: RwLock<HashMap>, Arc cloned", || {
            for key in &flat {
                black_box(map.read().get(key).cloned());
            }
            flat.len()
        })
        .way("nudge: scope, score, reasons when read", || {
            for request in asked.requests() {
                black_box(done(nudge.get_hint(request)));
            }
            BATCH
        })
        .way("nudge: the same, reasons read as text", || {
            for request in asked.requests() {
                let found = done(nudge.get_hint(request));
                black_box(found.match_explain.reasons());
            }
            BATCH
        })
        .way("nudge: the same, written as JSON", || {
            for request in asked.requests().take(BATCH / 10) {
                let found = done(nudge.get_hint(request));
                black_box(done(serde_json::to_string(&found)));
            }
            BATCH / 10
        })
        .run();
}

pub(crate) fn query(corpus: Corpus, nudge: &Nudge) {
    let each = if corpus.hints > 100_000 { 20 } else { 200 };
    let rows = |slots: std::ops::Range<usize>| {
        let numbers = slots.start * VARIANTS..slots.end * VARIANTS;
        text_of(numbers.map(request))
    };
    let components = 0..corpus.components().min(each);
    let in_component = components.map(|component| {
        let slots = component * KEYS..corpus.slots().min((component + 1) * KEYS);
        let query = Query::new().component(format!("service-{component:04}"));
        (query, rows(slots))
    });
    search(
        &format!(
            "query in one component with a regex, {} hints",
            corpus.hints
        ),
        ("compose .* build", nudge),
        &in_component.collect::<Vec<_>>(),
    );
    let by_tag = (0..each / 10).map(|tag| {
        let numbers = (tag..corpus.hints).step_by(RARE_TAGS);
        let query = Query::new().tag(format!("rare-{tag:02}"));
        (query, text_of(numbers.map(request)))
    });
    search(
        &format!(
            "query by a tag that one hint in 100 has, with a regex, {} hints",
            corpus.hints
        ),
        ("compose .* build", nudge),
        &by_tag.collect::<Vec<_>>(),
    );
    let all = rows(0..corpus.slots());
    for (what, regex) in [
        ("a literal", "service-0001.yml build task-07"),
        ("a class", r"build task-\d7 --pull .* e[5-9]"),
    ] {
        let title = format!("query by regex over all ({what}), {} hints", corpus.hints);
        search(&title, (regex, nudge), &[(Query::new(), all.clone())]);
    }
    if corpus.hints > 100_000 {
        return; // So many are not looked through for words that all of them have.
    }
    let pass = done(Regex::new("compose|image|build"));
    let words = Query::new().text("compose image build");
    let words = words.context(Corpus::context(0));
    Race::new(format!(
        "query by three words of all, {} hints",
        corpus.hints
    ))
    .way("floor: one pass over the same text laid end to end", || {
        black_box(pass.find_iter(&all).count());
        1
    })
    .way("nudge", || {
        black_box(done(nudge.query(words.clone())));
        1
    })
    .run();
}

/// Queries with a regex, each beside a pass over the text that it is matched against.
fn search(title: &str, (regex, nudge): (&str, &Nudge), asked: &[(Query, String)]) {
    let compiled = done(Regex::new(regex));
    let context = Corpus::context(0);
    Race::new(title)
        .way("floor: one pass over the same text laid end to end", || {
            for (_, text) in asked {
                black_box(compiled.find_iter(text).count());
            }
            asked.len()
        })
        .way("nudge", || {
            for (query, _) in asked {
                let query = query.clone().regex(regex).context(&context);
                black_box(done(nudge.query(query)));
            }
            asked.len()
        })
        .run();
}

/// The request of a hint by its number.
fn request(number: usize) -> SetHint {
    Corpus::request(number / VARIANTS, number % VARIANTS, 0)
}

/// What a regex is matched against, of some hints, laid end to end.
fn text_of(requests: impl Iterator<Item = SetHint>) -> String {
    let mut text = String::new();
    for request in requests {
        let meta = serde_json::to_value(&request.meta).unwrap_or_default();
        let tags = meta["tags"].as_array().into_iter().flatten();
        let parts = tags
            .chain([&meta["reason"]])
            .filter_map(|part| part.as_str());
        for part in [&*request.key, &request.value.text()]
            .into_iter()
            .chain(parts)
        {
            text.push_str(part);
            text.push('\n');
        }
    }
    text
}

pub(crate) fn threads(corpus: Corpus, nudge: &Nudge) {
    let asked = [Asked::new(corpus, 0), Asked::new(corpus, 1)];
    let read = |asked: &Asked| {
        for request in asked.requests() {
            black_box(done(nudge.get_hint(request)));
        }
    };
    let mixed = |asked: &Asked| {
        for (turn, request) in asked.requests().enumerate() {
            if turn % 20 == 0 {
                let set = Corpus::request(asked.slots[turn], 0, turn);
                black_box(done(nudge.set_hint(set)));
            } else {
                black_box(done(nudge.get_hint(request)));
            }
        }
    };
    let two = |work: &(dyn Fn(&Asked) + Sync)| {
        std::thread::scope(|scope| {
            scope.spawn(|| work(&asked[0]));
            work(&asked[1]);
        });
        2 * BATCH
    };
    let race = |title: &str, in_two: &'static str, work: &(dyn Fn(&Asked) + Sync)| {
        let one = || {
            work(&asked[0]);
            BATCH
        };
        let race = Race::new(format!("{title}, {} hints", corpus.hints));
        race.way("one thread", one).way(in_two, || two(work)).run();
    };
    let in_two = "two threads (at most 0.59 x is 1.7 times as much)";
    race("get by two threads", in_two, &read);
    let in_two = "two threads (at most 0.77 x is 1.3 times as much)";
    race("get with 5 % set by two threads", in_two, &mixed);
}
