//! What a thread knows: its lane, and the call that is open on it.
//!
//! Both are plain thread-local words without destructor, so that destructors of the user's thread-locals can still record. The
//! lane is closed by a destructor of POSIX threads, which run after those of `thread_local!`, and in the second round of them, after
//! the first round of everybody else's.

use std::cell::Cell;
use std::ptr::NonNull;
use std::sync::OnceLock;

use crate::lane::Lane;
use crate::meta::Meta;
use crate::session::{self, SessionCore};

/// See the module's documentation.
pub(crate) struct Thread {
    /// The lane that belongs to this thread, or null. Calls that are not inside others are recorded there: if it is
    /// busy, such a call is open on this thread.
    own: Cell<*mut Lane>,
    /// The lane of the innermost of the other recorded calls that are open on this thread or being polled by it, which
    /// all have lanes of the pool; else null.
    inner: Cell<*mut Lane>,
    /// The first round of destructors is over.
    leaving: Cell<bool>,
}

thread_local! {
    static THREAD: Thread = const {
        Thread {
            own: Cell::new(std::ptr::null_mut()),
            inner: Cell::new(std::ptr::null_mut()),
            leaving: Cell::new(false),
        }
    };
}

/// Gives access to the calling thread's words.
#[inline]
pub(crate) fn with<R>(look: impl FnOnce(&Thread) -> R) -> R {
    THREAD.with(look)
}

impl Thread {
    /// The lane of the innermost recorded call that is open on this thread or being polled by it; else null.
    pub fn innermost(&self) -> *mut Lane {
        let (inner, own) = (self.inner.get(), self.own.get());
        // SAFETY: a lane in `own` is alive until this thread lets go of it.
        if inner.is_null() && !own.is_null() && unsafe { (*own).is_busy() } { own } else { inner }
    }

    /// This thread's lane in the active recorder, whose generation is `state`, if it has one and no call is open.
    #[inline]
    pub fn idle_lane(&self, state: u32) -> Option<NonNull<Lane>> {
        let lane = NonNull::new(self.own.get())?;
        // SAFETY: a lane in `own` is alive until this thread lets go of it.
        let own = unsafe { lane.as_ref() };
        (own.generation == state && !own.is_busy() && self.inner.get().is_null()).then_some(lane)
    }

    /// This thread's lane in the active recorder, whose generation is `state`; opened now if need be. Null if it cannot be.
    pub fn own_lane(&self, state: u32) -> *mut Lane {
        let lane = self.own.get();
        // SAFETY: a lane in `own` is alive until this thread lets go of it.
        if !lane.is_null() && unsafe { (*lane).generation } == state {
            return lane;
        }
        self.open_lane(state, None)
    }

    /// Opens this thread's lane, under the given name or that of the thread.
    #[cold]
    pub fn open_lane(&self, state: u32, name: Option<&str>) -> *mut Lane {
        self.let_go();
        let Some(session) = SessionCore::active(state) else { return std::ptr::null_mut() };
        let thread_name;
        let name = match name {
            Some(name) => name,
            None => {
                thread_name = thread_name_in(session);
                &thread_name
            }
        };
        let lane = session.open_lane(name, false);
        self.own.set(lane);
        if !lane.is_null() {
            close_at_thread_exit(lane);
        }
        lane
    }

    /// The call on `lane`, which is one of the pool, is begun inside others or is being polled: it is the innermost one
    /// for now.
    ///
    /// # Safety
    /// The lane is the caller's, with a call that is not open on any thread.
    pub unsafe fn resume(&self, lane: *mut Lane) {
        // SAFETY: passed on.
        unsafe { (*lane).outer = Some(self.inner.replace(lane)) };
    }

    /// The call on `lane` is not being polled any more. What was open before it still is, unless it ended meanwhile, which has
    /// changed the lane's `outer`.
    ///
    /// # Safety
    /// As for [`resume`](Self::resume), which was called on this thread before.
    pub unsafe fn suspend(&self, lane: *mut Lane) {
        // SAFETY: passed on.
        self.inner.set(unsafe { (*lane).outer.take() }.unwrap_or(std::ptr::null_mut()));
    }

