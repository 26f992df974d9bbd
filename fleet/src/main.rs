//! The program `plantune-fleet`, which `plantune fleet` becomes. All of it is the library, which the tests use, too.

use std::process::ExitCode;

fn main() -> ExitCode {
    plantune_fleet::main()
}
