//! A journal that somebody else wrote: it is taken over or refused, and what was
//! taken over says the same when it is taken over again.
#![no_main]

use chrono::DateTime;
use libfuzzer_sys::fuzz_target;
use nudge_server::primary::journal::Journal;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder can be made");
    std::fs::write(folder.path().join("journal"), bytes).expect("it can be written to");
    let now = DateTime::UNIX_EPOCH;
    let Ok(Some((journal, first))) = Journal::take_over(folder.path(), now, true) else {
        return;
    };
    drop(journal);
    let again = Journal::take_over(folder.path(), now, true);
    let (_, again) = again.expect("it was read before").expect("it is there");
    assert_eq!(first.session_id, again.session_id);
    assert_eq!(first.changes, again.changes);
});
