//! The binary: parse, run, exit.

use std::process::ExitCode;

fn main() -> ExitCode {
    nudge_server::cli::main()
}
