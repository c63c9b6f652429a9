//! `nudge undo` and `nudge restore`

use nudge::Undone;

use super::later::Nothing;
use super::output::{Exit, Page};
use super::pretty;
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;
use crate::wire::Fault;

pub(crate) fn run(nothing: &Nothing, terminal: &Terminal) -> Result<Exit, Fault> {
    terminal.tell(ServerOperation::Undo, nothing, None, write)
}

fn write(page: &mut Page, undone: &Undone) -> Exit {
    for one in &undone.hints {
        let name = pretty::slot(&one.component, &one.key);
        let Some(hint) = &one.hint else {
            page.done(&format!("{name} is gone again"));
            continue;
        };
        page.done(&format!("{name} is back: {}", pretty::value(hint)));
        let uses = pretty::count(usize::try_from(hint.use_count).unwrap_or(usize::MAX), "use");
        let (version, place) = (hint.version, pretty::scope(hint));
        page.dim(&format!("  v{version}, {place}, {uses}"));
    }
    if undone.secrets_left_out > 0 {
        let secrets = pretty::count(undone.secrets_left_out, "secret");
        page.line(&format!("{secrets} cannot come back; set it again"));
    }
    Exit::Done
}

/// `nudge restore`
pub(crate) fn restore(nothing: &Nothing, terminal: &Terminal) -> Result<Exit, Fault> {
    let restore = ServerOperation::Restore;
    terminal.tell(restore, nothing, None, |page, imported| {
        pretty::imported(page, imported, false)
    })
}
