//! `nudge watch`: what happens in the store, as lines, until somebody has seen enough.

mod follow;

use std::io;
use std::process::ExitCode;
use std::thread;

use clap::Args;
use tokio::sync::mpsc;

use self::follow::Follower;
pub(crate) use self::follow::ended_by;
use super::output::{Exit, Output};
use crate::config::Settings;
use crate::platform::signals::{Interrupt, wait_for_end_of_output};

#[derive(Debug, Args)]
#[command(
    after_help = "It ends with the session, as by `nudge stop`, and on Ctrl-C.

Examples:
  nudge watch                       all that happens, as it happens
  nudge watch --component api
  nudge watch --json | jq .key      one JSON object a line"
)]
pub(crate) struct Watch {
    /// Only what happens in this component; repeat it for more
    #[arg(long)]
    component: Vec<String>,
}

impl Watch {
    /// Follows the session until it ends, the reader is gone, or Ctrl-C.
    pub(crate) fn run(self, settings: Settings, out: Output) -> ExitCode {
        while_read(move || Follower::new(settings, out, self.component).follow())
    }
}

/// Does what prints as it goes, until it ends by itself, the reader is gone, or Ctrl-C.
pub(crate) fn while_read(work: impl FnOnce() -> Exit + Send + 'static) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let Ok(runtime) = runtime else {
        return super::output::misused("signals cannot be heard").into();
    };
    let exit = runtime.block_on(async {
        // Heard from before the first line on, for whoever waits for that.
        let interrupt = Interrupt::heard();
        let (done, mut ended) = mpsc::unbounded_channel();
        let reader_gone = done.clone();
        thread::spawn(move || done.send(work()));
        thread::spawn(move || {
            wait_for_end_of_output();
            reader_gone.send(Exit::Done)
        });
        let interrupted = async {
            match interrupt {
                Ok(mut interrupt) => interrupt.next().await,
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            () = interrupted => Exit::Done,
            exit = ended.recv() => exit.unwrap_or(Exit::Done),
        }
    });
    // A line that is being written is written whole.
    let _whole = io::stdout().lock();
    std::process::exit(exit as i32)
}
