//! A server as a process of its own, ended by the test that started it.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use nudge::Host;
use nudge_client::platform::linux::lock_holder;
use rustix::process::{Pid, Signal, kill_process};

/// How long something may take that takes no time; a test that waits so long has failed.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A folder that is removed with all that is in it, and the server of which is ended: one
/// that a PROXY or a command has started outlives both.
pub(crate) struct Folder(tempfile::TempDir);

/// A new folder.
pub(crate) fn folder() -> Folder {
    Folder(tempfile::tempdir().unwrap())
}

impl Folder {
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        end_servers(self.path());
    }
}

/// Ends the servers of a folder and of those in it.
fn end_servers(folder: &Path) {
    end_server(folder);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        end_servers(&entry.path());
    }
}

/// The process that holds a session folder. A test knows it also where Nudge may not.
pub(crate) fn primary(runtime: &Path) -> Option<u32> {
    lock_holder(&runtime.join("lock"))
}

/// Ends the server of a session folder, if there is one, without a warning.
pub(crate) fn end_server(runtime: &Path) {
    while let Some(pid) = primary(runtime) {
        // A lock that a test held stays its own while another starts a program, which has a copy.
        if pid != std::process::id() {
            kill(pid, Signal::KILL);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Sends a signal to a process that may have ended.
pub(crate) fn kill(pid: u32, signal: Signal) {
    let pid = Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    let _ = kill_process(pid, signal);
}

/// A running `nudge serve` without a client on its stdin.
pub(crate) struct Server {
    child: Child,
    /// The line that says where it listens, or where the one is that runs already.
    pub(crate) line: String,
}

impl Server {
    /// Starts a server and waits until it has said where it is.
    pub(crate) fn start(runtime: &Path) -> Server {
        Server::spawn(serve(runtime))
    }

    /// The same for a command that starts one.
    pub(crate) fn spawn(mut command: Command) -> Server {
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = child.stdout.take().unwrap();
        let line = within(move || {
            let mut line = String::new();
            BufReader::new(output).read_line(&mut line).unwrap();
            line
        });
        Server { child, line }
    }

    /// Whether it said that it serves.
    pub(crate) fn is_primary(&self) -> bool {
        assert!(self.line.starts_with("nudge "), "{:?}", self.line);
        self.line.contains(" listens ")
    }

    /// Where it listens: address and port.
    pub(crate) fn address(&self) -> &str {
        let url = self.line.split("http://").nth(1).unwrap();
        let end = url.find(|c: char| !c.is_ascii_digit() && !".:".contains(c));
        &url[..end.unwrap_or(url.len())]
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal, and says how it ended.
    pub(crate) fn signal(&mut self, sent: Signal) -> ExitStatus {
        signal(&self.child, sent);
        self.ended()
    }

    /// How it ends that is about to.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        ended(&mut self.child)
    }

    /// Ends it, and gives what it wrote to standard error, which the command has piped.
    pub(crate) fn logged(&mut self) -> String {
        signal(&self.child, Signal::TERM);
        let mut said = String::new();
        let mut log = self.child.stderr.take().unwrap();
        log.read_to_string(&mut said).unwrap();
        said
    }

    /// Ends it without a warning.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A home in which nobody has said anything.
pub(crate) const NO_HOME: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/no-home");

/// The binary, whichever agent runs the tests, and whatever they set in their home.
pub(crate) fn nudge() -> Command {
    binary(env!("CARGO_BIN_EXE_nudge").into())
}

fn binary(program: OsString) -> Command {
    let mut command = Command::new(program);
    command
        .env("HOME", NO_HOME)
        .env("TZ", "UTC")
        .env("NUDGE_ANY_PARENT", "1")
        .env_remove("CI");
    for variable in Host::ALL.iter().flat_map(|host| host.shell) {
        command.env_remove(variable);
    }
    command
}

/// The binary in an environment that holds nothing but a runtime folder, in which it starts
/// no server.
pub(crate) fn nudge_in(runtime: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nudge"));
    command
        .env_clear()
        .env("HOME", NO_HOME)
        .env("TZ", "UTC")
        .env("NUDGE_ANY_PARENT", "1")
        .env("NUDGE_RUNTIME_DIR", runtime)
        .env("NUDGE_AUTOSTART", "0");
    command
}

/// The command `nudge serve` in a runtime folder, on any port.
pub(crate) fn serve(runtime: &Path) -> Command {
    serve_on(runtime, 0)
}

/// The command `nudge serve` in a runtime folder, on a port.
pub(crate) fn serve_on(runtime: &Path, port: u16) -> Command {
    // `make soak` measures another build than the one that is tested every day.
    let built = std::env::var_os("NUDGE_BIN");
    let mut command = built.map_or_else(nudge, binary);
    command
        .args(["serve", "--port", &port.to_string()])
        .env("NUDGE_RUNTIME_DIR", runtime);
    command
}

/// How a command ends, and all that it prints.
pub(crate) fn printed(command: &mut Command) -> (i32, String) {
    let output = command.output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code().unwrap(), said)
}

/// Sends a signal to a child.
pub(crate) fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// The status of a child that is about to end.
pub(crate) fn status(mut child: Child) -> ExitStatus {
    ended(&mut child)
}

fn ended(child: &mut Child) -> ExitStatus {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if Instant::now() > deadline {
            let _ = child.kill();
            panic!("the process did not end");
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Waits for what is about to happen, and fails when it does not.
pub(crate) fn within<T: Send + 'static>(wait: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, result) = mpsc::channel();
    thread::spawn(move || done.send(wait()));
    result.recv_timeout(PATIENCE).unwrap()
}

/// Waits until something is so, and fails when it does not come to be.
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}: it did not happen");
        thread::sleep(Duration::from_millis(1));
    }
}
