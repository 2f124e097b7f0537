//! What exploring a specification found, as `omnilink explore` tells it.

mod progress;
mod report;
mod text;

pub use progress::Progress;
pub use report::Report;
pub use text::write;
