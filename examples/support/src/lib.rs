//! What the tests of the examples share: starting a demo, recording a few calls by hand, exploring a specification,
//! and holding what was recorded against it.
//!
//! - [`Demo`]: a program as its users start it.
//! - [`record`]: a few calls on threads of the test itself.
//! - [`window`]: a race that always happens.
//! - [`calls`]: what a trace tells, call by call.
//! - [`distinct_states`]: a specification explored without finding anything wrong.
//! - [`has_order`]: whether the specification allows what a trace tells, as `omnilink check` would say it.
//!
//! For tests only: everything here panics when something is wrong.

mod call;
mod demo;
mod explore;
mod interlude;
mod order;
mod recording;

pub use call::{Call, calls, ends};
pub use demo::Demo;
pub use explore::distinct_states;
pub use interlude::{Interlude, window};
pub use order::{has_order, has_order_with};
pub use recording::{Recording, record};
