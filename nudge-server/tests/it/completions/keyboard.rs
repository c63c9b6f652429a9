//! A shell at a terminal, and somebody who types.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use crate::process::PATIENCE;

/// A shell that believes it has a terminal, for `script` gives it one.
pub(crate) struct Keyboard {
    child: Child,
    input: ChildStdin,
    output: Receiver<Vec<u8>>,
    count: u32,
}

impl Keyboard {
    /// Starts a shell through `script`, and waits until it listens.
    pub(crate) fn at(mut script: Command, shell: &str) -> Keyboard {
        script.args(["-qfec", shell, "/dev/null"]);
        script.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = script.spawn().unwrap();
        let (input, mut shown) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (told, output) = channel();
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = shown.read(&mut bytes) {
                if told.send(bytes[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        let mut keyboard = Keyboard {
            child,
            input,
            output,
            count: 0,
        };
        keyboard.typed("\n");
        keyboard
    }

    /// Types, and gives back all that is shown until the shell has done it.
    pub(crate) fn typed(&mut self, keys: &str) -> String {
        // The shell shows what is typed as well, so the word is taken apart in it.
        self.count += 1;
        let count = self.count;
        let keys = format!("{keys}echo do''ne-{count}\n");
        self.input.write_all(keys.as_bytes()).unwrap();
        let (end, deadline) = (format!("\ndone-{count}\r\n"), Instant::now() + PATIENCE);
        let mut shown = String::new();
        while !shown.contains(&end) {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(more) = self.output.recv_timeout(left) else {
                panic!("the shell is silent after {shown}");
            };
            shown.push_str(&String::from_utf8_lossy(&more));
        }
        shown
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        // It hangs up, and the shell ends with its terminal.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
