//! The last moments of a thread, and of the process: destructors and exit handlers that record.

mod support;

use std::cell::{Cell, RefCell};
use std::thread;

use omnilink_runtime::{Session, begin};
use support::program::Program;
use support::reading::read;
use support::record;

/// Records when it is dropped, under the name of the thread-local variable that it is in.
struct Recorder(&'static str);

impl Recorder {
    /// Not `const`: the variable is to be initialised when it is first used.
    fn new(variable: &'static str) -> Self {
        Self(variable)
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        let mut op = begin(site!(Drop(variable)));
        op.set("variable", self.0);
        op.end();
    }
}

thread_local! {
    static CONST_BEFORE: RefCell<Option<Recorder>> = const { RefCell::new(None) };
    static CONST_AFTER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
    static LAZY_BEFORE: Recorder = Recorder::new("lazy before");
    static LAZY_AFTER: Recorder = Recorder::new("lazy after");
}

/// Touches variables with destructors before and after the thread's first call.
fn use_variables() {
    CONST_BEFORE.set(Some(Recorder("const before")));
    LAZY_BEFORE.with(|_| {});
    begin(site!(First())).end();
    CONST_AFTER.set(Some(Recorder("const after")));
    LAZY_AFTER.with(|_| {});
}

const DROPS: [&str; 4] = [
    "Drop(variable=\"const after\")",
    "Drop(variable=\"const before\")",
    "Drop(variable=\"lazy after\")",
    "Drop(variable=\"lazy before\")",
];

#[test]
fn destructors_of_thread_locals_record() {
    let recorded = record(|| thread::spawn(use_variables).join().unwrap());
    assert_eq!(recorded.lanes.len(), 1, "on the lane of their thread");
    let mut calls = recorded.calls();
    assert_eq!(calls.remove(0), "First()");
    calls.sort_unstable();
    assert_eq!(calls, DROPS);
}

#[test]
fn destructors_of_many_threads_record_while_their_lanes_grow() {
    const THREADS: usize = 50;
    let recorded = record(|| {
        let grow = || {
            use_variables();
            let text = "x".repeat(3000);
            for _ in 0..40 {
                let mut op = begin(site!(Grow(text)));
                op.set("text", &text);
                op.end();
            }
        };
        // Joined one by one: the end of a scope waits for closures, but not for destructors.
        let threads: Vec<_> = (0..THREADS).map(|_| thread::spawn(grow)).collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    assert_eq!(recorded.calls().iter().filter(|call| call.starts_with("Drop")).count(), DROPS.len() * THREADS);
    assert!(recorded.trace.complete());
}

#[test]
fn a_destructor_that_makes_the_threads_first_call_records() {
    let recorded = record(|| thread::spawn(|| LAZY_BEFORE.with(|_| {})).join().unwrap());
    assert_eq!(recorded.calls(), ["Drop(variable=\"lazy before\")"]);
}

/// A key of POSIX threads, whose destructor records, and sets the key again so many times.
fn key() -> libc::pthread_key_t {
    unsafe extern "C" fn record_and_come_again(rounds: *mut libc::c_void) {
        let mut op = begin(site!(Round(left)));
        op.set("left", &(rounds as usize));
        op.end();
        if rounds as usize > 1 {
            // SAFETY: the key exists; its values are plain numbers.
            unsafe { libc::pthread_setspecific(key(), (rounds as usize - 1) as *const libc::c_void) };
        }
    }
    static KEY: std::sync::OnceLock<libc::pthread_key_t> = std::sync::OnceLock::new();
    *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: `key` is valid for the write.
        assert_eq!(unsafe { libc::pthread_key_create(&mut key, Some(record_and_come_again)) }, 0);
        key
    })
}

#[test]
fn destructors_of_posix_threads_record() {
    // The key is made before the recorder's in one run and after it in the other: destructors run in the order of keys.
    for key_first in [true, false] {
        let program = Program::new(|shared| {
            let key_first = std::env::var_os("OMNILINK_TEST_KEY_FIRST").is_some();
            if key_first {
                key();
            }
            let session = Session::builder().directory(shared.join("run")).start().unwrap();
            begin(site!(Main())).end();
            thread::spawn(|| {
                begin(site!(First())).end();
                // SAFETY: the key exists; its values are plain numbers.
                unsafe { libc::pthread_setspecific(key(), 3 as *const libc::c_void) };
            })
            .join()
            .unwrap();
            session.finish();
            0
        });
        let program = if key_first { program.env("OMNILINK_TEST_KEY_FIRST", "1") } else { program };
        let ended = program.run();
        ended.expect_code(0);
        let recorded = read(&ended.shared().join("run"));
        assert!(recorded.trace.complete());
        assert_eq!(recorded.calls(), ["Main()", "First()", "Round(left=3)", "Round(left=2)", "Round(left=1)"]);
    }
}

extern "C" fn record_at_exit() {
    begin(site!(AtExit())).end();
    thread::spawn(|| begin(site!(ThreadAtExit())).end()).join().unwrap();
}

#[test]
fn exit_handlers_record() {
    // Handlers run in reverse: one that is registered before the recorder starts runs after the recorder's own.
    let program = Program::new(|_| {
        // SAFETY: the handler does not unwind.
        unsafe { libc::atexit(record_at_exit) };
        begin(site!(Main())).end();
        // SAFETY: as above.
        unsafe { libc::atexit(record_at_exit) };
        3
    });
    let directory = program.shared().join("run");
    let ended = program.env("OMNILINK_TRACE_DIR", &directory).run();
    ended.expect_code(3);
    let recorded = read(&directory);
    assert!(recorded.trace.complete(), "{:?}", recorded.notices());
    let mut calls = recorded.calls();
    calls.sort_unstable();
    assert_eq!(calls, ["AtExit()", "AtExit()", "Main()", "ThreadAtExit()", "ThreadAtExit()"]);
}

#[test]
fn a_thread_that_ends_inside_a_call_leaves_it_pending() {
    let recorded = record(|| {
        thread::spawn(|| {
            begin(site!(First())).end();
            std::mem::forget(begin(site!(Forgotten())));
        })
        .join()
        .unwrap();
        begin(site!(After())).end();
    });
    assert_eq!(recorded.calls(), ["First()", "Forgotten() Pending", "After()"]);
}

#[test]
fn a_call_that_lives_in_a_thread_local_ends_with_it() {
    thread_local! {
        static CALL: Cell<Option<omnilink_runtime::Op>> = const { Cell::new(None) };
    }
    let recorded = record(|| {
        thread::spawn(|| CALL.set(Some(begin(site!(Kept()))))).join().unwrap();
    });
    assert_eq!(recorded.calls(), ["Kept() Indeterminate omnilink.dropped=\"dropped before it ended\""]);
}
