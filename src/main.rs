//! The program `plantune`. All of it is the library, which `plantune-fleet` uses, too.

use std::process::ExitCode;

fn main() -> ExitCode {
    plantune::main()
}
