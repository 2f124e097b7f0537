//! What `record` and `replay` need besides the library: where programs are, how durations are written, what is
//! reported.

mod duration;
mod place;
mod program;
mod progress;

pub use duration::duration;
pub use place::Place;
pub use program::find;
pub use progress::Progress;
