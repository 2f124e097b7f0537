//! Colours, on terminals only.

use std::io::{self, BufWriter, StdoutLock};

use anstream::{AutoStream, ColorChoice};
pub use omnilink_check::report::text::Palette;

/// The palette for standard output.
pub fn stdout() -> Palette {
    choose(AutoStream::choice(&io::stdout()))
}

/// The palette for standard error.
pub fn stderr() -> Palette {
    choose(AutoStream::choice(&io::stderr()))
}

/// Deciding once (`NO_COLOR`, `CLICOLOR`), instead of stripping escape sequences from every line, keeps `omnilink show | …` fast.
fn choose(choice: ColorChoice) -> Palette {
    if choice == ColorChoice::Never { Palette::default() } else { Palette::coloured() }
}

/// Standard output for results of any size. The caller flushes it, because errors at the end matter too.
pub fn buffered_stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}
