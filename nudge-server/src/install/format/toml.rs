//! Configs in TOML.

use toml_edit::{Document, DocumentMut, InlineTable, Item, RawString, Table, TableLike, TomlError};

use super::{Edit, Flaw, Found, Value, flaw, position};

fn broken(text: &str, error: &TomlError) -> Flaw {
    let start = error.span().map_or(0, |span| span.start);
    flaw(
        text,
        start,
        error.message().lines().next().unwrap_or_default(),
    )
}

pub(super) fn look(text: &str, keys: &[&str]) -> Result<Option<Found>, Flaw> {
    let document = Document::parse(text).map_err(|error| broken(text, &error))?;
    find(text, document.as_item(), keys)
}

fn find(text: &str, mut item: &Item, keys: &[&str]) -> Result<Option<Found>, Flaw> {
    let (mut start, mut name) = (0, "the file");
    for key in keys {
        let Some(table) = item.as_table_like() else {
            return Err(flaw(text, start, format!("`{name}` is not a table")));
        };
        let Some((found_key, found)) = table.get_key_value(key) else {
            return Ok(None);
        };
        // A table is where its header is; any other value where its key is.
        let span = if found.is_table() {
            found.span()
        } else {
            found_key.span()
        };
        start = span.or(found_key.span()).map_or(start, |span| span.start);
        (item, name) = (found, key);
    }
    let names = item.as_table_like().into_iter().flat_map(TableLike::iter);
    let names = names.map(|(name, _)| name.to_owned()).collect();
    Ok(Some(Found {
        line: position(text, start).0,
        value: value(item),
        names,
    }))
}

fn value(item: &Item) -> Option<Value> {
    if let Some(text) = item.as_str() {
        return Some(Value::Text(text.to_owned()));
    }
    if let Some(list) = item.as_array() {
        let texts: Option<Vec<_>> = list
            .iter()
            .map(|it| it.as_str().map(str::to_owned))
            .collect();
        return texts.map(Value::List);
    }
    let fields = item.as_table_like()?.iter();
    let fields = fields.filter_map(|(name, item)| Some((name.to_owned(), value(item)?)));
    Some(Value::Map(fields.collect()))
}

pub(super) fn edit(text: &str, edits: &[Edit<'_>]) -> Result<String, Flaw> {
    let document = Document::parse(text).map_err(|error| broken(text, &error))?;
    for edit in edits {
        find(text, document.as_item(), &edit.keys)?;
    }
    let mut document = document.into_mut();
    for edit in edits {
        match &edit.value {
            Some(value) => set(document.as_item_mut(), &edit.keys, value),
            None => remove(&mut document, &edit.keys),
        }
    }
    let edited = document.to_string();
    // New lines end as those of the file do.
    Ok(if text.contains("\r\n") {
        edited.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        edited
    })
}

fn set(parent: &mut Item, keys: &[&str], value: &Value) {
    let Some((first, rest)) = keys.split_first() else {
        return;
    };
    // What is in an inline table has to be inline itself.
    let is_inline = parent.is_inline_table();
    let Some(table) = parent.as_table_like_mut() else {
        return;
    };
    if !rest.is_empty() {
        let below = table.entry(first).or_insert_with(|| between(is_inline));
        return set(below, rest, value);
    }
    let old = table.get(first).and_then(Item::as_value);
    let decor = old.map(|old| old.decor().clone());
    let mut item = match value {
        Value::Map(fields) if !is_inline => Item::Table(long(fields)),
        _ => Item::Value(short(value)),
    };
    // A comment behind the old value stays there.
    if let (Some(decor), Some(new)) = (decor, item.as_value_mut()) {
        *new.decor_mut() = decor;
    }
    table.insert(first, item);
}

/// A table that is there only for what is set below it, and so has no header.
fn between(is_inline: bool) -> Item {
    if is_inline {
        return Item::Value(InlineTable::new().into());
    }
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

fn remove(document: &mut DocumentMut, keys: &[&str]) {
    let Some((last, above)) = keys.split_last() else {
        return;
    };
    let mut table: Option<&mut dyn TableLike> = Some(document.as_table_mut());
    for key in above {
        let below = table.and_then(|table| table.get_mut(key));
        table = below.and_then(Item::as_table_like_mut);
    }
    if let Some(Item::Table(removed)) = table.and_then(|table| table.remove(last)) {
        keep_comments(document, &removed);
    }
}

/// Gives the comments above a table that is gone to what comes after it: they
/// may be about anything.
fn keep_comments(document: &mut DocumentMut, removed: &Table) {
    let prefix = removed.decor().prefix().and_then(RawString::as_str);
    let Some(prefix) = prefix.filter(|prefix| prefix.contains('#')) else {
        return;
    };
    if let Some(next) = next(document.as_table_mut(), removed.position()) {
        let own = next.decor().prefix().and_then(RawString::as_str);
        let both = format!("{prefix}{}", own.unwrap_or_default());
        next.decor_mut().set_prefix(both);
    } else {
        let rest = document.trailing().as_str().unwrap_or_default();
        let both = format!("{prefix}{rest}");
        document.set_trailing(both);
    }
}

/// The table whose header is the first after a position.
fn next(table: &mut Table, after: Option<isize>) -> Option<&mut Table> {
    let below = table.iter_mut().filter_map(|(_, item)| item.as_table_mut());
    let found = below.filter_map(|table| {
        let is_after = !table.is_implicit() && !table.is_dotted() && table.position() > after;
        if is_after {
            return Some(table);
        }
        next(table, after)
    });
    found.min_by_key(|table| table.position())
}

/// A table with a header, one line for each field.
fn long(fields: &[(String, Value)]) -> Table {
    let mut table = Table::new();
    for (name, value) in fields {
        table.insert(name, Item::Value(short(value)));
    }
    table
}

/// A value on one line.
fn short(value: &Value) -> toml_edit::Value {
    match value {
        Value::Text(text) => text.as_str().into(),
        Value::Number(number) => i64::from(*number).into(),
        Value::Switch(is_on) => (*is_on).into(),
        Value::List(texts) => texts.iter().collect::<toml_edit::Array>().into(),
        Value::Map(fields) => {
            let mut table = InlineTable::new();
            for (name, value) in fields {
                table.insert(name, short(value));
            }
            table.into()
        }
    }
}

/// Compares line by line, without blank ones and without spaces around them.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let lines = |text: &'_ str| {
        let lines = text.lines().map(|line| line.trim().to_owned());
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>()
    };
    lines(one) == lines(other)
}
