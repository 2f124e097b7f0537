//! What lives as long as the process: names and places that lanes refer to.

use std::ptr;
use std::sync::{Mutex, PoisonError};

/// Where it all is. Nobody reads this but leak detectors, which take what no address leads to for lost.
static KEPT: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Keeps a value for ever.
pub(crate) fn lasting<T: ?Sized>(value: Box<T>) -> &'static T {
    let value: &'static T = Box::leak(value);
    KEPT.lock().unwrap_or_else(PoisonError::into_inner).push(ptr::from_ref(value).addr());
    value
}
