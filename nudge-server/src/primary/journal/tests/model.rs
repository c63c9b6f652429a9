//! The protocol, run in every order that two processes can get into.
//!
//! The code is that of `protocol.rs`; only the files are made up. A call of the
//! system is one step, and an append is two, for a reader to see it torn.

use std::io;
use std::sync::Arc as Shared;
use std::sync::atomic::{AtomicBool, Ordering};

use loom::sync::{Arc, Mutex};
use loom::thread;

use super::super::protocol::{Fill, Medium, Turn, append, replace, take_over, turn};

/// A folder. The epoch and the journals have locks of their own, as files have.
struct Disk {
    epoch: Mutex<u64>,
    folder: Mutex<Folder>,
}

#[derive(Default)]
struct Folder {
    files: Vec<Vec<u8>>,
    /// Which file has the name of the journal.
    named: Option<usize>,
    /// Which files wait for it, with the epochs of their writers.
    waiting: Vec<(u64, usize)>,
}

/// One process, and the file that it has open.
struct Process {
    disk: Arc<Disk>,
    open: Option<usize>,
    prepared: Option<u64>,
    /// A mistake: raising the epoch leaves what waits for the name.
    leaves_waiting: bool,
}

impl Process {
    fn new(disk: &Arc<Disk>, open: Option<usize>) -> Process {
        Process {
            disk: Arc::clone(disk),
            open,
            prepared: None,
            leaves_waiting: false,
        }
    }

    fn folder<T>(&self, look: impl FnOnce(&mut Folder) -> T) -> T {
        look(&mut self.disk.folder.lock().unwrap())
    }
}

impl Medium for Process {
    fn epoch(&self) -> io::Result<u64> {
        Ok(*self.disk.epoch.lock().unwrap())
    }

    fn raise(&mut self) -> io::Result<u64> {
        let raised = {
            let mut epoch = self.disk.epoch.lock().unwrap();
            *epoch += 1;
            *epoch
        };
        if !self.leaves_waiting {
            self.folder(|folder| folder.waiting.clear());
        }
        Ok(raised)
    }

    fn read_all(&mut self) -> io::Result<Vec<u8>> {
        Ok(self.folder(|folder| folder.files[folder.named.unwrap()].clone()))
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let open = self.open.unwrap();
        for half in bytes.chunks(bytes.len() / 2) {
            self.folder(|folder| folder.files[open].extend_from_slice(half));
        }
        Ok(())
    }

