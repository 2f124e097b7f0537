//! Colours, on terminals only.

use std::io::{self, BufWriter, StdoutLock};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// The styles of one output stream: all empty unless it is a terminal that wants colours (`NO_COLOR`, `CLICOLOR`).
///
/// Deciding once, instead of stripping escape sequences from every line, keeps `omnilink show | …` fast.
#[derive(Debug, Clone, Copy, Default)]
pub struct Palette {
    /// Titles and column heads.
    pub heading: Style,
    /// Secondary text.
    pub faint: Style,
    /// Success.
    pub good: Style,
    /// Warnings.
    pub warning: Style,
    /// Errors and failures.
    pub bad: Style,
}

impl Palette {
    /// The palette for standard output.
    pub fn stdout() -> Self {
        Self::choose(AutoStream::choice(&io::stdout()))
    }

    /// The palette for standard error.
    pub fn stderr() -> Self {
        Self::choose(AutoStream::choice(&io::stderr()))
    }

    fn choose(choice: ColorChoice) -> Self {
        if choice == ColorChoice::Never {
            return Self::default();
        }
        Self {
            heading: Style::new().bold(),
            faint: Style::new().dimmed(),
            good: AnsiColor::Green.on_default(),
            warning: AnsiColor::Yellow.on_default(),
            bad: AnsiColor::Red.on_default().bold(),
        }
    }
}

/// Standard output for results of any size. The caller flushes it, because errors at the end matter too.
pub fn buffered_stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}
