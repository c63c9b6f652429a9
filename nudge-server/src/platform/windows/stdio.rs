//! Standard input and output.

use std::io::{self, IsTerminal};

use winapi_util::{HandleRef, console, file};

use crate::platform::{Input, Output};

/// Nothing is to be put back.
pub(crate) struct Borrowed;

/// Opens both ends. A thread waits for each: pipes that others made cannot be waited for
/// otherwise.
pub(crate) fn open() -> (Input, Output, Borrowed) {
    let input = Box::new(tokio::io::stdin());
    (input, Box::new(tokio::io::stdout()), Borrowed)
}

/// How many letters fit into a line of the console that is written to, if it is one.
pub(crate) fn columns() -> Option<usize> {
    let (columns, _) = console::screen_buffer_info(HandleRef::stdout())
        .ok()?
        .size();
    usize::try_from(columns).ok().filter(|columns| *columns > 0)
}

/// Whether an MCP client may be at the other end of standard input. Nobody is behind a
/// console, nor behind the null device, which is a device as well.
pub(crate) fn has_client() -> bool {
    let kind = file::typ(HandleRef::stdin());
    !io::stdin().is_terminal() && kind.is_ok_and(|kind| !kind.is_char())
}
