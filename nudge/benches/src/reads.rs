//! Getting and querying.

use std::hint::black_box;
use std::sync::Arc;

use nudge::{Context, GetHint, Name, Nudge, Query};
use regex::Regex;
use rusqlite::Connection;

use crate::corpus::{Corpus, KEYS, ready_names};
use crate::measure::Race;
use crate::peers::{fetch, locked_map, plain};

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

pub(crate) fn get(corpus: Corpus, nudge: &Nudge, db: &Connection) {
    let asked = Asked::new(corpus, 0);
    let flat: Vec<String> = asked
        .slots
        .iter()
        .map(|slot| Corpus::flat_key(*slot))
        .collect();
    let map = locked_map(corpus);
    let moka = moka::sync::Cache::new(u64::MAX);
    let dash = dashmap::DashMap::new();
    for slot in 0..corpus.slots() {
        let hint = Arc::new(plain(slot, 0));
        moka.insert(Corpus::flat_key(slot), Arc::clone(&hint));
        dash.insert(Corpus::flat_key(slot), hint);
    }
    let sql = "select component, key, cwd_glob, branch, os, value, tags, reason, '', priority, confidence,
                   version, updated_at, last_used_at, use_count from hints where component = ? and key = ?";
    Race::new(format!("get, {} hints", corpus.hints))
        .way("floor: RwLock<HashMap>, Arc cloned", || {
            for key in &flat {
                black_box(map.read().get(key).cloned());
            }
            flat.len()
        })
        .way("nudge: scope, score, reasons when read", || {
            for request in asked.requests() {
                black_box(nudge.get_hint(request)).unwrap_or_else(|error| panic!("{error}"));
            }
            BATCH
        })
        .way("nudge: the same, reasons read as text", || {
            for request in asked.requests() {
                let found = nudge
                    .get_hint(request)
                    .unwrap_or_else(|error| panic!("{error}"));
                black_box(found.match_explain.reasons());
            }
            BATCH
        })
        .way("nudge: the same, written as JSON", || {
            for request in asked.requests().take(BATCH / 10) {
                let found = nudge
                    .get_hint(request)
                    .unwrap_or_else(|error| panic!("{error}"));
                black_box(serde_json::to_string(&found)).unwrap_or_else(|error| panic!("{error}"));
            }
            BATCH / 10
        })
        .way("dashmap, Arc cloned", || {
            for key in &flat {
                black_box(dash.get(key).map(|hint| Arc::clone(&hint)));
            }
            flat.len()
        })
        .way("moka, Arc cloned", || {
            for key in &flat {
                black_box(moka.get(key));
            }
            flat.len()
        })
        .way("sqlite in memory, the same four rows", || {
            for (component, key) in asked.names.iter().take(BATCH / 10) {
                black_box(fetch(db, sql, &[&component.as_str(), &key.as_str()]));
            }
            BATCH / 10
        })
        .run();
}

pub(crate) fn query(corpus: Corpus, nudge: &Nudge, db: &Connection) {
    const COLUMNS: &str =
        "select h.component, h.key, h.cwd_glob, h.branch, h.os, h.value, h.tags, h.reason, '',
        h.priority, h.confidence, h.version, h.updated_at, h.last_used_at, h.use_count";
    const TEXT: &str =
        "(h.key || char(10) || h.value || char(10) || h.tags || char(10) || h.reason) regexp ?";
    let regex = "compose .* build";
    let context = Corpus::context(0);
    let each = if corpus.hints > 100_000 { 20 } else { 200 };

    let sql = format!("{COLUMNS} from hints h where h.component = ? and {TEXT}");
    Race::new(format!(
        "query in one component with a regex, {} hints",
        corpus.hints
    ))
    .way("sqlite in memory, the same rows", || {
        for component in 0..each {
            let name = format!("service-{:04}", component % corpus.components());
            black_box(fetch(db, &sql, &[&name, &regex]));
        }
        each
    })
    .way("nudge", || {
        for component in 0..each {
            let name = format!("service-{:04}", component % corpus.components());
            let query = Query::new().component(name).regex(regex).context(&context);
            black_box(nudge.query(query)).unwrap_or_else(|error| panic!("{error}"));
        }
        each
    })
    .run();

    let sql =
        format!("{COLUMNS} from tags t join hints h on h.id = t.hint where t.tag = ? and {TEXT}");
    Race::new(format!(
        "query by a tag that one hint in 100 has, with a regex, {} hints",
        corpus.hints
    ))
    .way("sqlite in memory with a tag index, the same rows", || {
        for tag in 0..each / 10 {
            black_box(fetch(db, &sql, &[&format!("rare-{tag:02}"), &regex]));
        }
        each / 10
    })
    .way("nudge", || {
        for tag in 0..each / 10 {
            let query = Query::new()
                .tag(format!("rare-{tag:02}"))
                .regex(regex)
                .context(&context);
            black_box(nudge.query(query)).unwrap_or_else(|error| panic!("{error}"));
        }
        each / 10
    })
    .run();

    let text = all_text(corpus);
    for (what, regex) in [
        ("a literal", "service-0001.yml build task-07"),
        ("a class", r"build task-\d7 --pull .* e[5-9]"),
    ] {
        let compiled = Regex::new(regex).unwrap_or_else(|error| panic!("{error}"));
        Race::new(format!(
            "query by regex over all ({what}), {} hints",
            corpus.hints
        ))
        .way("floor: one pass over the same text laid end to end", || {
            black_box(compiled.find_iter(&text).count());
            1
        })
        .way("nudge", || {
            let query = Query::new().regex(regex).context(&context);
            black_box(nudge.query(query)).unwrap_or_else(|error| panic!("{error}"));
            1
        })
        .run();
    }
}

