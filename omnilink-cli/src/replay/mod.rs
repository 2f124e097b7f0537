//! Comparing a replayed run with the recorded one, and stopping it in a debugger at an event.

mod comparison;
mod gdb;
mod moment;
mod selector;

pub use comparison::Difference;
pub use gdb::{Gdb, Guide, Visitor};
pub use moment::{event, moment};
pub use selector::{EventSelector, Found};
