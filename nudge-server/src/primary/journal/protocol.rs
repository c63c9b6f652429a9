//! Who may write: the order of epoch and journal on both sides of a take-over.
//!
//! A writer appends only between two looks at the epoch. Whoever takes over
//! raises the epoch before it reads. Of two processes that cross, either the
//! one that reads finds the record, or the one that wrote it finds the new epoch
//! and does not acknowledge it. The model in the tests tries every order.

use std::io::{self, Write};

/// Where the epoch and the journal are kept, as one process sees them.
pub(super) trait Medium {
    /// The epoch that stands now.
    fn epoch(&self) -> io::Result<u64>;

    /// The epoch as far as can be seen at little cost: enough before an append,
    /// which counts only by the look after it.
    fn glance(&self) -> io::Result<u64> {
        self.epoch()
    }

    /// Makes the epoch one higher, and takes away every file that waits to get
    /// the journal's name: its writer is not to give it that name any more.
    fn raise(&mut self) -> io::Result<u64>;

    /// All bytes of the journal that has the name; none when there is none.
    fn read_all(&mut self) -> io::Result<Vec<u8>>;

    /// Puts bytes at the end of the journal that is open.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Takes away what is after the first `length` bytes.
    fn cut(&mut self, length: u64) -> io::Result<()>;

    /// Writes another journal, which waits for the name.
    fn prepare(&mut self, epoch: u64, fill: &mut Fill<'_>) -> io::Result<()>;

    /// Gives the name to what was prepared, which is the open journal from then on.
    fn install(&mut self) -> io::Result<()>;

    /// Takes away what was prepared and is not to have the name.
    fn discard(&mut self);
}

/// Writes a whole journal.
pub(super) type Fill<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Ours, before and after: what was written counts.
    Ours,
    /// Another process took over: what was written must not be acknowledged.
    Over,
}

/// Looks whose turn it is.
pub(super) fn turn(medium: &impl Medium, epoch: u64) -> io::Result<Turn> {
    Ok(if medium.epoch()? == epoch {
        Turn::Ours
    } else {
        Turn::Over
    })
}

/// Makes every other writer's turn be over, then reads what they wrote.
pub(super) fn take_over(medium: &mut impl Medium) -> io::Result<(u64, Vec<u8>)> {
    let epoch = medium.raise()?;
    Ok((epoch, medium.read_all()?))
}

/// Appends a record.
pub(super) fn append(medium: &mut impl Medium, epoch: u64, record: &[u8]) -> io::Result<Turn> {
    if medium.glance()? != epoch {
        return Ok(Turn::Over);
    }
    medium.append(record)?;
    turn(medium, epoch)
}

/// Puts another journal in the place of the one that has the name.
///
/// A process that is held up between the look and the renaming finds nothing to
/// rename: whoever raised the epoch took it away.
pub(super) fn replace(
    medium: &mut impl Medium,
    epoch: u64,
    fill: &mut Fill<'_>,
) -> io::Result<Turn> {
    medium.prepare(epoch, fill)?;
    if turn(medium, epoch)? == Turn::Over {
        medium.discard();
        return Ok(Turn::Over);
    }
    let installed = medium.install();
    match turn(medium, epoch)? {
        Turn::Ours => installed.map(|()| Turn::Ours),
        Turn::Over => Ok(Turn::Over),
    }
}
