//! What this process says when it panics, which is always a bug in Nudge.

use std::io::Write;
use std::panic::{Location, set_hook};

/// Makes a panic say where it happened and not what it says, from now on.
///
/// The words of a panic may quote any text at hand, such as a stored value.
pub fn keep_values_out_of_panics() {
    set_hook(Box::new(|panic| {
        let words = words(panic.location());
        // Nobody is left to be told that stderr is closed.
        let _ = writeln!(std::io::stderr(), "nudge: {words}");
    }));
}

fn words(place: Option<&Location<'_>>) -> String {
    let place = place.map_or_else(|| "a place unknown".to_owned(), Location::to_string);
    format!("this is a bug in Nudge, at {place}; please report this line")
}
