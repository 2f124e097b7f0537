//! The output of `omnilink spec`.

mod report;
mod text;

pub use report::Report;
pub use text::write;
