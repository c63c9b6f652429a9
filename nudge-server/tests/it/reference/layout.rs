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

/// Writes a value after what stands in its line already.
fn lay_out(value: &Value, indent: usize, used: usize, text: &mut String) {
    let line = in_one_line(value);
    if used + line.chars().count() < WIDTH {
        text.push_str(&line);
        return;
    }
    let inner = indent + 2;
    let separate = |first: &mut bool, text: &mut String| {
        text.push_str(if std::mem::take(first) { "\n" } else { ",\n" });
        text.push_str(&" ".repeat(inner));
    };
    let mut first = true;
    match value {
        Value::Object(fields) => {
            text.push('{');
            for (name, field) in fields {
                separate(&mut first, text);
                let name = format!("\"{name}\": ");
                text.push_str(&name);
                lay_out(field, inner, inner + name.len(), text);
            }
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                separate(&mut first, text);
                lay_out(item, inner, inner, text);
            }
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            text.push(']');
        }
        _ => text.push_str(&line),
    }
}

fn in_one_line(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter();
            let fields = fields.map(|(name, field)| format!("\"{name}\": {}", in_one_line(field)));
            format!("{{{}}}", fields.collect::<Vec<String>>().join(", "))
        }
        Value::Array(items) => {
            let items = items.iter().map(in_one_line);
            format!("[{}]", items.collect::<Vec<String>>().join(", "))
        }
        other => other.to_string(),
    }
}
