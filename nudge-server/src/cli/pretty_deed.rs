//! What was done in each host, for people.

use super::escape::{quoted, shown};
use super::output::{Exit, Output, Page, misused};
use crate::install::deed::{Deed, Outcome};

/// Prints each deed as soon as it is done; for programs all of them as a list.
pub(crate) fn print(out: &Output, deeds: impl Iterator<Item = Deed>) -> Exit {
    let (mut refused, mut found) = (false, false);
    let mut count = 0;
    let mut list = Vec::new();
    for deed in deeds {
        count += 1;
        refused |= deed.outcome == Outcome::Refused;
        found |= deed.outcome != Outcome::NotInstalled;
        if out.is_json() {
            list.push(deed);
        } else if deed.outcome == Outcome::Refused {
            // The sentence may name its host already.
            let about = if deed.message.starts_with(&deed.name) {
                String::new()
            } else {
                format!("{}: ", deed.name)
            };
            misused(&format!("{about}{}", shown(&deed.message)));
        } else {
            out.page_of(|page| write(page, &deed));
        }
    }
    if out.is_json() {
        let list = serde_json::to_string(&list).unwrap_or_default();
        out.page_of(|page| page.line(&list));
    }
    // Somebody who says no to everything is done as well.
    match (refused, found || count == 0) {
        (true, _) => Exit::Refused,
        (false, true) => Exit::Done,
        (false, false) => Exit::Nothing,
    }
}

fn write(page: &mut Page, deed: &Deed) {
    let line = format!("{}: {}", deed.name, shown(&deed.message));
    match deed.outcome {
        Outcome::Installed | Outcome::Updated | Outcome::AlreadyInstalled | Outcome::Removed => {
            page.marked("✔", &line);
        }
        _ => page.line(&line),
    }
    if let (Outcome::WouldInstall, Some(words)) = (deed.outcome, &deed.command) {
        let words: Vec<_> = words.iter().map(|word| quoted(word)).collect();
        page.line(&format!("  {}", words.join(" ")));
    }
    for line in deed.text.iter().flat_map(|text| text.lines()) {
        page.line(&shown(line));
    }
    for note in &deed.notes {
        page.dim(&format!("  {}", shown(note)));
    }
}
