//! What is decided: who runs next and for how long, who is woken, when a run has done enough, when a thread that does not
//! stop is interrupted.
//!
//! Above the state: decisions are made from numbers and lists of threads. Carrying them out is up to the engine.

pub mod budget;
pub mod scheduler;
pub mod strategy;
pub mod watchdog;
