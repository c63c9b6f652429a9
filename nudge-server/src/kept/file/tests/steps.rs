//! Every single step of a write fails, and so does every one after it, as when the process
//! is killed there.

use std::cell::Cell;
use std::fs::File;
use std::io;

use super::*;

/// A disk on which one step fails, or that and all that follow.
struct Failing {
    step: usize,
    is_for_good: bool,
    done: Cell<usize>,
}

impl Failing {
    fn step(&self) -> io::Result<()> {
        let number = self.done.replace(self.done.get() + 1);
        let fails = number == self.step || (self.is_for_good && number > self.step);
        if fails {
            return Err(ErrorKind::StorageFull.into());
        }
        Ok(())
    }
}

impl Medium for Failing {
    fn read(&self, path: &Path, limit: u64) -> io::Result<Vec<u8>> {
        self.step().and_then(|()| Disk.read(path, limit))
    }

    fn create(&self, path: &Path) -> io::Result<File> {
        self.step().and_then(|()| Disk.create(path))
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        // A disk takes what it has room for.
        let half = bytes.get(..bytes.len() / 2).unwrap();
        let fails = self.step();
        Disk.write(file, if fails.is_err() { half } else { bytes })?;
        fails
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.step().and_then(|()| Disk.sync(file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step().and_then(|()| Disk.rename(from, to))
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.step().and_then(|()| Disk.sync_folder(folder))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.step().and_then(|()| Disk.remove(path))
    }
}

fn failing(stage: &Stage, step: usize, is_for_good: bool) -> KeptFile<Failing> {
    KeptFile {
        place: stage.file.place.clone(),
        name: stage.file.name.clone(),
        patience: stage.file.patience,
        medium: Failing {
            step,
            is_for_good,
            done: Cell::new(0),
        },
    }
}

#[test]
fn a_step_that_fails_leaves_the_old_file_or_the_new_one() {
    // read, remove, create, write, sync, rename, sync_folder
    let steps = 7;
    for is_for_good in [false, true] {
        for old in [None, Some(b"a secret of old".to_vec())] {
            for step in 0..=steps {
                let stage = old.as_ref().map_or_else(Stage::new, |old| Stage::with(old));
                let file = failing(&stage, step, is_for_good);
                let updated = file.update(to(b"a secret of today"));
                let left = stage.file.read().unwrap();
                let new = Some(b"a secret of today".to_vec());
                // From the rename on it is the new one.
                assert_eq!(left, if step < 6 { old.clone() } else { new }, "{step}");
                if step == steps {
                    assert_eq!(updated, Ok(true));
                } else {
                    let words = updated.unwrap_err();
                    assert!(
                        words.starts_with('`') && !words.contains("secret"),
                        "{words}"
                    );
                }
                let leftover = stage.others();
                assert!(leftover.is_empty() || is_for_good, "{step}: {leftover:?}");
                // What a killed process left is removed by the next writer.
                assert_eq!(stage.file.update(to(b"next")), Ok(true));
                assert_eq!(stage.file.read(), Ok(Some(b"next".to_vec())));
                assert_eq!(stage.others(), [""; 0]);
            }
        }
    }
}

#[test]
fn a_leftover_that_is_a_link_leads_no_write_elsewhere() {
    let stage = Stage::with(b"old");
    let elsewhere = stage.home.path().join("elsewhere");
    fs::write(&elsewhere, "theirs").unwrap();
    symlink(&elsewhere, stage.path.with_added_extension("new")).unwrap();
    assert_eq!(stage.file.update(to(b"new")), Ok(true));
    assert_eq!(fs::read(elsewhere).unwrap(), b"theirs");
    assert!(!stage.path.is_symlink());
}

#[test]
fn a_file_that_cannot_be_moved_aside_stays() {
    let stage = Stage::with(b"damaged");
    let words = failing(&stage, 1, false).put_aside(b"damaged").unwrap_err();
    assert!(words.contains("cannot be moved"), "{words}");
    assert_eq!(stage.file.read(), Ok(Some(b"damaged".to_vec())));
}
