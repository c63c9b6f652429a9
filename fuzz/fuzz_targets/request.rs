//! What every door reads first: the params of each method, as C hands them over.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nudge::{
    Bump, Config, Context, DeleteHint, Export, GetHint, ListComponents, Nudge, Query, SetHint,
    from_json,
};

fuzz_target!(|params: &[u8]| {
    let nudge = match from_json::<Config>(params) {
        Ok(config) => Nudge::new(config),
        Err(_) => Nudge::default(),
    };
    let _ = from_json::<Context>(params);
    let _ = from_json::<SetHint>(params).map(|request| nudge.set_hint(request));
    let _ = from_json::<GetHint>(params).map(|request| nudge.get_hint(request));
    let _ = from_json::<Query>(params).map(|request| nudge.query(request));
    let _ = from_json::<Bump>(params).map(|request| nudge.bump(request));
    let _ = from_json::<ListComponents>(params).map(|request| nudge.list_components(request));
    let _ = from_json::<Export>(params).map(|request| nudge.export(request));
    let _ = from_json::<DeleteHint>(params).map(|request| nudge.delete_hint(request));
});
