//! Decisions: which thread runs next and for how long, which one is woken, when a run has reached a limit, when a thread that
//! does not stop is interrupted.
//!
//! Above the state: decisions are made from numbers and lists of threads. Carrying them out is up to the engine.

pub mod budget;
pub mod scheduler;
pub mod strategy;
pub mod watchdog;
