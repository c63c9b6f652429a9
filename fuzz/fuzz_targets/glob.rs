//! A pattern, and after the first line break the path that it is held against.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nudge::{Context, ErrorKind, GetHint, Nudge, SetHint};

fuzz_target!(|text: &str| {
    let (glob, path) = text.split_once('\n').unwrap_or((text, text));
    let nudge = Nudge::default();
    let set = SetHint::new("api", "build", "make").cwd_glob(glob);
    if nudge.set_hint(set).is_ok() {
        let here = Context::new().cwd(path);
        let got = nudge.get_hint(GetHint::new("api", "build").context(here));
        assert!(got.map_or_else(|error| error.kind() == ErrorKind::NotFound, |_| true));
    }
});
