//! What verbs that run programs need besides the library: which program and how, where runs go, what is reported.

mod args;
pub mod launcher;
mod place;
mod program;
mod progress;
mod scratch;
mod taken;

pub use args::CampaignArgs;
pub use place::{Kept, Place};
pub use program::find;
pub use progress::Progress;
pub use taken::{Taken, export};
