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
