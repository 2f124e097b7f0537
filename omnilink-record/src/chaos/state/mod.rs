//! What is known of the program: its threads and what they wait for, virtual time, and the data of
//! emulated system calls (timers, ids, times of files).
//!
//! Above the mechanism, below the policy: nothing here decides who runs.

pub mod devices;
pub mod file_times;
pub mod handlers;
pub mod identity;
pub mod notes;
pub mod ports;
pub mod readiness;
pub mod senders;
pub mod threads;
pub mod time;
pub mod timers;
pub mod turns;
