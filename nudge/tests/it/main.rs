//! The library through its public face: what is always true, said, shared and kept.

mod here;
mod model;
mod properties;