    /// The call on `lane`, which was begun inside the one on `outer`, ends.
    ///
    /// # Safety
    /// Both are inner lanes of this thread, or null for `outer`.
    #[inline]
    pub unsafe fn leave(&self, lane: *mut Lane, outer: *mut Lane) {
        if self.inner.get() == lane {
            self.inner.set(outer);
        } else {
            // SAFETY: passed on.
            unsafe { self.leave_out_of_order(lane, outer) };
        }
    }

    /// The call ends although one inside it is still open, which from now on is inside `outer`.
    #[cold]
    unsafe fn leave_out_of_order(&self, lane: *mut Lane, outer: *mut Lane) {
        let mut inner = self.inner.get();
        // SAFETY: every lane on the way from the innermost call outwards belongs to an open call of this thread.
        while let Some(call) = unsafe { inner.as_mut() } {
            match call.outer {
                Some(next) if next == lane => call.outer = Some(outer),
                Some(next) => {
                    inner = next;
                    continue;
                }
                None => {}
            }
            break;
        }
    }

    /// Closes this thread's lane, unless a call is open on it: that call may still hold on to the lane.
    pub fn let_go(&self) {
        let lane = self.own.get();
        // SAFETY: the lane is this thread's, and nothing else refers to it, unless a call is open on it.
        unsafe {
            if !lane.is_null() && !(*lane).is_busy() {
                self.own.set(std::ptr::null_mut());
                SessionCore::close_lane(lane);
            }
        }
    }

    /// The lane stays busy for ever, with a call that was open when recording ended; it is not this thread's any more.
    #[cold]
    pub fn abandon(&self, lane: *mut Lane) {
        if self.own.get() == lane {
            self.own.set(std::ptr::null_mut());
        }
    }
}

/// Gives the calling thread its lane now, under this name, if a recorder is active. Otherwise a thread gets its lane with its
/// first call, under the thread's own name; lanes are numbered in the order in which they are opened.
pub fn open_lane(name: &str) {
    if let Some(state) = session::decided() {
        with(|thread| {
            if thread.innermost().is_null() {
                thread.open_lane(state, Some(name));
            }
        });
    }
}

/// Records that the calling thread terminates, with what `note` notes about it. Ignored inside a call.
pub fn terminate(note: impl FnOnce(&mut Meta)) {
    let Some(state) = session::decided() else { return };
    let mut meta = Meta::default();
    note(&mut meta);
    with(|thread| {
        if !thread.innermost().is_null() {
            return;
        }
        // SAFETY: null, or this thread's lane, on which no call is open.
        if let Some(lane) = unsafe { thread.own_lane(state).as_mut() }
            && let Err(error) = lane.terminate(&meta)
        {
            lane.session.stop(&error);
        }
    });
}

/// The name of the calling thread; empty if it only has that of the process.
fn thread_name_in(session: &SessionCore) -> String {
    // SAFETY: plain system calls.
    if unsafe { libc::gettid() == libc::getpid() } {
        return "main".to_owned();
    }
    let name = kernel_name();
    if name == session.process_name { String::new() } else { name }
}

/// The name of the process, which is that of its first thread.
pub(crate) fn process_name() -> String {
    std::fs::read_to_string("/proc/self/comm").map(|name| name.trim_end_matches('\n').to_owned()).unwrap_or_default()
}

/// The calling thread's name as the kernel has it: at most 15 bytes, but threads of every language have it.
fn kernel_name() -> String {
    let mut name = [0_u8; 16];
    // SAFETY: the call writes at most 16 bytes.
    unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
    let len = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
    String::from_utf8_lossy(&name[..len]).into_owned()
}

fn close_at_thread_exit(lane: *mut Lane) {
    static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
    let key = *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: `key` is valid for the write.
        (unsafe { libc::pthread_key_create(&mut key, Some(thread_exits)) } == 0).then_some(key)
    });
    if let Some(key) = key {
        // SAFETY: the key exists. Without it the lane would stay open, which readers take for what it is.
        unsafe { libc::pthread_setspecific(key, lane.cast()) };
    }
}

extern "C" fn thread_exits(lane: *mut libc::c_void) {
    with(|thread| {
        if !thread.leaving.replace(true) {
            // There will be another round for this.
            close_at_thread_exit(lane.cast());
        } else {
            thread.let_go();
        }
    });
}
