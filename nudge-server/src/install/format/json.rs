//! Configs in JSON, with comments and commas at the end.

use std::hash::{BuildHasher, RandomState};
use std::ops::Range;

use jsonc_parser::ast::{Object, ObjectProp, Value as Node};
use jsonc_parser::common::Ranged;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use jsonc_parser::errors::ParseError;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};

use super::{Edit, Flaw, Found, Value, flaw, position};

/// JSON, with comments and commas at the end where a host reads them, and
/// nothing looser.
pub(super) fn options(comments: bool, commas: bool) -> ParseOptions {
    ParseOptions {
        allow_comments: comments,
        allow_trailing_commas: commas,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn broken(text: &str, error: &ParseError) -> Flaw {
    let words = error.kind().to_string();
    let (first, rest) = words.split_at(words.chars().next().map_or(0, char::len_utf8));
    flaw(text, error.range().start, first.to_lowercase() + rest)
}

fn parsed<'t>(text: &'t str, options: &ParseOptions) -> Result<Option<Node<'t>>, Flaw> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), options);
    let parsed = parsed.map_err(|error| broken(text, &error))?;
    Ok(parsed.value)
}

pub(super) fn look(
    text: &str,
    keys: &[&str],
    options: &ParseOptions,
) -> Result<Option<Found>, Flaw> {
    find(text, parsed(text, options)?.as_ref(), keys)
}

/// What is at a key. An empty file is an empty config.
fn find(text: &str, root: Option<&Node<'_>>, keys: &[&str]) -> Result<Option<Found>, Flaw> {
    let Some(root) = root else {
        return Ok(None);
    };
    let (mut node, mut start, mut name) = (root, root.start(), "the file");
    for key in keys {
        let Node::Object(object) = node else {
            return Err(flaw(text, start, format!("`{name}` is not an object")));
        };
        let Some(found) = only(text, object, key)? else {
            return Ok(None);
        };
        (node, start, name) = (&found.value, found.start(), key);
    }
    let names = match node {
        Node::Object(object) => object
            .properties
            .iter()
            .map(|it| it.name.as_str().to_owned())
            .collect(),
        _ => Vec::new(),
    };
    Ok(Some(Found {
        line: position(text, start).0,
        value: value(node),
        names,
    }))
}

/// The only property of a name. Of two, programs take the last and people read the first.
fn only<'o, 'a>(
    text: &str,
    object: &'o Object<'a>,
    key: &str,
) -> Result<Option<&'o ObjectProp<'a>>, Flaw> {
    let mut all = object
        .properties
        .iter()
        .filter(|it| it.name.as_str() == key);
    let first = all.next();
    match all.next() {
        Some(second) => Err(flaw(
            text,
            second.start(),
            format!("`{key}` is there twice"),
        )),
        None => Ok(first),
    }
}

fn value(node: &Node<'_>) -> Option<Value> {
    match node {
        Node::StringLit(text) => Some(Value::Text(text.value.to_string())),
        Node::BooleanLit(switch) => Some(Value::Switch(switch.value)),
        Node::Array(list) => {
            let text = |node: &Node<'_>| node.as_string_lit().map(|text| text.value.to_string());
            let texts: Option<Vec<_>> = list.elements.iter().map(text).collect();
            texts.map(Value::List)
        }
        Node::Object(object) => {
            let fields = object.properties.iter();
            let fields =
                fields.filter_map(|it| Some((it.name.as_str().to_owned(), value(&it.value)?)));
            Some(Value::Map(fields.collect()))
        }
        _ => None,
    }
}

/// A config as a tree to be edited. Each run of properties that the edits do not reach stands in it
/// as a single one: a step in the tree takes a time that grows with all that is beside it.
pub(crate) struct Tree {
    root: CstRootNode,
    /// What stands for a run, and the run.
    runs: Vec<(String, String)>,
}

impl Tree {
    pub(crate) fn object(&self) -> CstObject {
        self.root.object_value_or_set()
    }

    pub(crate) fn text(&self) -> String {
        let whole = |text: String, (short, run): &(String, String)| text.replacen(short, run, 1);
        self.runs.iter().fold(self.root.to_string(), whole)
    }
}

