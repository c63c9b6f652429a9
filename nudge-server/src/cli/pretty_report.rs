//! What was done in each host, for people.

use super::output::{Exit, Output, Page, misused};
use crate::install::report::{Outcome, Report};
use crate::wire::escape::shown;

/// Prints each report as soon as it is done; for programs all of them as a list.
pub(crate) fn print(out: &Output, reports: impl Iterator<Item = Report>) -> Exit {
    let (mut refused, mut found) = (false, false);
    let mut count = 0;
    let mut list = Vec::new();
    for report in reports {
        count += 1;
        refused |= report.outcome == Outcome::Refused;
        found |= report.outcome != Outcome::NotInstalled;
        if out.json {
            list.push(report);
        } else if report.outcome == Outcome::Refused {
            // The sentence may name its host already.
            let about = if report.message.starts_with(report.name) {
                String::new()
            } else {
                format!("{}: ", report.name)
            };
            misused(&format!("{about}{}", shown(&report.message)));
        } else {
            out.page_of(|page| write(page, &report));
        }
    }
    if out.json {
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

fn write(page: &mut Page, report: &Report) {
    let line = format!("{}: {}", report.name, shown(&report.message));
    match report.outcome {
        Outcome::Installed | Outcome::Updated | Outcome::AlreadyInstalled | Outcome::Removed => {
            page.done(&line);
        }
        _ => page.line(&line),
    }
    for line in report.text.iter().flat_map(|text| text.lines()) {
        page.line(&shown(line));
    }
    for note in &report.notes {
        page.dim(&format!("  {}", shown(note)));
    }
}
