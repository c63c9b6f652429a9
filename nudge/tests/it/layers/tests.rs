//! Made-up crates, and what is seen in them.

use std::panic::catch_unwind;

use super::{Source, arrows, cycles, method_names};

/// The arrows of a crate, each with where it is drawn first.
fn drawn(sources: &[Source<'_>]) -> Vec<String> {
    let arrows = arrows(sources).into_iter();
    let arrows = arrows.map(|((from, to), (_, first))| format!("{from} -> {to} in {first}"));
    arrows.collect()
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
    let down =
        sources.map(|(path, text)| (path, text.trim_end_matches("{ crate::store::open(); }\n")));
    assert_eq!(cycles(&arrows(&down)), "");
}

#[test]
fn only_code_draws_arrows_and_it_names_the_root_in_one_way() {
    let text = "//! As `crate::b::B` says.\nuse mycrate::b; // crate::b\nfn g() { crate::c::d() }\n\
        \n#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}\n";
    let rest = [("b.rs", ""), ("c/d.rs", "use super::e;\n")];
    let with = |text| drawn(&[("a.rs", text), rest[0], rest[1]]);
    assert_eq!(with(text), ["a -> c in a.rs:3"]);
    for other_way in [
        "use super::b;",
        "use crate::{b, c};",
        "use crate::Exported;",
    ] {
        assert!(catch_unwind(|| with(other_way)).is_err(), "{other_way}");
    }
}

#[test]
fn the_names_of_methods_are_literals_in_code() {
    let text = "/// Calls \"nudge.query\".\n\
        fn f() { call(\"nudge.set_hint\"); call(\"nudge.\"); open(\"nudge.sock\"); }\n\
        \n#[cfg(test)]\nmod tests {\n    const B: &str = \"nudge.bump\";\n}\n";
    assert_eq!(method_names(text), [(2, "set_hint".to_owned())]);
}
