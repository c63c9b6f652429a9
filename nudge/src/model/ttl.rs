//! `Ttl`: "kept", "session" or an ISO 8601 duration, as somebody stated it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::clock::from_millis;
use crate::model::error::Error;
use crate::model::fix::Fix;
use crate::model::text;
use crate::secret;

/// The longest time to live, ten years of 365 days.
const MAX_MILLIS: u128 = 3650 * 24 * 60 * 60 * 1000;

/// How long a hint is to live after it was last set.
///
/// Written as `kept` (until somebody deletes it), as `session`, or as an ISO 8601
/// duration of weeks, days, hours, minutes and seconds, more than zero and at most
/// `P3650D`. A day is 24 hours. The spelling is kept as it was given. What follows
/// from it is the hint's [`Lifetime`](crate::Lifetime).
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use nudge::Ttl;
///
/// let ttl: Ttl = "PT1.5H".parse()?;
/// assert_eq!(ttl.duration(), Some(Duration::from_secs(5400)));
/// assert_eq!(Ttl::SESSION.duration(), None);
/// # Ok::<(), nudge::Error>(())
/// ```
///
/// Months and years have no fixed length and are refused:
///
/// ```
/// use nudge::Ttl;
///
/// assert!("P1M".parse::<Ttl>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Ttl(Stated);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Stated {
    Kept,
    Session,
    Lasting(Box<Lasting>),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Lasting {
    millis: i64,
    text: Box<str>,
}

impl Ttl {
    /// Until somebody deletes the hint.
    pub const KEPT: Ttl = Ttl(Stated::Kept);

    /// As long as the session.
    pub const SESSION: Ttl = Ttl(Stated::Session);

    fn lasting(&self) -> Option<&Lasting> {
        match &self.0 {
            Stated::Lasting(lasting) => Some(lasting),
            Stated::Kept | Stated::Session => None,
        }
    }

    /// How long that is; `None` where it is no duration.
    #[must_use]
    pub fn duration(&self) -> Option<Duration> {
        let lasting = self.lasting()?;
        Some(Duration::from_millis(lasting.millis.unsigned_abs()))
    }

    /// The text it was made from.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Stated::Kept => "kept",
            Stated::Session => "session",
            Stated::Lasting(lasting) => &lasting.text,
        }
    }

    /// When a hint that was last set at `updated_at` is dead.
    pub(crate) fn end(&self, updated_at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let millis = self.lasting()?.millis;
        let end = updated_at.timestamp_millis().saturating_add(millis);
        Some(from_millis(end))
    }
}

impl FromStr for Ttl {
    type Err = Error;

    fn from_str(text: &str) -> Result<Ttl, Error> {
        match text {
            "kept" => return Ok(Ttl::KEPT),
            "session" => return Ok(Ttl::SESSION),
            _ => {}
        }
        let millis = read(text).map_err(|why| {
            let mut shown: String = secret::shown(text)
                .chars()
                .filter(|c| !c.is_control())
                .take(40)
                .collect();
            if text.chars().count() > 40 {
                shown.push('…');
            }
            let words = format!("ttl `{shown}` {why}");
            Error::invalid("ttl", "duration", words).fix(Fix::WriteDuration)
        })?;
        Ok(Ttl(Stated::Lasting(Box::new(Lasting {
            millis,
            text: text.into(),
        }))))
    }
}

/// The units in the order in which they may stand, with their milliseconds and
/// whether they stand behind the `T`.
const UNITS: [(u8, u128, bool); 5] = [
    (b'W', 604_800_000, false),
    (b'D', 86_400_000, false),
    (b'H', 3_600_000, true),
    (b'M', 60_000, true),
    (b'S', 1_000, true),
];

/// Reads a duration into milliseconds, or says what is wrong with it.
fn read(text: &str) -> Result<i64, &'static str> {
    const NOT_ONE: &str = "is not a duration";
    // The longest sensible spelling is far shorter; this bounds the arithmetic.
    let Some(mut rest) = text.as_bytes().strip_prefix(b"P").filter(|r| r.len() <= 64) else {
        return Err(NOT_ONE);
    };
    let mut units = UNITS.iter();
    let mut in_time = false;
    let mut millis: u128 = 0;
    let mut seen = false;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(b"T") {
            if in_time || after.is_empty() {
                return Err(NOT_ONE);
            }
            (in_time, rest) = (true, after);
            continue;
        }
        let (whole, after) = digits(rest);
        let (fraction, after) = match after {
            [b'.' | b',', after @ ..] => {
                let (fraction, after) = digits(after);
                if fraction.is_empty() {
                    return Err(NOT_ONE);
                }
                (fraction, after)
            }
            _ => (&[][..], after),
        };
        let [unit, after @ ..] = after else {
            return Err(NOT_ONE);
        };
        if whole.is_empty() {
            return Err(NOT_ONE);
        }
        if !in_time && matches!(unit, b'Y' | b'M') {
            return Err("counts years or months, which have no fixed length");
        }
        let Some(&(_, size, _)) = units.find(|(name, _, timed)| name == unit && *timed == in_time)
        else {
            return Err(NOT_ONE);
        };
        if !fraction.is_empty() && !after.is_empty() {
            return Err("has a fraction before its last unit");
        }
        millis = millis
            .saturating_add(number(whole).saturating_mul(size))
            .saturating_add(part_of(fraction, size));
        seen = true;
        rest = after;
    }
    match millis {
        _ if !seen => Err(NOT_ONE),
        0 => Err("is zero"),
        1..=MAX_MILLIS => i64::try_from(millis).map_err(|_| "is longer than P3650D"),
        _ => Err("is longer than P3650D"),
    }
}

fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text
        .iter()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

fn number(digits: &[u8]) -> u128 {
    digits.iter().fold(0, |sum: u128, digit| {
        sum.saturating_mul(10)
            .saturating_add(u128::from(digit - b'0'))
    })
}

/// A fraction of a unit in milliseconds, rounded up so that a duration above
/// zero stays above zero.
fn part_of(fraction: &[u8], size: u128) -> u128 {
    let fraction = fraction.get(..18).unwrap_or(fraction);
    let scale = 10_u128.pow(u32::try_from(fraction.len()).unwrap_or(0));
    (number(fraction) * size).div_ceil(scale)
}

impl fmt::Display for Ttl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Ttl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ttl({self})")
    }
}

impl From<Ttl> for String {
    fn from(ttl: Ttl) -> String {
        ttl.as_str().to_owned()
    }
}

impl Serialize for Ttl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Ttl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ttl, D::Error> {
        let read = |text: &str| text.parse().map_err(|error: Error| error.to_string());
        text::meant(deserializer, "a string", read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_fraction_is_still_a_moment() {
        assert_eq!(read("PT0.0001S"), Ok(1));
        assert_eq!(read("PT0.000000000000000000000000001S"), Err("is zero"));
    }
}
