//! What a specification consists of, as `omnilink spec` tells it.

mod report;
mod text;

pub use report::Report;
pub use text::write;
