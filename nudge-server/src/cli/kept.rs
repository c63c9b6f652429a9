//! `nudge kept`

use chrono::Local;
use clap::Args;
use nudge::{Clock, SystemClock};
use serde_json::Value;

use super::context_flags::ContextFlags;
use super::flags::Params;
use super::output::{Exit, Page};
use super::pretty::{count, scope, value};
use super::terminal::Terminal;
use crate::primary::keep_requests::{KeptHints, LayerName};
use crate::primary::operations::ServerOperation;
use crate::wire::escape::shown;

#[derive(Debug, Args)]
pub(crate) struct Kept {
    #[command(flatten)]
    context: ContextFlags,
}

impl Kept {
    pub(crate) fn run(&self, terminal: &Terminal) -> Exit {
        list(terminal, self.context.given().as_ref())
    }
}

/// Lists what is kept where the user is, as `nudge ls --kept` does.
pub(crate) fn list(terminal: &Terminal, given: Option<&Value>) -> Exit {
    let asked = terminal.choose(ServerOperation::ListKept, &Params::default(), given);
    terminal.out.asked(&asked, write)
}

fn write(page: &mut Page, kept: &KeptHints) -> Exit {
    let now = SystemClock.now();
    for one in &kept.hints {
        let hint = &one.hint;
        let name = format!("{}/{}", shown(&one.component), shown(&one.key));
        page.line(&format!("{name}: {}", value(hint)));
        let worked = hint.describe_use(now);
        let worked = worked
            .map(|worked| format!(", {worked}"))
            .unwrap_or_default();
        let set = hint.updated_at.with_timezone(&Local).format("%F");
        let (who, place) = (hint.told_by(), scope(hint));
        let who = who.split(',').next().unwrap_or_default();
        let layer = match one.layer {
            LayerName::Everywhere => "everywhere",
            LayerName::Repository | LayerName::Project => "repository",
        };
        let about = format!("{layer}, {who}, set {set}{worked}; {place}");
        page.dim(&format!("  {}", shown(&about)));
    }
    if kept.waiting > 0 {
        let hints = count(kept.waiting, "hint");
        page.line(&format!("{hints} of the project wait: `nudge trust`"));
    }
    if kept.hints.is_empty() {
        page.line("nothing is kept here yet");
        return Exit::Nothing;
    }
    Exit::Done
}
