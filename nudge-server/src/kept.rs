//! The files of kept hints, as bytes: where they are, and how they are read and replaced
//! without a loss. What they say is for the core.

pub(crate) mod file;
pub(crate) mod medium;
pub(crate) mod place;
pub(crate) mod project_file;
pub(crate) mod trust;

use std::fmt::Display;
use std::path::Path;

use sha2::{Digest, Sha256};

/// What cannot be done with a file, and why, in a sentence without anything that is in it.
fn refusal(path: &Path, done: &str, why: impl Display) -> String {
    format!("`{}` cannot be {done}: {why}", path.display())
}

pub(crate) fn sha256(text: &str) -> String {
    let bytes = Sha256::digest(text).into_iter();
    let digits = bytes.flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}
