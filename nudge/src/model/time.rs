//! How a time is written: RFC 3339, UTC, milliseconds, `Z`.

use std::fmt;

use chrono::{DateTime, Datelike, NaiveDate, TimeZone, Timelike, Utc};
use schemars::JsonSchema;
use serde::de::Deserializer;
use serde::ser::Serializer;

use crate::clock::from_millis;
use crate::model::error::Error;
use crate::model::text;
use crate::secret;

/// A moment, in UTC and with milliseconds: `2025-11-04T10:00:00.000Z`.
#[derive(JsonSchema)]
#[schemars(with = "String", extend("format" = "date-time"))]
pub(crate) enum Time {}

/// Writes a time as `2025-11-04T10:00:00.000Z`.
///
/// Written out by hand because an export writes three of these for each hint,
/// and chrono's formatter took longer than the rest of the hint together.
pub(crate) fn serialize<S: Serializer>(
    time: &DateTime<Utc>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = write(*time);
    serializer.serialize_str(std::str::from_utf8(&text).unwrap_or_default())
}

/// Reads any RFC 3339 time, and cuts it to milliseconds.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<DateTime<Utc>, D::Error> {
    let expected = "a time such as `2025-11-04T10:00:00.000Z`";
    text::meant(deserializer, expected, |text| {
        parse(text).ok_or_else(|| no_time(text))
    })
}

/// The same for a time that may be absent.
pub(crate) mod maybe {
    use serde::Deserialize;

    use super::{DateTime, Deserializer, Serializer, Utc};

    #[expect(clippy::ref_option, reason = "serde passes the field by reference")]
    pub(crate) fn serialize<S: Serializer>(
        time: &Option<DateTime<Utc>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => super::serialize(time, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<DateTime<Utc>>, D::Error> {
        #[derive(Deserialize)]
        struct Read(#[serde(with = "super")] DateTime<Utc>);

        Ok(Option::<Read>::deserialize(deserializer)?.map(|read| read.0))
    }
}

/// Reads a time that a caller gives by itself.
pub(crate) fn read(text: &str) -> Result<DateTime<Utc>, Error> {
    parse(text).ok_or_else(|| Error::invalid("time", "time", no_time(secret::shown(text))))
}

/// Reads a time, first as it is written here: an import reads two for each
/// hint, and chrono's reader took four times as long.
fn parse(text: &str) -> Option<DateTime<Utc>> {
    own(text).or_else(|| any(text))
}

/// Reads `2025-11-04T10:00:00.000Z`.
fn own(text: &str) -> Option<DateTime<Utc>> {
    let bytes: &[u8; 24] = text.as_bytes().try_into().ok()?;
    let mut numbers = [0_u32; 7];
    let mut number = numbers.iter_mut();
    let mut current = number.next()?;
    for (byte, expected) in bytes.iter().zip(b"dddd-dd-ddTdd:dd:dd.dddZ") {
        match expected {
            b'd' if byte.is_ascii_digit() => *current = *current * 10 + u32::from(byte - b'0'),
            b'Z' if byte == expected => {}
            _ if byte == expected => current = number.next()?,
            _ => return None,
        }
    }
    let [year, month, day, hour, minute, second, millis] = numbers;
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    let time = date.and_hms_milli_opt(hour, minute, second, millis)?;
    Some(time.and_utc())
}

/// Reads any RFC 3339 time; four digits for the year are all that the format has.
fn any(text: &str) -> Option<DateTime<Utc>> {
    let time = DateTime::parse_from_rfc3339(text).ok()?;
    let time = from_millis(time.timestamp_millis());
    (0..=9999).contains(&time.year()).then_some(time)
}

fn no_time(text: &str) -> String {
    format!("`{text}` is not a time; write one as `2025-11-04T10:00:00.000Z`")
}

fn write(time: DateTime<Utc>) -> [u8; 24] {
    let mut text = *b"0000-00-00T00:00:00.000Z";
    let year = u32::try_from(time.year()).unwrap_or(0);
    let millis = time.nanosecond() / 1_000_000;
    for (range, mut number) in [
        (0..4, year),
        (5..7, time.month()),
        (8..10, time.day()),
        (11..13, time.hour()),
        (14..16, time.minute()),
        (17..19, time.second()),
        (20..23, millis),
    ] {
        for digit in text.get_mut(range).into_iter().flatten().rev() {
            *digit = b'0' + u8::try_from(number % 10).unwrap_or(0);
            number /= 10;
        }
    }
    text
}

/// A time as people say it on the same day: `14:02`, in UTC as all times are;
/// with the date on another one.
pub(crate) fn clock_time<Z: TimeZone>(time: DateTime<Utc>, now: &DateTime<Z>) -> impl fmt::Display
where
    Z::Offset: fmt::Display,
{
    let time = time.with_timezone(&now.timezone());
    let is_today = time.date_naive() == now.date_naive();
    time.format(if is_today { "%H:%M" } else { "%Y-%m-%d %H:%M" })
}

/// A span of so many seconds as people say it: `12s`, `3m`, `5h`, `2d`.
///
/// # Examples
///
/// ```
/// assert_eq!(nudge::Age(7200).to_string(), "2h");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Age(pub i64);

impl Age {
    /// How long something was ago; nothing is to come.
    pub(crate) fn of(at: DateTime<Utc>, now: DateTime<Utc>) -> Age {
        Age((now - at).num_seconds().max(0))
    }
}

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            seconds @ ..60 => write!(f, "{seconds}s"),
            seconds @ 60..3_600 => write!(f, "{}m", seconds / 60),
            seconds @ 3_600..86_400 => write!(f, "{}h", seconds / 3_600),
            seconds => write!(f, "{}d", seconds / 86_400),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_as_chrono_writes_it() {
        for millis in [
            0,
            1,
            999,
            1_762_250_400_000,
            253_402_300_799_999,
            -62_135_596_800_000,
        ] {
            let time = from_millis(millis);
            let text = time.to_rfc3339_opts(chrono::SecondsFormat::Millis, true);
            assert_eq!(std::str::from_utf8(&write(time)).unwrap(), text);
            assert_eq!((own(&text), any(&text)), (Some(time), Some(time)));
        }
    }

    #[test]
    fn another_zone_and_finer_digits_are_read() {
        let time = parse("2025-11-04T12:00:00.123456+02:00").unwrap();
        assert_eq!(&write(time), b"2025-11-04T10:00:00.123Z");
        assert_eq!(parse("2025-11-04"), None);
        assert_eq!(parse("2025-11-31T10:00:00.000Z"), None);
        assert_eq!(own("2025-11-04 10:00:00.000Z"), None);
        assert_eq!(parse("+12025-11-04T10:00:00Z"), None);
    }
}
