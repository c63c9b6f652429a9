//! What runners stand on: lock files, engines, and what is installed.

use nudge_client::platform::stamp;

use super::files::Look;
use super::folder::join;

/// The files by which a runner starts or does not.
const FILES: &str = "package-lock.json pnpm-lock.yaml yarn.lock bun.lock bun.lockb .nvmrc \
    .node-version .tool-versions mise.toml uv.lock poetry.lock requirements.txt .python-version \
    go.sum Cargo.lock Gemfile.lock rust-toolchain.toml";

/// The folders that an install writes.
const INSTALLED: [&str; 4] = ["node_modules", ".venv", "venv", "vendor"];

/// Whether an install has run in a folder: `vendor` may be a part of the repository.
pub(super) fn is_installed(look: &Look<'_>, folder: &str) -> bool {
    let mut names = INSTALLED.iter().filter(|name| **name != "vendor");
    names.any(|name| look.seen(&join(folder, name)).is_some())
}

/// A text that is another one once any of them has changed, in a folder or at the root: files by
/// what they say, as far as they are read, and else by their size; folders by when they changed.
pub(super) fn ground(look: &Look<'_>, folder: &str) -> String {
    let mut all = Vec::new();
    let folders = [folder, ""];
    let folders = folders.iter().take(if folder.is_empty() { 1 } else { 2 });
    for folder in folders {
        for name in FILES.split_whitespace() {
            let path = join(folder, name);
            let seen = look.seen(&path).map(|(_, seen)| seen.len());
            let text = look.text(&path);
            all.push(format!("{path} {seen:?} {}", text.unwrap_or_default()));
        }
        for name in INSTALLED {
            let seen = look.seen(&join(folder, name)).map(|(_, seen)| stamp(&seen));
            all.push(format!("{name} {seen:?}"));
        }
    }
    crate::platform::sha256(&all.join("\n"))
}
