//! Files of hosts that are none: nothing waits for them, and none is read whole.

use std::fs;
use std::os::unix::fs::symlink;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::home::Home;

#[test]
fn a_pipe_a_device_and_a_huge_file_are_named_and_left_alone() {
    let home = Home::with_hosts();
    let fifo = |path: std::path::PathBuf| {
        let _ = fs::remove_file(&path);
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    };
    fifo(home.project(".mcp.json"));
    fifo(home.path(".claude/settings.json"));
    let zero = home.path(".gemini/settings.json");
    let _ = fs::remove_file(&zero);
    symlink("/dev/zero", &zero).unwrap();
    let huge = fs::File::create(home.path(".codex/config.toml")).unwrap();
    huge.set_len(60 << 20).unwrap();
    for line in [
        "install --yes",
        "install --scope project --yes",
        "uninstall --yes",
        "doctor",
    ] {
        let said = home.nudge(line);
        let said = said.stdout + &said.stderr;
        assert!(said.contains("it is not a regular file"), "{line}: {said}");
    }
    assert_eq!(huge.metadata().unwrap().len(), 60 << 20);
}

/// What reads a file that somebody else may have put there does it within bounds.
#[test]
fn nobody_reads_a_file_without_bounds() {
    // What the user names is the user's, and what the kernel writes is short.
    let allowed = [
        "cli/import.rs",
        "cli/check.rs",
        "platform/linux.rs",
        "src/platform.rs",
    ];
    let mut found = Vec::new();
    let mut folders = vec!["nudge-server/src", "nudge-server/client/src"]
        .into_iter()
        .map(crate::conformance::adapter::file)
        .collect::<Vec<_>>();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let path = entry.path();
            let name = path.to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let is_rust = path.extension().is_some_and(|end| end == "rs");
            let is_code = is_rust && !name.contains("/tests");
            if !is_code || allowed.iter().any(|allowed| name.ends_with(allowed)) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let reads = ["fs::read(", "fs::read_to_string("];
            found.extend(
                reads
                    .iter()
                    .filter(|read| code.contains(**read))
                    .map(|read| format!("{name}: {read}")),
            );
        }
    }
    assert!(found.is_empty(), "use `file::read_foreign`: {found:?}");
}
