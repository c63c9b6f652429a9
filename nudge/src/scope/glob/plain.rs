//! Patterns of literals, `?`, `*` and `**`, walked as text.

use super::case::{Case, width};
use super::effort::Effort;
use super::text::short;

/// Where the `**` of a plain pattern stand.
///
/// The part before the first of them is bound to the start of a path and the part behind the last
/// to its end, so both are compared in one place only. What lies between is looked for from the
/// left, segment by segment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// Where the first `**` starts, or the length of the text without one.
    head: u16,
    /// Where the text behind the last `**` starts, or the length of the text where nothing follows.
    tail: u16,
    /// How many segments the tail has.
    last: u8,
    /// How many bytes at the start of the tail are literal.
    plain: u8,
    /// How many `!` stand before the pattern.
    marks: u8,
    /// The facts below, as bits.
    flags: u8,
}

/// The head holds no `*` and no `?`.
const LITERAL: u8 = 1;
/// The pattern ends in `/**` and takes the folder before that too.
const ITSELF: u8 = 2;
/// Something stands between the first `**` and the last.
const MIDDLE: u8 = 4;

impl Plan {
    /// Finds where the `**` of a plain pattern stand, counted from behind its negation.
    pub(super) fn new(pattern: &str) -> Plan {
        let text = pattern.trim_start_matches('!');
        let marks = pattern.len() - text.len();
        let (mut head, mut tail, mut flags) = (text.len(), text.len(), 0);
        let (mut at, mut seen, mut between) = (0, false, false);
        for segment in text.split('/') {
            if segment == "**" {
                if between {
                    flags |= MIDDLE;
                }
                if !seen {
                    head = at;
                }
                (seen, between, tail) = (true, false, text.len().min(at + 3));
            } else {
                between = seen;
            }
            at += segment.len() + 1;
        }
        let ends = text.get(tail..).unwrap_or_default();
        if !text.get(..head).unwrap_or_default().contains(['*', '?']) {
            flags |= LITERAL;
        }
        // A star right before the last `/**` asks for something below the folder.
        if ends.is_empty() && !text.trim_end_matches("/**").ends_with('*') {
            flags |= ITSELF;
        }
        let last = if ends.is_empty() {
            0
        } else {
            ends.split('/').count()
        };
        let plain = ends.find(['*', '?']).unwrap_or(ends.len());
        let [last, plain, marks] = [last, plain, marks].map(tiny);
        Plan {
            head: short(head),
            tail: short(tail),
            last,
            plain,
            marks,
            flags,
        }
    }

    /// Gives how many steps it takes to go through the pattern once. A literal before the first
    /// `**` is compared many bytes at a time; the segments at the end of a path must be found.
    pub(super) fn effort(self, text: &str) -> usize {
        let head = usize::from(self.head);
        let rest = text.len().saturating_sub(head) + 8 * usize::from(self.last);
        rest + if self.has(LITERAL) { head / 8 } else { head }
    }

    /// Tells whether the pattern with this plan takes a path.
    #[inline]
    pub(super) fn matches<C: Case>(self, text: &str, path: &str, effort: &Effort) -> bool {
        let pattern = text
            .as_bytes()
            .get(usize::from(self.marks)..)
            .unwrap_or_default();
        // A star takes the root although it does not cross its slash.
        let root = path == "/"
            && matches!(pattern.strip_suffix(b"*"), Some(lead) if Parts(lead).next().is_none());
        (root
            || self
                .walk::<C>(pattern, path.as_bytes(), effort)
                .unwrap_or(false))
            != (self.marks % 2 == 1)
    }

    /// Tells whether the pattern takes a path; nothing means no.
    fn walk<C: Case>(self, pattern: &[u8], path: &[u8], effort: &Effort) -> Option<bool> {
        let (head, tail) = (usize::from(self.head), usize::from(self.tail));
        if head == pattern.len() {
            return Some(self.head::<C>(pattern, path, true, effort)? == path.len());
        }
        let mut from = 0;
        if let Some(before) = head.checked_sub(1) {
            let end = self.head::<C>(pattern.get(..before)?, path, false, effort)?;
            if end == path.len() {
                return Some(self.has(ITSELF) && !self.has(MIDDLE));
            }
            from = end + 1;
        }
        let mut to = path.len();
        if self.last > 0 {
            let start = last_segments(path, usize::from(self.last))?;
            if start < from {
                return Some(false);
            }
            self.tail::<C>(pattern.get(tail..)?, path.get(start..)?, effort)?;
            if !self.has(MIDDLE) {
                return Some(true);
            }
            to = start.checked_sub(1)?;
        }
        if !self.has(MIDDLE) {
            return Some(true);
        }
        let middle = pattern.get(head + 3..tail)?;
        self.middle::<C>(middle, path.get(from..to)?, effort)
    }

    /// Takes the text before the first `**` off a path, giving where the segments it took end.
    #[inline]
    fn head<C: Case>(
        self,
        head: &[u8],
        path: &[u8],
        whole: bool,
        effort: &Effort,
    ) -> Option<usize> {
        if !self.has(LITERAL) {
            return segments::<C>(head, path, whole, true, effort);
        }
        let end = C::literal(head, path)?;
        matches!(path.get(end), None | Some(b'/')).then_some(end)
    }

