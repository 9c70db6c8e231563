//! The `weft` command: argument parsing, nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    weft::cli::main()
}
