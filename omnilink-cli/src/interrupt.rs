//! Ctrl-C and SIGTERM: what was found so far is told before the program ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::failure::Failure;

/// The exit code of what Ctrl-C ended, as shells have it: 128 and the signal's number.
pub const INTERRUPTED: u8 = 130;

/// A flag that Ctrl-C and SIGTERM set. Who does not want to wait for what is being done to come to its end says so twice.
pub fn interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let handler = move || {
        if set.swap(true, Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::new(format!("Ctrl-C cannot be handled: {error}")))?;
    Ok(flag)
}
