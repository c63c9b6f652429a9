//! Scores and orders of any hints.

use nudge::{Bump, Context, Limits, Query, Ranked, SetHint};
use proptest::collection::vec;
use proptest::prelude::*;

use super::cases;
use super::stage::{Stage, json, set, set_hint};
use crate::model::story::{AREAS, PLACES, Set};

fn all(stage: &Stage, context: &Context) -> Vec<Ranked> {
    stage
        .nudge
        .query(Query::new().context(context).limit(100))
        .unwrap()
        .hints
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_score_is_a_fraction_and_the_sum_of_its_parts(
        sets in vec((set(), 0..9_u32, 0..900_000_000_i64), 1..20),
        place in 0..PLACES.len(),
    ) {
        let mut stage = Stage::new(Limits::default());
        for (set, uses, pause) in sets {
            let (component, key) = set.slot.names();
            let done = stage.nudge.set_hint(set_hint(&set));
            if let (Ok(done), true) = (done, uses > 0) {
                let scope = done.hint.scope().cloned().unwrap_or_default();
                let bump = Bump::new(component, key).scope(scope).delta(uses);
                stage.nudge.bump(bump).unwrap();
            }
            stage.turn(pause);
        }
        for ranked in all(&stage, &PLACES[place].context()) {
            prop_assert!((0.0..=1.0).contains(&ranked.score), "{}", ranked.score);
            let parts = ranked.match_explain.parts();
            let fixed = [parts.priority, parts.confidence, parts.specificity];
            let parts = [&fixed[..], &[parts.frecency, parts.recency]].concat();
            prop_assert!(parts.iter().all(|part| *part >= 0.0));
            // Each is rounded by itself.
            prop_assert!((parts.iter().sum::<f64>() - ranked.score).abs() < 0.0004);
        }
    }

    #[test]
    fn a_bump_never_lowers_a_score(
        set in set(),
        pauses in vec((0..9_000_000_000_i64, 1..1000_u32), 1..6),
    ) {
        let mut stage = Stage::new(Limits::default());
        let set = Set { ttl: nudge::Patch::Keep, ..set };
        let Ok(done) = stage.nudge.set_hint(set_hint(&set)) else { return Ok(()) };
        // Wherever it applies first; every scope of a story does somewhere.
        let score = |stage: &Stage| {
            let scores = PLACES.iter().flat_map(|place| all(stage, &place.context()));
            scores.map(|ranked| ranked.score).next()
        };
        for (pause, delta) in pauses {
            stage.turn(pause);
            let before = score(&stage);
            let (component, key) = set.slot.names();
            let scope = done.hint.scope().cloned().unwrap_or_default();
            let bump = Bump::new(component, key).scope(scope).delta(delta);
            stage.nudge.bump(bump).unwrap();
            prop_assert!(before.is_some() && score(&stage) >= before);
        }
    }

    #[test]
    fn the_order_does_not_depend_on_who_came_first(
        hints in vec((0..3_usize, 0..4_usize, 0..AREAS.len(), 4..7_u8), 1..24),
        place in 0..PLACES.len(),
        shuffle in any::<u64>(),
    ) {
        // Few priorities and one time make many ties.
        let set = |(component, key, area, priority): &(usize, usize, usize, u8)| {
            let slot = crate::model::story::Slot { component: *component, key: *key };
            let (component, key) = slot.names();
            SetHint::new(component, key, "make").priority(*priority).scope((AREAS[*area].written)())
        };
        let mut hints = hints;
        hints.sort_unstable();
        hints.dedup_by_key(|(component, key, area, _)| (*component, *key, *area));
        let play = |hints: &[(usize, usize, usize, u8)]| {
            let stage = Stage::new(Limits::default());
            for hint in hints {
                stage.nudge.set_hint(set(hint)).unwrap();
            }
            stage
        };
        let first = play(&hints);
        let len = u64::try_from(hints.len()).unwrap();
        let turn = usize::try_from(shuffle % len).unwrap();
        hints.rotate_left(turn);
        hints[turn / 2..].reverse();
        let second = play(&hints);
        let context = PLACES[place].context();
        let order = all(&first, &context);
        prop_assert_eq!(json(&order).to_string(), json(&all(&second, &context)).to_string());
        prop_assert_eq!(json(&order), json(&all(&first, &context)));
        prop_assert!(order.is_sorted_by(|a, b| a.score >= b.score));
        for most in 1..=order.len() {
            let query = Query::new().context(&context).limit(u32::try_from(most).unwrap());
            let found = first.nudge.query(query).unwrap();
            prop_assert_eq!(&found.hints[..], &order[..most]);
            prop_assert_eq!(found.total, order.len());
        }
    }
}
