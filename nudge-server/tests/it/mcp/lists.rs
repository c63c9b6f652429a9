//! Lists stop where hosts would cut them, and say how to get the rest.

use nudge::SetHint;
use serde_json::{Value, json};

use super::small::{COMMAND, answered, client_at, here, store};
use super::{primary, set};

use crate::says::Says;

/// The most characters of a list.
const MAX_LIST: usize = 8_000;

#[test]
fn twenty_hints_arrive_whole_and_a_longer_list_says_how_to_get_the_rest() {
    let primary = store(20, COMMAND);
    let mut client = client_at(&primary);
    let all = json!({"limit": 100, "context": here()});
    let (letters, answer) = answered(&mut client, "nudge_query", all.clone());
    assert_eq!(answer["hints"].as_array().unwrap().len(), 20);
    assert!(letters <= MAX_LIST, "{letters}");
    assert!(answer.get("left_out").is_none(), "{answer}");

    // What the query itself left out is a number.
    let mut few = all.clone();
    few["max_tokens"] = json!(60);
    let (_, answer) = answered(&mut client, "nudge_query", few);
    let shown = answer["hints"].as_array().unwrap().len();
    assert!(shown > 1, "{answer}");
    assert_eq!(answer["left_out"], 20 - shown);

    let long = COMMAND.repeat(20);
    for number in 0..9 {
        let hint = SetHint::new("big", format!("\"{number}\\"), &*long);
        set(&primary, hint.priority(9));
    }
    let huge = SetHint::new("big", "huge", "x".repeat(8_000)).priority(10);
    set(&primary, huge);
    let (letters, answer) = answered(&mut client, "nudge_query", all.clone());
    assert!(letters <= MAX_LIST, "{letters}");
    let shown = answer["hints"].as_array().unwrap().len();
    let words = answer["left_out"].as_str().unwrap();
    let start = format!("{} more had no room, such as `big/huge`, ", 30 - shown);
    assert!(shown > 5 && words.starts_with(&start), "{shown} {words}");
    words.says("`full`: true");

    // Where both left out some, the sentence counts them together.
    let mut fewer = all.clone();
    fewer["max_tokens"] = json!(4_000);
    let (_, answer) = answered(&mut client, "nudge_query", fewer);
    let shown = answer["hints"].as_array().unwrap().len();
    let start = format!("{} more had no room, such as `big/huge`", 30 - shown);
    let words = answer["left_out"].as_str().unwrap();
    assert!(words.starts_with(&start), "{answer}");
    let full = client.full("nudge_query", all);
    assert_eq!(full["hints"].as_array().unwrap().len(), 30);
}

#[test]
fn other_lists_stop_as_well() {
    let primary = primary();
    for number in 0..150 {
        let key = format!("{number:0>100}");
        set(&primary, SetHint::new("api", &*key, "make"));
        set(&primary, SetHint::new(&*key, "build", "make"));
    }
    let mut client = client_at(&primary);
    let items = |set: usize| (0..10).map(move |item| format!("{:0>200}", 10 * set + item));
    let sets = (0..5).map(|set| (format!("set-{set}"), items(set).collect()));
    let sets: Value = sets.collect::<serde_json::Map<String, Value>>().into();
    client.call("nudge_set_context", json!({"sets": sets}));
    for (tool, arguments) in [
        ("nudge_list_components", json!({})),
        ("nudge_list_components", json!({"component": "api"})),
        ("nudge_get_context", json!({})),
    ] {
        let (letters, answer) = answered(&mut client, tool, arguments);
        let is_most = letters <= MAX_LIST && letters > MAX_LIST / 2;
        assert!(is_most, "{tool}: {letters}");
        assert!(answer["left_out"].is_string(), "{tool}");
        // The newest items of a set are its last.
        if let Some(set) = answer["sets"]["set-3"].as_array() {
            assert!(set.len() < 10, "{answer}");
            assert_eq!(set.last(), sets["set-3"].get(9));
        }
    }
}