/// What a regex is matched against, of all hints, laid end to end.
fn all_text(corpus: Corpus) -> String {
    let mut text = String::new();
    for request in corpus.requests() {
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
            black_box(nudge.get_hint(request)).unwrap_or_else(|error| panic!("{error}"));
        }
    };
    let mixed = |asked: &Asked| {
        for (turn, request) in asked.requests().enumerate() {
            if turn % 20 == 0 {
                let set = Corpus::request(asked.slots[turn], 0, turn);
                black_box(nudge.set_hint(set)).unwrap_or_else(|error| panic!("{error}"));
            } else {
                black_box(nudge.get_hint(request)).unwrap_or_else(|error| panic!("{error}"));
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
    let spin = |_: &Asked| {
        for number in 0..BATCH * 100 {
            black_box(number);
        }
    };
    Race::new("what two threads gain on this machine with nothing shared")
        .way("one thread", || {
            spin(&asked[0]);
            BATCH
        })
        .way("two threads (0.5 x is twice as much done)", || two(&spin))
        .run();
    Race::new(format!("get by two threads, {} hints", corpus.hints))
        .way("one thread", || {
            read(&asked[0]);
            BATCH
        })
        .way("two threads (at most 0.59 x is 1.7 times as much)", || {
            two(&read)
        })
        .run();
    Race::new(format!(
        "get with 5 % set by two threads, {} hints",
        corpus.hints
    ))
    .way("one thread", || {
        mixed(&asked[0]);
        BATCH
    })
    .way("two threads (at most 0.77 x is 1.3 times as much)", || {
        two(&mixed)
    })
    .run();
}

/// Matching the globs of many scopes in turns, as a store does.
pub(crate) fn globs() {
    let patterns: Vec<String> = (0..2_500)
        .map(|number| format!("**/service-{number:04}*"))
        .collect();
    let ours = crate::empty();
    let paths: Vec<Context> = (0..2_500)
        .map(|number| Context::new().cwd(format!("/work/platform/service-{number:04}")))
        .collect();
    let matchers: Vec<_> = patterns
        .iter()
        .map(|glob| {
            let set = ours.set_hint(nudge::SetHint::new("glob", glob, "x").cwd_glob(glob));
            set.ok().and_then(|set| set.hint.meta.scope.clone())
        })
        .collect();
    let sets: Vec<_> = patterns
        .iter()
        .filter_map(|glob| {
            globset::GlobBuilder::new(glob)
                .literal_separator(true)
                .build()
                .ok()
        })
        .map(|glob| glob.compile_matcher())
        .collect();
    let texts: Vec<String> = paths
        .iter()
        .filter_map(|path| path.facts().cwd.clone())
        .collect();
    Race::new("2,500 globs in turns, each against a path it matches")
        .way("nudge", || {
            let pairs = matchers.iter().flatten().zip(&paths);
            pairs.filter(|(matcher, path)| matcher.holds(path)).count()
        })
        .way("globset", || {
            let pairs = sets.iter().zip(&texts);
            pairs.filter(|(glob, path)| glob.is_match(path)).count()
        })
        .run();
}
