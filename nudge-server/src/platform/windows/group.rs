//! Processes that are started and ended together.

use std::os::windows::process::CommandExt;
use std::process::{Child, Command, Stdio};

const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// A process, and whatever it starts.
pub(crate) struct Group(u32);

/// Has a command started where no Ctrl-C of ours reaches it, without a window.
pub(crate) fn apart(command: &mut Command) -> &mut Command {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW)
}

impl Group {
    /// The group of a child that was started apart.
    pub(crate) fn of(child: &Child) -> Group {
        Group(child.id())
    }

    /// Ends it all at once. The child was not waited for, so that the number is its own.
    pub(crate) fn end(&self) {
        let mut command = Command::new("taskkill");
        command.args(["/T", "/F", "/PID", &self.0.to_string()]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let _ = apart(command.stderr(Stdio::null())).status();
    }
}
