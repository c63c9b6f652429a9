//! What a journal promises.

mod besides;
mod bytes;
mod calls;
mod damage;
mod ended;
mod files;
mod full;
mod secrecy;
mod stage;
