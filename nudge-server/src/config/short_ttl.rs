//! `2h` and `30m`: durations as people type them.

/// The duration in full, such as `PT2H`; what is no short one stays as it is,
/// and the store says whether it is one at all.
pub(crate) fn spelled_out(text: &str) -> String {
    read(text).unwrap_or_else(|| text.to_owned())
}

fn read(text: &str) -> Option<String> {
    let (mut days, mut time) = (String::new(), String::new());
    let mut rest = text;
    let mut units = "wdhms".chars();
    while !rest.is_empty() {
        let end = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let (count, after) = rest.split_at(end);
        let unit = after.chars().next()?;
        // Each unit once, the larger ones first.
        units.find(|known| *known == unit)?;
        if count.is_empty() {
            return None;
        }
        let part = if "wd".contains(unit) {
            &mut days
        } else {
            &mut time
        };
        part.push_str(count);
        part.push(unit.to_ascii_uppercase());
        rest = after.get(1..)?;
    }
    match (days.is_empty(), time.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("P{days}")),
        _ => Some(format!("P{days}T{time}")),
    }
}
