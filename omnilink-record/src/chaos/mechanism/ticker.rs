//! A periodic signal to the tracing thread, which interrupts its `waitpid`.

use std::io;
use std::ptr;
use std::time::Duration;

/// Nobody uses it, and by default it is ignored.
const SIGNAL: libc::c_int = libc::SIGURG;

/// Interrupts what the thread that made it waits for, at regular intervals, as long as it lives.
#[derive(Debug)]
pub struct Ticker(libc::timer_t);

extern "C" fn nothing(_: libc::c_int) {}

impl Ticker {
    /// Starts ticking.
    pub fn start(every: Duration) -> io::Result<Self> {
        let mut timer: libc::timer_t = ptr::null_mut();
        // SAFETY: the structs are initialised and outlive the calls; the handler does nothing, so it may run at any
        // time. Without SA_RESTART it ends what it interrupts.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = nothing as extern "C" fn(libc::c_int) as usize;
            libc::sigaction(SIGNAL, &action, ptr::null_mut());
            let mut event: libc::sigevent = std::mem::zeroed();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = SIGNAL;
            event.sigev_notify_thread_id = libc::gettid();
            if libc::timer_create(libc::CLOCK_MONOTONIC, &mut event, &mut timer) == -1 {
                return Err(io::Error::last_os_error());
            }
            let interval =
                libc::timespec { tv_sec: every.as_secs() as libc::time_t, tv_nsec: every.subsec_nanos().into() };
            let times = libc::itimerspec { it_interval: interval, it_value: interval };
            libc::timer_settime(timer, 0, &times, ptr::null_mut());
        }
        Ok(Self(timer))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        // SAFETY: the timer was made by `start` and is deleted once.
        unsafe { libc::timer_delete(self.0) };
    }
}
