//! The binary `omnilink`. Its code is in the library of this package: cargo compiles a library while its dependencies are still being
//! compiled, and a binary after them.

use std::process::ExitCode;

fn main() -> ExitCode {
    omnilink_cli::main()
}
