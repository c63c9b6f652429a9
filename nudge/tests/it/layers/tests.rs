//! Made-up crates, and what is seen in them.

use super::{Source, arrows, cycles, method_names};

/// The arrows of a crate, without where they are drawn.
fn drawn(sources: &[Source<'_>]) -> Vec<String> {
    let arrows = arrows(sources).into_keys();
    arrows.map(|(from, to)| format!("{from} -> {to}")).collect()
}

#[test]
fn a_cycle_is_found_and_its_arrows_are_listed() {
    let sources = [
        ("lib.rs", "mod api; mod model; mod store;\n"),
        ("api.rs", "use crate::store::Store;\n"),
        ("store.rs", "mod slot;\n"),
        (
            "store/slot.rs",
            "\nuse crate::model::Hint;\nfn f(_: crate::model::Tag) {}\n",
        ),
        ("model/hint.rs", "fn f() { crate::store::open(); }\n"),
    ];
    assert_eq!(
        cycles(&arrows(&sources)),
        "api -> store\n\
         model -> store\n\
         store -> model\n\
         \n\
         in a cycle:\n\
         model -> store, 1 in all, the first in model/hint.rs:1\n\
         store -> model, 2 in all, the first in store/slot.rs:2\n"
    );
}

#[test]
fn arrows_that_all_lead_down_are_no_cycle() {
    let sources = [
        (
            "lib.rs",
            "pub use crate::write::Nudge;\nuse crate::model::Hint;\n",
        ),
        ("main.rs", "use crate::write::Nudge;\n"),
        ("write.rs", "use crate::{model::Hint, rank};\n"),
        (
            "write/plan.rs",
            "use crate::write::Nudge;\nuse super::Nudge;\n",
        ),
        ("rank/score.rs", "use crate::model;\n"),
        ("model.rs", "pub struct Hint;\n"),
    ];
    assert_eq!(cycles(&arrows(&sources)), "");
    assert_eq!(
        drawn(&sources),
        ["rank -> model", "write -> model", "write -> rank"]
    );
}

#[test]
fn every_way_to_name_a_unit_is_seen() {
    let group = "use crate::{\n    b::{c, D},\n    e,\n    self,\n};\nuse crate::Exported;\n";
    let sources = [
        (
            "lib.rs",
            "pub use self::f::{\n    Other, Exported,\n};\nfn own() {}\n",
        ),
        ("a.rs", group),
        (
            "b.rs",
            "use super::a::A;\nfn f() { $crate::e::g!(); crate::own() }\n",
        ),
        (
            "c/d.rs",
            "use super::super::{a::A};\nuse super::e;\nuse super::b::B;\n",
        ),
        ("d.rs", ""),
        ("e.rs", "use mycrate::a;\nuse other::super_crate::b;\n"),
        ("f.rs", ""),
    ];
    assert_eq!(
        drawn(&sources),
        ["a -> b", "a -> e", "a -> f", "b -> a", "b -> e", "c -> a"]
    );
}

#[test]
fn comments_strings_and_tests_draw_no_arrow() {
    let text = r##"
//! As `crate::b::B` says.
/* crate::b */
const A: &str = "crate::b \" crate::b";
const B: &str = r#"crate::b " crate::b"#;
const C: [char; 3] = ['"', '\'', 'é'];
fn f<'a>(_: &'a str) {} // crate::b
#[cfg(test)]
mod noise;
#[cfg(test)]
mod tests {
    use crate::b::B;
    fn f() { { crate::b::c() } }
}
fn g() { crate::c::d() }
"##;
    let sources = [("a.rs", text), ("b.rs", ""), ("c.rs", "")];
    assert_eq!(drawn(&sources), ["a -> c"]);
    let arrows = arrows(&sources);
    let places: Vec<&str> = arrows.values().map(|(_, first)| &**first).collect();
    assert_eq!(places, ["a.rs:15"]);
}

#[test]
fn the_names_of_methods_are_literals_in_code() {
    let text = "/// Calls \"nudge.query\".\n\
        fn f() { call(\"nudge.set_hint\"); call(\"nudge.\"); open(\"nudge.sock\"); }\n\
        const A: &str = r#\"{\"method\": \"nudge.bump\"}\"#;\n\
        #[cfg(test)]\n\
        const B: &str = \"nudge.bump\";\n\
        const C: &str = \"nudge.stop\";\n";
    let found = [(2, "set_hint".to_owned()), (6, "stop".to_owned())];
    assert_eq!(method_names(text), found);
}
