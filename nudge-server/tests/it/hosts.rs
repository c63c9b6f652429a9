//! `nudge install` and `nudge uninstall`, with a home of their own for each test.
//!
//! The real hosts are asked by `make hosts`; here their files are looked at, and
//! a script stands for a command of theirs.

mod golden;
pub(crate) mod home;
mod manual;
mod mishaps;
mod own_commands;
mod project;
mod whole;
