//! What asks for an end: Ctrl-C, Ctrl-Break, and the end of the console or of the machine.

use std::io;

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_shutdown,
};

/// What asks for a clean end.
pub(crate) struct Signals(CtrlC, CtrlBreak, CtrlClose, CtrlShutdown);

impl Signals {
    pub(crate) fn heard() -> io::Result<Signals> {
        Ok(Signals(
            ctrl_c()?,
            ctrl_break()?,
            ctrl_close()?,
            ctrl_shutdown()?,
        ))
    }

    pub(crate) async fn any(&mut self) {
        tokio::select! {
            _ = self.0.recv() => {}
            _ = self.1.recv() => {}
            _ = self.2.recv() => {}
            _ = self.3.recv() => {}
        }
    }
}

/// That nobody reads standard output any more is told by the next write only.
pub(crate) fn wait_for_end_of_output() {
    loop {
        std::thread::park();
    }
}
