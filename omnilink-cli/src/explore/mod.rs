//! The results of `omnilink explore`.

mod progress;
mod report;
mod text;

pub use progress::Progress;
pub use report::Report;
pub use text::write;
