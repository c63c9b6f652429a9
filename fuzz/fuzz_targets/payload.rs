//! The params of an import: refused with nothing changed, or kept.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nudge::{ErrorKind, Export, Import, Nudge, from_json};

fuzz_target!(|params: &[u8]| {
    let nudge = Nudge::default();
    match from_json::<Import>(params).and_then(|import| nudge.import(import)) {
        Ok(_) => {
            nudge.export(Export::default()).expect("what was kept can be exported");
        }
        Err(error) => {
            assert_ne!(error.kind(), ErrorKind::Internal);
            assert_eq!(nudge.last_change(), 0);
        }
    }
});
