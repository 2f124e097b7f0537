//! Colours.

use anstyle::{AnsiColor, Style};

/// The styles of one output stream: all empty, unless it is a terminal that wants colours.
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
    /// Colours for a terminal.
    pub fn coloured() -> Self {
        Self {
            heading: Style::new().bold(),
            faint: Style::new().dimmed(),
            good: AnsiColor::Green.on_default(),
            warning: AnsiColor::Yellow.on_default(),
            bad: AnsiColor::Red.on_default().bold(),
        }
    }
}
