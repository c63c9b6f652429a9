//! Writes the packages for hosts to a folder: `cargo run --example plugins -- FOLDER`.

mod packages;

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("name the folder for the packages"))?;
    for (name, text) in packages::packages() {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        fs::write(path, text)?;
    }
    Ok(())
}
