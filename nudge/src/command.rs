//! Commands as agents run them: their parts, the step they take, how two of them
//! differ, and who ran which.

pub(crate) mod client;
pub(crate) mod form;
pub(crate) mod line;
mod programs;
pub(crate) mod step;
#[cfg(test)]
mod tests;
