//! Whole stories, told to a store and to the model of it.

use nudge::{ErrorKind, Import, Limits, Nudge, Patch, SetHint};
use proptest::prelude::*;
use serde_json::Value;

use super::cases;
use super::stage::{START, Stage, json, story};
use crate::model::Model;
use crate::model::story::{Set, Step};

/// Limits that a short story runs into.
fn limits() -> impl Strategy<Value = Limits> {
    let tight = Limits {
        components: 2,
        hints_per_component: 5,
        hints: 7,
        ..Limits::default()
    };
    prop_oneof![Just(Limits::default()), Just(tight)]
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_story_ends_as_the_model_says(limits in limits(), story in story(40)) {
        let mut stage = Stage::new(limits.clone());
        let mut model = Model::new(limits, START);
        let last = Step::Export(None, Vec::new(), true);
        for step in story.iter().chain([&last]) {
            let got = stage.play(step);
            let expected = model.run(step, stage.wall);
            if let Step::Sweep = step {
                // A store may have swept on its own before, to make room.
                let (got, expected) = (got.unwrap(), expected.unwrap());
                prop_assert!(got.as_u64() <= expected.as_u64(), "{} of {}", got, expected);
                prop_assert_eq!(stage.play(step).unwrap(), 0);
            } else {
                prop_assert_eq!(got, expected, "{:?}", step);
            }
        }
    }
    #[test]
    fn a_refused_call_changes_nothing(limits in limits(), story in story(40)) {
        let mut stage = Stage::new(limits);
        for step in &story {
            let (before, last) = (stage.everything(), stage.nudge.last_change());
            if stage.play(step).is_err() {
                prop_assert_eq!(stage.everything(), before, "{:?}", step);
                prop_assert_eq!(stage.nudge.last_change(), last);
            }
        }
    }

    #[test]
    fn a_version_rises_by_one_with_every_set(story in story(40)) {
        let mut stage = Stage::new(Limits::default());
        for step in &story {
            let before: Value = serde_json::from_str(&stage.export()).unwrap();
            let answer = stage.play(step);
            if let (Step::Set(set), Ok(set_to)) = (step, answer) {
                let expected = version(&before, set, &set_to["hint"]["meta"]["scope"]) + 1;
                prop_assert_eq!(set_to["hint"]["version"].as_u64(), Some(expected));
                prop_assert_eq!(set_to["created"].as_bool(), Some(expected == 1));
            }
        }
    }

    #[test]
    fn an_import_of_an_export_exports_the_same(story in story(40), as_text in any::<bool>()) {
        let mut stage = Stage::new(Limits::default());
        for step in &story {
            let _ = stage.play(step);
        }
        let export = stage.export();
        let twin = stage.twin();
        let request = if as_text {
            Import::new(&*export)
        } else {
            let export = nudge::Export::new().include_secrets();
            Import::new(stage.nudge.export(export).unwrap().payload)
        };
        let imported = twin.nudge.import(request.clone()).unwrap();
        prop_assert_eq!((imported.imported, imported.skipped), (stage.nudge.stats().hints, 0));
        let copy = twin.export();
        let [read, copied] = [&export, &copy].map(|text| serde_json::from_str::<Value>(text).unwrap());
        for part in ["schema_version", "components", "context_sets"] {
            prop_assert_eq!(&copied[part], &read[part]);
        }
        // A proposal of what has been set since is not worth to be carried over.
        let offers = |payload: &Value| payload["proposals"].as_array().cloned().unwrap_or_default();
        prop_assert!(offers(&copied).iter().all(|offer| offers(&read).contains(offer)));
        // What is there already is not taken again, and a replacement is no change either.
        let again = twin.nudge.import(request.clone()).unwrap();
        prop_assert_eq!((again.imported, again.skipped), (0, imported.imported));
        twin.nudge.import(request.replace()).unwrap();
        prop_assert_eq!(twin.export(), copy);
    }
}

/// The version that a variant has in an export; 0 when it is not there.
fn version(export: &Value, set: &Set, scope: &Value) -> u64 {
    let (component, key) = set.slot.names();
    let hints = &export["components"][component]["hints"][key];
    let hints = hints.as_array().cloned().unwrap_or(vec![hints.clone()]);
    let mut same = hints.iter().filter(|hint| hint["meta"]["scope"] == *scope);
    same.next()
        .map_or(0, |hint| hint["version"].as_u64().unwrap_or(0))
}

#[test]
fn requests_that_are_out_of_range_are_refused_before_anything_else() {
    use nudge::{Bump, GetHint, Query};

    let nudge = Nudge::default();
    nudge
        .set_hint(SetHint::new("api", "build", "make"))
        .unwrap();
    let refused =
        |kind: Result<Value, nudge::Error>| kind.unwrap_err().kind() == ErrorKind::Invalid;
    for most in [21, u32::MAX] {
        let get = GetHint::new("api", "build").alternatives(most);
        assert!(
            refused(nudge.get_hint(get).map(|found| json(&found))),
            "{most}"
        );
    }
    for most in [0, 101, u32::MAX] {
        let query = Query::new().limit(most);
        assert!(
            refused(nudge.query(query).map(|found| json(&found))),
            "{most}"
        );
    }
    for delta in [0, 1001, u32::MAX] {
        let bump = Bump::new("api", "build").delta(delta);
        assert!(
            refused(nudge.bump(bump).map(|bumped| json(&bumped))),
            "{delta}"
        );
    }
    for priority in [0, 11, u8::MAX] {
        let mut set = SetHint::new("api", "build", "make");
        set.meta.priority = Patch::Set(priority);
        assert!(
            refused(nudge.set_hint(set).map(|set| json(&set))),
            "{priority}"
        );
    }
    for confidence in [-0.001, 1.001, f64::NAN, f64::INFINITY] {
        let set = SetHint::new("api", "build", "make").confidence(confidence);
        assert!(
            refused(nudge.set_hint(set).map(|set| json(&set))),
            "{confidence}"
        );
    }
}
