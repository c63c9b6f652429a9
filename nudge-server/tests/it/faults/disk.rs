//! A disk that is full, and one that cannot be written to.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::Folder as TempDir;
use serde_json::{Value, json};

use super::{keys, member, not_tested, set};
use crate::mcp::host::Host;
use crate::process::{serve, until, within};

/// A small disk of its own, for as long as this lives.
struct Disk {
    _parent: TempDir,
    path: PathBuf,
}

impl Disk {
    /// `None` where nothing may be mounted, which is said aloud.
    fn mount(options: &str) -> Option<Disk> {
        let parent = crate::process::folder();
        let path = parent.path().join("disk");
        fs::create_dir(&path).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", options, "nudge-test"])
            .arg(&path)
            .stderr(Stdio::null())
            .status();
        if !mounted.is_ok_and(|status| status.success()) {
            not_tested("only root outside of a container can mount a small disk");
            return None;
        }
        Some(Disk {
            _parent: parent,
            path,
        })
    }

    /// Leaves no room on it.
    fn fill(&self) {
        let mut file = File::create(self.path.join("filler")).unwrap();
        while file.write_all(&[0; 4096]).is_ok() {}
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let unmount = |path: &Path| Command::new("umount").arg("-l").arg(path).status();
        assert!(unmount(&self.path).unwrap().success());
    }
}

#[test]
fn on_a_full_disk_nothing_is_changed_but_what_is_deleted_and_that_is_said() {
    let Some(disk) = Disk::mount("size=512k,mode=700") else {
        return;
    };
    let mut host = member(&disk.path);
    set(&mut host, "before", "kept");
    set(&mut host, "old", "swordfish");
    disk.fill();
    // More than what is left of the log's last page.
    let mut refused = Value::Null;
    for number in 0..50 {
        let value = "x".repeat(500);
        let params = json!({"component": "faults", "key": format!("k{number}"), "value": value});
        refused = host.request("nudge.set_hint", params);
        if refused.get("error").is_some() {
            break;
        }
    }
    let error = &refused["error"];
    assert_eq!(error["data"]["reason"], "E_UNAVAILABLE", "{refused}");
    assert!(error.to_string().contains("the disk is full"), "{refused}");
    let before = keys(&mut host);
    let params = json!({"component": "faults", "key": "before", "value": "other"});
    host.request("nudge.set_hint", params);
    let get = json!({"component": "faults", "key": "before"});
    let found = super::result(&mut host, "nudge.get_hint", get);
    assert_eq!(found["hint"]["value"], "kept");
    let warned = |host: &mut Host| super::status(host)["warnings"].to_string();
    let words = "cannot be written";
    assert!(warned(&mut host).contains(words));
    // The user is told as well, once.
    assert!(super::said(&disk.path, &["ls"]).contains(words));
    assert_eq!(super::said(&disk.path, &["ls"]), "");
    // What is deleted is gone from memory now, and from the file once there is room.
    let delete = json!({"component": "faults", "key": "old"});
    super::result(&mut host, "nudge.delete_hint", delete);
    assert_eq!(keys(&mut host).len(), before.len() - 1);
    fs::remove_file(disk.path.join("filler")).unwrap();
    until("it leaves the file", || {
        !super::holds(&disk.path, "swordfish")
    });
    set(&mut host, "after", "works");
    assert!(!warned(&mut host).contains(words));
    super::kill_primary(&disk.path);
    let left = keys(&mut host);
    let has = |key: &str| left.iter().any(|it| it == key);
    assert!(has("after") && !has("old"), "{left:?}");
    host.hang_up();
    crate::process::end_server(&disk.path);
}

#[test]
fn in_a_folder_that_cannot_be_written_to_a_server_says_so_and_does_not_start() {
    let Some(disk) = Disk::mount("size=64k,mode=700,ro") else {
        return;
    };
    let child = serve(&disk.path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let output = within(move || child.wait_with_output().unwrap());
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("Read-only file system"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said:?}");
}
