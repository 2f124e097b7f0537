//! Ctrl-C and SIGTERM: the results so far are printed before the program ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::failure::Failure;

/// The exit code after Ctrl-C, following the convention of shells: 128 plus the signal's number.
pub const INTERRUPTED: u8 = 130;

/// A flag that Ctrl-C and SIGTERM set. A second signal ends the program at once.
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
