//! The settings: who says them.

mod said;
