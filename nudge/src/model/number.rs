//! Numbers that a request gives.

use serde::{Deserialize, Deserializer};

use crate::model::error::Error;

/// Checks a number: the one place where a range is.
pub(crate) fn in_range(
    field: &'static str,
    number: u32,
    least: u32,
    most: u32,
) -> Result<usize, Error> {
    if (least..=most).contains(&number) {
        return Ok(number as usize);
    }
    let words = format!("{field} is out of range; give an integer from {least} to {most}");
    Err(Error::invalid(field, "range", words))
}

/// Reads an integer, or `null` for none.
pub(crate) fn optional<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<u32>, D::Error> {
    // One that does not fit is as far out of every range as the largest.
    let number = Option::<i64>::deserialize(deserializer)?;
    Ok(number.map(|number| u32::try_from(number).unwrap_or(u32::MAX)))
}

/// Reads an integer, or `null` for zero.
pub(crate) fn or_zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    Ok(optional(deserializer)?.unwrap_or_default())
}
