//! What is said of a run that was made again, and the debugger that waits for one of its events.

mod comparison;
mod gdb;
mod moment;
mod selector;

pub use comparison::Difference;
pub use gdb::{Gdb, Guide, Visitor};
pub use moment::{event, moment};
pub use selector::{EventSelector, Found};
