//! Edits of configs as people write them.

use super::*;

const JSON: Format = Format::Json {
    comments: true,
    commas: true,
};

fn entry() -> Edit<'static> {
    let value = Value::Map(vec![(
        "command".to_owned(),
        Value::Text("/bin/nudge".to_owned()),
    )]);
    Edit::set(&["servers", "nudge"], value)
}

#[test]
fn an_edit_and_its_undoing_leave_the_rest_of_a_json_file() {
    for text in [
        "{}",
        "{ }\n",
        "{\n}\n",
        "{\"a\":1}",
        "{\n  // note\n  \"a\": 1 // one\n}\n",
        "{\n  \"a\": 1,\n  // last\n}\n",
        "// first\n{\"servers\": {\"x\": {}}}\n// after\n",
        "{\n\t\"servers\": {\n\t\t\"x\": {}, // x\n\t},\n}\n",
        "{\"a\": {\"servers\": 1}, /* b */ \"b\": [{}, 2], \"servers\": {}, \"c\": 3 /* c */}",
        "{\n  \"a\": 1, // a\n  \"b\": 2,\n  \"servers\": {\n    \"x\": {\"nudge\": 1},\n\
         \n    // y\n    \"y\": {}\n  },\n  \"c\": \"d\"\n}",
    ] {
        let edited = JSON.edit(text, &[entry()]).unwrap();
        assert!(
            JSON.look(&edited, &["servers", "nudge", "command"])
                .unwrap()
                .is_some()
        );
        let mut undo = vec![Edit::remove(&["servers", "nudge"])];
        if !text.contains("servers") {
            undo.push(Edit::remove(&["servers"]));
        }
        let undone = JSON.edit(&edited, &undo).unwrap();
        assert!(JSON.is_same(text, &undone), "{text:?} became {undone:?}");
    }
}

#[test]
fn an_edit_and_its_undoing_leave_the_rest_of_a_toml_file() {
    for text in [
        "",
        "a = 1\n",
        "# note\na = 1 # one\n\n[b]\nc = 2\n",
        "[servers.x]\ncommand = \"y\"\n# end\n",
        "servers.x.command = \"y\"\n",
        "servers = { x = { command = \"y\" } }\n",
        "[servers]\n",
    ] {
        let edited = Format::Toml.edit(text, &[entry()]).unwrap();
        let found = Format::Toml.look(&edited, &["servers", "nudge"]).unwrap();
        assert!(found.is_some(), "{edited}");
        let undo = [Edit::remove(&["servers", "nudge"])];
        let undone = Format::Toml.edit(&edited, &undo).unwrap();
        assert!(
            Format::Toml.is_same(text, &undone),
            "{text:?} became {undone:?}"
        );
    }
}

#[test]
fn a_comment_above_what_is_removed_stays() {
    let undo = [Edit::remove(&["servers", "nudge"])];
    for (text, left) in [
        (
            "a = 1\n\n# why\n[servers.nudge]\nb = 1\n",
            "a = 1\n\n# why\n",
        ),
        (
            "# why\n[servers.nudge]\nb = 1\n# env\n[servers.nudge.env]\nc = 1\n\n[servers.x]\n\n[y]\n",
            "# why\n\n[servers.x]\n\n[y]\n",
        ),
        (
            "[z]\n[servers.x]\n# why\n[servers.nudge]\n[y]\n[servers.w]\n",
            "[z]\n[servers.x]\n# why\n[y]\n[servers.w]\n",
        ),
    ] {
        assert_eq!(Format::Toml.edit(text, &undo).unwrap(), left);
    }
    let text = "{\n  // why\n  \"servers\": {\n    // what\n    \"nudge\": {}\n  }\n}\n";
    let left = JSON.edit(text, &undo).unwrap();
    assert!(
        left.contains("// why") && left.contains("// what"),
        "{left}"
    );
}