    fn cut(&mut self, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn prepare(&mut self, epoch: u64, fill: &mut Fill<'_>) -> io::Result<()> {
        let mut bytes = Vec::new();
        fill(&mut bytes)?;
        self.prepared = Some(epoch);
        self.folder(|folder| {
            folder.files.push(bytes);
            folder.waiting.push((epoch, folder.files.len() - 1));
        });
        Ok(())
    }

    fn install(&mut self) -> io::Result<()> {
        let epoch = self.prepared.take();
        let installed = self.folder(|folder| {
            let mut waiting = folder.waiting.iter();
            let at = waiting.position(|(writer, _)| Some(*writer) == epoch)?;
            folder.named = Some(folder.waiting.remove(at).1);
            folder.named
        });
        self.open = Some(installed.ok_or(io::ErrorKind::NotFound)?);
        Ok(())
    }

    fn discard(&mut self) {
        let epoch = self.prepared.take();
        self.folder(|folder| folder.waiting.retain(|(writer, _)| Some(*writer) != epoch));
    }
}

/// A record: two bytes, so that half of one is none.
fn record(number: u8) -> [u8; 2] {
    [number; 2]
}

fn whole(bytes: &[u8]) -> Vec<u8> {
    bytes.chunks_exact(2).map(|record| record[0]).collect()
}

/// What a PRIMARY of the first epoch does; it says which records it acknowledged.
type Primary = fn(Process) -> Vec<u8>;

/// How the next one takes over.
type Taker = fn(&mut Process) -> io::Result<(u64, Vec<u8>)>;

/// Whether in some order an acknowledged record is missing in the end.
fn loses_something(primary: Primary, taker: Taker, leaves_waiting: bool) -> bool {
    let lost = Shared::new(AtomicBool::new(false));
    let seen = Shared::clone(&lost);
    loom::model(move || {
        let folder = Folder {
            files: vec![Vec::new()],
            named: Some(0),
            waiting: Vec::new(),
        };
        let disk = Arc::new(Disk {
            epoch: Mutex::new(1),
            folder: Mutex::new(folder),
        });
        let old = Process::new(&disk, Some(0));
        let old = thread::spawn(move || primary(old));

        let mut new = Process::new(&disk, None);
        new.leaves_waiting = leaves_waiting;
        let (epoch, bytes) = taker(&mut new).unwrap();
        let records: Vec<u8> = whole(&bytes).into_iter().flat_map(record).collect();
        let kept = replace(&mut new, epoch, &mut |to| to.write_all(&records)).unwrap();
        let mut acknowledged = Vec::new();
        if kept == Turn::Ours && append(&mut new, epoch, &record(9)).unwrap() == Turn::Ours {
            acknowledged.push(9);
        }
        acknowledged.extend(old.join().unwrap());
        let named = whole(&new.read_all().unwrap());
        if acknowledged.iter().any(|number| !named.contains(number)) {
            seen.store(true, Ordering::SeqCst);
        }
    });
    lost.load(Ordering::SeqCst)
}

fn appends(mut old: Process) -> Vec<u8> {
    let numbers = [1, 2].into_iter();
    let ours = |number: &u8| append(&mut old, 1, &record(*number)).unwrap() == Turn::Ours;
    numbers.filter(ours).collect()
}

fn appends_and_compacts(mut old: Process) -> Vec<u8> {
    let mut acknowledged = Vec::new();
    if append(&mut old, 1, &record(1)).unwrap() == Turn::Ours {
        acknowledged.push(1);
    }
    let kept = acknowledged.clone();
    let records: Vec<u8> = kept.into_iter().flat_map(record).collect();
    let compacted = replace(&mut old, 1, &mut |to| to.write_all(&records));
    // One that finds nothing to rename goes on as before.
    if !matches!(compacted, Ok(Turn::Over))
        && append(&mut old, 1, &record(2)).unwrap() == Turn::Ours
    {
        acknowledged.push(2);
    }
    acknowledged
}

/// A mistake: the epoch is looked at before the append only.
fn looks_only_before(mut old: Process) -> Vec<u8> {
    let numbers = [1, 2].into_iter();
    let ours = |number: &u8| {
        let is_ours = turn(&old, 1).unwrap() == Turn::Ours;
        old.append(&record(*number)).unwrap();
        is_ours
    };
    numbers.filter(ours).collect()
}

/// A mistake: what the writer does after the read is not read.
fn reads_before_it_raises(new: &mut Process) -> io::Result<(u64, Vec<u8>)> {
    let bytes = new.read_all()?;
    Ok((new.raise()?, bytes))
}

#[test]
fn no_order_loses_what_was_acknowledged() {
    assert!(!loses_something(appends, take_over, false));
}

#[test]
fn no_order_loses_what_was_acknowledged_while_the_journal_is_compacted() {
    assert!(!loses_something(appends_and_compacts, take_over, false));
}

#[test]
fn the_model_catches_a_taker_that_reads_before_it_raises_the_epoch() {
    assert!(loses_something(appends, reads_before_it_raises, false));
}

#[test]
fn the_model_catches_a_writer_that_looks_at_the_epoch_only_before_it_appends() {
    assert!(loses_something(looks_only_before, take_over, false));
}

#[test]
fn the_model_catches_a_taker_that_lets_an_old_journal_get_the_name() {
    assert!(loses_something(appends_and_compacts, take_over, true));
}
