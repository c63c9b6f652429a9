//! Configs in JSON, with comments and commas at the end.

use std::borrow::Cow;

use jsonc_parser::ast::{Object, Value as Node};
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
) -> Result<Option<&'o jsonc_parser::ast::ObjectProp<'a>>, Flaw> {
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

/// A config as a tree in which these keys are there once at most, below objects.
pub(super) fn tree(
    text: &str,
    keys: &[&[&str]],
    options: &ParseOptions,
) -> Result<CstRootNode, Flaw> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let root = parsed(text, options)?;
    for keys in keys {
        find(text, root.as_ref(), keys)?;
    }
    let text = &*with_long_lists_begun(text, root.as_ref());
    CstRootNode::parse(text, options).map_err(|error| broken(text, &error))
}

/// How many things may stand in an object or a list that the tree breaks into lines.
const MOST_ON_A_LINE: usize = 200;

/// A text whose long objects and lists begin with a line of their own. Where one stands on a single
/// line, the tree gives each thing in it another before it adds one, which takes a time that grows
/// with the square of their number.
fn with_long_lists_begun<'t>(text: &'t str, root: Option<&Node<'t>>) -> Cow<'t, str> {
    let mut nodes = Vec::from_iter(root);
    let mut starts = Vec::new();
    while let Some(node) = nodes.pop() {
        let before = nodes.len();
        let first = match node {
            Node::Object(object) => {
                nodes.extend(object.properties.iter().map(|it| &it.value));
                object.properties.first().map(Ranged::start)
            }
            Node::Array(list) => {
                nodes.extend(&list.elements);
                list.elements.first().map(Ranged::start)
            }
            _ => None,
        };
        let start = node.start() + 1;
        let gap = first.and_then(|first| text.get(start..first));
        if nodes.len() - before > MOST_ON_A_LINE && gap.is_some_and(|gap| !gap.contains('\n')) {
            starts.push(start);
        }
    }
    starts.sort_unstable();
    let (mut begun, mut done) = (String::new(), 0);
    for start in starts {
        begun.push_str(&text[done..start]);
        begun.push('\n');
        done = start;
    }
    match done {
        0 => Cow::Borrowed(text),
        _ => Cow::Owned(begun + &text[done..]),
    }
}

pub(super) fn edit(text: &str, edits: &[Edit<'_>], options: &ParseOptions) -> Result<String, Flaw> {
    let keys: Vec<_> = edits.iter().map(|edit| &*edit.keys).collect();
    let root = tree(text, &keys, options)?;
    let object = root.object_value_or_set();
    for edit in edits {
        apply(&object, edit);
    }
    Ok(root.to_string())
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