#[test]
fn several_places_of_a_file_are_edited_at_once() {
    let text = "{\"a\": {\"b\": \"old\"}, \"c\": {}}";
    let edits = [
        Edit::set(&["a", "b"], Value::Text("new".to_owned())),
        Edit::remove(&["c"]),
        Edit::remove(&["nowhere", "at", "all"]),
    ];
    assert_eq!(
        JSON.edit(text, &edits).unwrap(),
        "{\"a\": {\"b\": \"new\"}}"
    );
}

#[test]
fn a_value_that_is_changed_keeps_its_comment() {
    let edits = [Edit::set(&["a"], Value::Text("new".to_owned()))];
    let toml = Format::Toml.edit("a = \"old\" # why\n", &edits).unwrap();
    assert_eq!(toml, "a = \"new\" # why\n");
    let json = JSON.edit("{\"a\": \"old\" /* why */}", &edits).unwrap();
    assert_eq!(json, "{\"a\": \"new\" /* why */}");
}

#[test]
fn only_layout_may_differ_between_two_that_are_the_same() {
    for (one, other, same) in [
        ("{\"a\":1}", "{\n  \"a\": 1,\n}\n", true),
        ("{\"a\":1}", "{\"a\":2}", false),
        ("{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", false),
        ("{\"a\":1}", "{\"a\":1} // note", false),
        ("{\"a\":\"x y\"}", "{\"a\":\"xy\"}", false),
        ("{\"a\":1", "{\"a\":1", false),
    ] {
        assert_eq!(JSON.is_same(one, other), same, "{one} {other}");
    }
    assert!(Format::Toml.is_same("a = 1\n\nb = 2", "a = 1\nb = 2\n"));
    assert!(!Format::Toml.is_same("a = 1", "a = 1 # note"));
}

#[test]
fn what_hosts_do_not_read_is_broken() {
    for text in [
        "{a: 1}",
        "{'a': 1}",
        "{\"a\": 0x1}",
        "{\"a\": 1 \"b\": 2}",
        "{} {}",
        "{\"a\": NaN}",
    ] {
        assert!(JSON.look(text, &["a"]).is_err(), "{text}");
    }
    let strict = |comments, commas| Format::Json { comments, commas };
    let is_read = |format: Format, text| format.look(text, &["a"]).is_ok();
    assert!(!is_read(strict(false, false), "{} // note"));
    assert!(is_read(strict(true, false), "{} // note"));
    assert!(!is_read(strict(true, false), "{\"a\": 1,}"));
    assert!(is_read(strict(true, true), "{\"a\": 1,}"));
}

#[test]
fn a_key_is_found_with_its_line() {
    let line = |format: Format, text, keys: &[&str]| {
        format.look(text, keys).unwrap().map(|found| found.line)
    };
    assert_eq!(
        line(JSON, "{\n\n \"a\": {\n \"b\": 1}}", &["a", "b"]),
        Some(4)
    );
    assert_eq!(line(Format::Toml, "\n[a.b]\nc = 1\n", &["a", "b"]), Some(2));
    assert_eq!(
        line(Format::Toml, "\n[a.b]\nc = 1\n", &["a", "b", "c"]),
        Some(3)
    );
    assert_eq!(line(Format::Toml, "a.b.c = 1\n", &["a", "b", "c"]), Some(1));
    assert_eq!(line(JSON, "", &["a"]), None);
}

#[test]
fn a_long_line_is_not_broken_into_its_parts() {
    let fields: Vec<_> = (0..1_000)
        .map(|number| format!("\"k{number}\":[1]"))
        .collect();
    let text = format!("{{{}}}", fields.join(","));
    let edited = |edit| JSON.edit(&text, &[edit]).unwrap();
    let ours = edited(Edit::set(&["ours"], Value::Number(1)));
    assert!(ours.lines().count() < 5, "{} lines", ours.lines().count());
    assert!(JSON.is_same(
        &JSON.edit(&ours, &[Edit::remove(&["ours"])]).unwrap(),
        &text
    ));
}
