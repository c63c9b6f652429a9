//! Whole stories, told to a store and to the model of it.

use nudge::{Import, Limits};
use proptest::prelude::*;
use serde_json::Value;

use super::cases;
use super::stage::{START, Stage, story};
use crate::model::Model;
use crate::model::story::Step;

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
