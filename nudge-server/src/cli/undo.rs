//! `nudge undo`

use nudge::{TakenBack, Undone};

use super::later::Nothing;
use super::output::{Exit, Page};
use super::pretty;
use super::terminal::Terminal;
use crate::primary::operations::ServerOperation;
use crate::wire::escape::shown;

pub(crate) fn run(_: &Nothing, terminal: &Terminal) -> Exit {
    let answer = terminal.call(ServerOperation::Undo, "{}");
    terminal.out.asked(&answer.into(), write)
}

fn write(page: &mut Page, undone: &Undone) -> Exit {
    for TakenBack {
        component,
        key,
        hint,
        ..
    } in &undone.hints
    {
        let name = format!("{}/{}", shown(component), shown(key));
        match hint {
            Some(hint) => {
                page.marked("✔", &format!("{name} is back: {}", pretty::value(hint)));
                let uses =
                    pretty::count(usize::try_from(hint.use_count).unwrap_or(usize::MAX), "use");
                page.dim(&format!(
                    "  v{}, {}, {uses}",
                    hint.version,
                    pretty::scope(hint)
                ));
            }
            None => page.marked("✔", &format!("{name} is gone again")),
        }
    }
    if undone.secrets_left_out > 0 {
        let secrets = pretty::count(undone.secrets_left_out, "secret");
        page.line(&format!("{secrets} cannot come back; set it again"));
    }
    Exit::Done
}
