//! Text and JSON in lines that are not too long.

use serde_json::Value;

/// The longest line.
const WIDTH: usize = 120;

/// Words in lines.
pub(crate) fn wrapped(words: &str) -> String {
    let mut text = String::new();
    let mut used = 0;
    for word in words.split(' ') {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > WIDTH {
            text.push('\n');
            used = 0;
        } else if used > 0 {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        used += length;
    }
    text
}

/// JSON of which what fits in a line is in one.
pub(crate) fn laid_out(value: &Value) -> String {
    let mut text = String::new();
    lay_out(value, 0, 0, &mut text);
    text
}

/// The brackets of a list or an object, and its parts with what stands before each.
type Parts<'a> = ([char; 2], Vec<(String, &'a Value)>);

fn parts(value: &Value) -> Option<Parts<'_>> {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, field)| (format!("\"{name}\": "), field));
            Some((['{', '}'], fields.collect()))
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| (String::new(), item));
            Some((['[', ']'], items.collect()))
        }
        _ => None,
    }
}

/// Writes a value after what stands in its line already.
fn lay_out(value: &Value, indent: usize, used: usize, text: &mut String) {
    let line = in_one_line(value);
    let is_short = used + line.chars().count() < WIDTH;
    let Some(([open, close], parts)) = parts(value).filter(|_| !is_short) else {
        text.push_str(&line);
        return;
    };
    let inner = indent + 2;
    text.push(open);
    for (at, (name, part)) in parts.iter().enumerate() {
        text.push_str(if at == 0 { "\n" } else { ",\n" });
        text.push_str(&" ".repeat(inner));
        text.push_str(name);
        lay_out(part, inner, inner + name.len(), text);
    }
    text.push('\n');
    text.push_str(&" ".repeat(indent));
    text.push(close);
}

fn in_one_line(value: &Value) -> String {
    let Some(([open, close], parts)) = parts(value) else {
        return value.to_string();
    };
    let parts = parts.iter();
    let parts = parts.map(|(name, part)| name.clone() + &in_one_line(part));
    format!("{open}{}{close}", parts.collect::<Vec<String>>().join(", "))
}
