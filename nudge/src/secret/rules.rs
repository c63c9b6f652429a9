//! The table of providers' credential formats, by what the providers do.

mod ai;
mod chat;
mod cloud;
mod code;
mod pay;
mod watch;

use super::rule::Rule;

/// Returns all formats.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    [
        ai::RULES,
        chat::RULES,
        cloud::RULES,
        code::RULES,
        pay::RULES,
        watch::RULES,
    ]
    .into_iter()
    .flatten()
}
