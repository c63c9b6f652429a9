//! What a journal promises.

mod ages;
mod besides;
mod bytes;
mod calls;
mod files;
mod full;
mod model;
mod secrecy;
mod stage;
mod version_0_1;