    /// Compares the text behind the last `**` with as many segments at the end of a path.
    #[inline]
    fn tail<C: Case>(self, tail: &[u8], path: &[u8], effort: &Effort) -> Option<usize> {
        let (literal, wanted) = tail.split_at_checked(usize::from(self.plain))?;
        let rest = path.get(C::literal(literal, path)?..)?;
        match (literal.last(), wanted) {
            (_, []) => rest.is_empty().then_some(0),
            // The segments are counted, so no separator can be left for the star.
            (Some(last), [b'*']) if *last != b'/' => Some(0),
            (last, _) => {
                let starts = last.is_none_or(|last| *last == b'/');
                segments::<C>(wanted, rest, true, starts, effort)
            }
        }
    }

    /// Looks for the parts between the first `**` and the last, each as far left as it can be.
    fn middle<C: Case>(self, middle: &[u8], path: &[u8], effort: &Effort) -> Option<bool> {
        let mut rest = Some(path);
        for part in Parts(middle) {
            let mut here = rest?;
            // Most segments differ in their first character, which is quick to see.
            let literal = !matches!(part, [b'*' | b'?', ..]);
            let end = loop {
                let differs = literal && C::step(part, here).is_none();
                if !differs && let Some(end) = segments::<C>(part, here, false, true, effort) {
                    break end;
                }
                let slash = here.iter().position(|byte| *byte == b'/')?;
                effort.take(slash + if differs { 1 } else { part.len() })?;
                here = here.get(slash + 1..)?;
            };
            rest = here.get(end + 1..);
        }
        Some(rest.is_some() || self.last > 0 || self.has(ITSELF))
    }

    #[inline]
    fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// The parts of a pattern that stand between its `**`.
struct Parts<'a>(&'a [u8]);

impl<'a> Iterator for Parts<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        while let Some(rest) = self
            .0
            .strip_prefix(b"**")
            .filter(|rest| matches!(rest, [] | [b'/', ..]))
        {
            self.0 = rest.get(1..).unwrap_or_default();
        }
        if self.0.is_empty() {
            return None;
        }
        let is_end = |window: &[u8]| matches!(window, [b'/', b'*', b'*', b'/']);
        let end = self.0.windows(4).position(is_end);
        let end = end
            .or_else(|| self.0.strip_suffix(b"/**").map(<[u8]>::len))
            .unwrap_or(self.0.len());
        let (part, rest) = self.0.split_at_checked(end)?;
        self.0 = rest.get(1..).unwrap_or_default();
        Some(part)
    }
}

/// Takes a pattern without `**` off the front of a path, giving where the segments it took end.
///
/// The pattern starts at the start of a segment or not, and ends with the path or with any of its
/// segments. A `*` never leaves its segment, so one place to come back to is enough: the last star
/// of the segment at hand.
#[inline]
fn segments<C: Case>(
    pattern: &[u8],
    path: &[u8],
    whole: bool,
    mut starts: bool,
    effort: &Effort,
) -> Option<usize> {
    let (mut wanted, mut rest) = (pattern, path);
    let mut retry: Option<(&[u8], &[u8])> = None;
    loop {
        match (wanted, rest) {
            ([], []) => return Some(path.len()),
            ([], [b'/', ..]) if !whole => return Some(path.len() - rest.len()),
            // Only the root ends in an empty segment, and a lone star does not take it.
            ([b'*'], []) if whole && starts => return None,
            ([b'*', more @ ..], _) => {
                if more.is_empty() {
                    let end = rest.iter().position(|byte| *byte == b'/');
                    return match end {
                        None => Some(path.len()),
                        Some(end) => (!whole).then_some(path.len() - rest.len() + end),
                    };
                }
                (wanted, retry, starts) = (more, Some((more, rest)), false);
                continue;
            }
            ([b'?', more @ ..], [byte, ..]) if *byte != b'/' => {
                (wanted, rest, starts) = (more, rest.get(width(rest)..)?, false);
                continue;
            }
            ([byte, ..], [_, ..]) if *byte != b'?' => {
                if let Some((one, other)) = C::step(wanted, rest) {
                    starts = *byte == b'/';
                    if starts {
                        retry = None;
                    }
                    (wanted, rest) = (wanted.get(one..)?, rest.get(other..)?);
                    continue;
                }
            }
            _ => {}
        }
        let (star, place) = retry?;
        if matches!(place, [] | [b'/', ..]) {
            return None;
        }
        effort.take(1 + place.len().saturating_sub(rest.len()))?;
        (wanted, rest) = (star, place.get(width(place)..)?);
        retry = Some((wanted, rest));
    }
}

/// Finds where the last few segments of a path start.
#[inline]
fn last_segments(path: &[u8], count: usize) -> Option<usize> {
    let mut rest = path;
    for left in (0..count).rev() {
        match rest.iter().rposition(|byte| *byte == b'/') {
            Some(slash) if left == 0 => return Some(slash + 1),
            Some(slash) => rest = rest.get(..slash)?,
            None => return (left == 0).then_some(0),
        }
    }
    None
}

/// Makes a count in a pattern tiny; a pattern of 256 bytes has no more than 128 segments.
fn tiny(count: usize) -> u8 {
    u8::try_from(count).unwrap_or(u8::MAX)
}
