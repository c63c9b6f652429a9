//! The block of text for a prompt keeps to its budget, whatever that is.

use nudge::{Block, Nudge, PromptBlock, SetHint};

fn block(nudge: &Nudge, budget: u32) -> Block {
    let request = PromptBlock::new().budget(budget);
    nudge.prompt_block(request).unwrap()
}

/// What a block is said to cost.
fn tokens(text: &str) -> usize {
    text.len().div_ceil(3)
}

#[test]
fn no_budget_is_exceeded_and_none_is_wasted() {
    let nudge = Nudge::default();
    let words = [
        "make",
        "make test --all",
        "docker compose build router",
        "x",
    ];
    for (number, priority) in (0..40).zip((1..=10).cycle()) {
        let set = SetHint::new("api", format!("key-{number}"), words[number % 4]);
        nudge.set_hint(set.priority(priority)).unwrap();
    }
    let whole = block(&nudge, 100_000);
    assert_eq!((whole.shown, whole.left_out), (40, 0));
    let enough = u32::try_from(tokens(&whole.text)).unwrap();
    assert_eq!(block(&nudge, enough), whole);
    assert!(block(&nudge, enough - 1).left_out > 0);
    for budget in 1..enough {
        let block = block(&nudge, budget);
        assert!(tokens(&block.text) <= usize::try_from(budget).unwrap());
        assert_eq!(block.shown + block.left_out, 40);
        assert_eq!(block.shown, block.text.matches("\n- ").count());
    }
}
