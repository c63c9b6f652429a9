//! `2h` and `30m`: durations as people type them.

/// The duration in full, such as `PT2H`; what is no short one stays as it is,
/// and the store says whether it is one at all.
pub(crate) fn spelled_out(text: &str) -> String {
    read(text).unwrap_or_else(|| text.to_owned())
}

fn read(text: &str) -> Option<String> {
    let (mut days, mut time) = (String::new(), String::new());
    let mut units = "wdhms".chars();
    for part in text.split_inclusive(|letter: char| !letter.is_ascii_digit()) {
        let unit = part.chars().next_back()?;
        // Each unit once, the larger ones first.
        units.find(|known| *known == unit)?;
        if part.len() == 1 {
            return None;
        }
        let parts = if "wd".contains(unit) {
            &mut days
        } else {
            &mut time
        };
        parts.push_str(&part.to_ascii_uppercase());
    }
    match (days.is_empty(), time.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("P{days}")),
        _ => Some(format!("P{days}T{time}")),
    }
}