/// A config as a tree in which these keys are there once at most, below objects.
pub(super) fn tree(text: &str, keys: &[&[&str]], options: &ParseOptions) -> Result<Tree, Flaw> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let root = parsed(text, options)?;
    for keys in keys {
        find(text, root.as_ref(), keys)?;
    }
    let mut ranges = Vec::new();
    if let Some(Node::Object(object)) = &root {
        unreached(object, keys, &mut ranges);
    }
    // Nobody who writes a config can know the name of what stands for a run.
    let name = RandomState::new().hash_one(text);
    let (mut short, mut done, mut runs) = (String::new(), 0, Vec::new());
    for (at, range) in ranges.into_iter().enumerate() {
        let one = format!("\"{name}-{at}\":0");
        short = short + &text[done..range.start] + &one;
        done = range.end;
        runs.push((one, text[range].to_owned()));
    }
    let root = CstRootNode::parse(&(short + &text[done..]), options);
    let root = root.map_err(|error| broken(text, &error))?;
    Ok(Tree { root, runs })
}

/// The runs of properties that are on the way to none of these keys.
fn unreached(object: &Object<'_>, keys: &[&[&str]], runs: &mut Vec<Range<usize>>) {
    let is_unreached = |it: &ObjectProp<'_>| {
        let mut keys = keys.iter();
        keys.all(|keys| keys.first() != Some(&it.name.as_str()))
    };
    for run in (object.properties).chunk_by(|one, next| is_unreached(one) && is_unreached(next)) {
        let (first, last) = (&run[0], &run[run.len() - 1]);
        if is_unreached(first) {
            runs.push(first.start()..last.end());
        } else if let Node::Object(object) = &first.value {
            let name = [first.name.as_str()];
            let below = keys.iter().filter_map(|keys| keys.strip_prefix(&name));
            let below: Vec<_> = below.collect();
            // All is kept below a key that is reached itself.
            if below.iter().all(|keys| !keys.is_empty()) {
                unreached(object, &below, runs);
            }
        }
    }
}

pub(super) fn edit(text: &str, edits: &[Edit<'_>], options: &ParseOptions) -> Result<String, Flaw> {
    let keys: Vec<_> = edits.iter().map(|edit| &*edit.keys).collect();
    let tree = tree(text, &keys, options)?;
    for edit in edits {
        apply(&tree.object(), edit);
    }
    Ok(tree.text())
}

fn apply(root: &CstObject, edit: &Edit<'_>) {
    let Some((last, above)) = edit.keys.split_last() else {
        return;
    };
    let mut object = root.clone();
    for key in above {
        let below = match edit.value {
            Some(_) => Some(object.object_value_or_set(key)),
            None => object.object_value(key),
        };
        let Some(below) = below else { return };
        object = below;
    }
    match (object.get(last), &edit.value) {
        (Some(property), Some(value)) => property.set_value(written(value)),
        (Some(property), None) => property.remove(),
        (None, Some(value)) => drop(object.append(last, written(value))),
        (None, None) => {}
    }
}

fn written(value: &Value) -> CstInputValue {
    match value {
        Value::Text(text) => CstInputValue::String(text.clone()),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::Switch(is_on) => CstInputValue::Bool(*is_on),
        Value::List(texts) => texts.clone().into(),
        Value::Map(fields) => {
            let field = |(name, value): &(String, Value)| (name.clone(), written(value));
            CstInputValue::Object(fields.iter().map(field).collect())
        }
    }
}

/// Compares what is said, comments too, without spaces, line ends and commas:
/// JSON means the same without its commas.
pub(super) fn is_same(one: &str, other: &str, options: &ParseOptions) -> bool {
    let (one, other) = (tokens(one, options), tokens(other, options));
    one.is_some() && one == other
}

fn tokens<'t>(text: &'t str, options: &ParseOptions) -> Option<(Vec<&'t str>, Vec<&'t str>)> {
    let collect = CollectOptions {
        comments: CommentCollectionStrategy::Separate,
        tokens: true,
    };
    let parsed = parse_to_ast(text, &collect, options).ok()?;
    let tokens = parsed.tokens?.into_iter();
    let tokens = tokens.filter_map(|token| text.get(token.range.start..token.range.end));
    let mut comments: Vec<_> = parsed
        .comments?
        .values()
        .flat_map(|all| all.iter())
        .map(Ranged::range)
        .collect();
    // A comment is listed for what is before it and for what is after it.
    comments.sort_by_key(|range| range.start);
    comments.dedup();
    let comments = comments.into_iter();
    let comments = comments.filter_map(|range| text.get(range.start..range.end));
    Some((
        tokens.filter(|token| *token != ",").collect(),
        comments.collect(),
    ))
}
