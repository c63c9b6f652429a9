//! The binary: parse, run, exit.

use std::process::ExitCode;

fn main() -> ExitCode {
    nudge_server::bug::keep_values_out_of_panics();
    nudge_server::cli::main(&nudge_server::surface::All)
}
