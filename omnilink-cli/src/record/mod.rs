//! Code that `record` and `run` share: options, finding the program, storing runs, progress.

mod args;
pub mod launcher;
pub mod no_space;
mod place;
mod program;
mod progress;
mod scratch;
mod taken;

pub use args::{CampaignArgs, new_seed};
pub use place::{Kept, Place};
pub use program::find;
pub use progress::Progress;
pub use taken::{Taken, export};
