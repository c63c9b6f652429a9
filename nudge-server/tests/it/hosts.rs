//! `nudge install` and `nudge uninstall`, with a home of their own for each test.
//!
//! The real hosts are asked by `make hosts`; here their files are looked at.

mod golden;
pub(crate) mod home;
mod manual;
