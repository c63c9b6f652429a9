//! The range check of numbers that a request gives.

use crate::model::error::Error;

/// Checks a number that a request gives.
pub(crate) fn in_range(
    field: &'static str,
    number: i64,
    least: i64,
    most: i64,
) -> Result<usize, Error> {
    usize::try_from(number)
        .ok()
        .filter(|_| (least..=most).contains(&number))
        .ok_or_else(|| {
            let words = format!("{field} is {number}; give an integer from {least} to {most}");
            Error::invalid(field, "range", words)
        })
}
