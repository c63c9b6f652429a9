//! Writes the manual pages to a folder: `cargo run --example man -- FOLDER`.

mod pages;

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("name the folder for the pages"))?;
    fs::create_dir_all(&folder)?;
    let mut pages = pages::pages().into_iter();
    pages.try_for_each(|(name, page)| fs::write(folder.join(name), page))
}
