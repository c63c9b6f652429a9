//! JSON with a line for each field, in the order in which it came.

/// Spreads compact JSON over lines. What is in it, and in which order, stays
/// as it is to the letter, which a map of our own in between would not keep.
pub(crate) fn indented(json: &str) -> String {
    let mut text = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut letters = json.chars().peekable();
    while let Some(letter) = letters.next() {
        if in_string {
            text.push(letter);
            (in_string, escaped) = match letter {
                _ if escaped => (true, false),
                '\\' => (true, true),
                '"' => (false, false),
                _ => (true, false),
            };
            continue;
        }
        match letter {
            '{' | '[' => {
                text.push(letter);
                if letters.peek().is_some_and(|next| matches!(next, '}' | ']')) {
                    text.extend(letters.next());
                } else {
                    depth += 1;
                    new_line(&mut text, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut text, depth);
                text.push(letter);
            }
            ',' => {
                text.push(letter);
                new_line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            _ => {
                in_string = letter == '"';
                text.push(letter);
            }
        }
    }
    text
}

fn new_line(text: &mut String, depth: usize) {
    text.push('\n');
    text.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn each_field_has_a_line_and_its_text_stays() {
        let json = r#"{"b":[1,{"a":"x, {y}: \"z\\"}],"a":{},"c":[]}"#;
        let expected = r#"{
  "b": [
    1,
    {
      "a": "x, {y}: \"z\\"
    }
  ],
  "a": {},
  "c": []
}"#;
        assert_eq!(indented(json), expected);
    }
}
