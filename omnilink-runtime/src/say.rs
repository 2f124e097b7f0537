//! Messages to the user of the program under test.

/// Writes one line to standard error, in one piece. Works at any time, also when the thread's local variables are gone, which
/// `eprintln!` may need.
pub(crate) fn say(message: &str) {
    let line = format!("omnilink: {message}\n");
    // SAFETY: the bytes are valid for the read. There is nobody to tell if it fails.
    unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
}
