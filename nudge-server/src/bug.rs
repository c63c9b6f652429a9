//! What this process says when it panics, which is always a bug in Nudge.

use std::io::Write;
use std::panic::{Location, set_hook};

/// Makes a panic say where it happened and not what it says, from now on.
///
/// The words of a panic may quote any text at hand, such as a stored value.
pub fn keep_values_out_of_panics() {
    set_hook(Box::new(|panic| {
        let place = panic.location().map(Location::to_string);
        let place = place.unwrap_or_else(|| "a place unknown".to_owned());
        let words = format!("this is a bug in Nudge, at {place}; please report this line");
        // Nobody is left to be told that stderr is closed.
        let _ = writeln!(std::io::stderr(), "nudge: {words}");
    }));
}
