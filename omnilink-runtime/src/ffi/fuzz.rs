//! The fuzz loop for C: [`Fuzz`] with closures that call back.
//!
//! An exception must not unwind through this code. The callback catches it and reports it with `omnilink_fail`; once
//! the callback has returned, the report goes on as a panic, so that the loop treats both alike.

mod settings;

pub use settings::*;

use std::ffi::{CStr, OsStr, OsString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::panic::resume_unwind;
use std::ptr;

use crate::fuzz::sequel::Sequel;
use crate::fuzz::{Attempt, Cleanup, Context, EXIT_USAGE, Fuzz, Options, Random, Start, Unsupported};
use crate::meta::Meta;
use crate::op::Op;

use super::{CAction, actions_of, copy_message, lasting_text, params_of, slice_of, text, text_of};

/// A pointer of the C program's, which it promises to be usable from every thread.
#[derive(Debug, Clone, Copy)]
#[repr(transparent)]
pub struct Shared(*mut c_void);

// SAFETY: by the promise; it is only handed back, never dereferenced here.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    /// A method, so that closures capture all of it and not the pointer inside, which is not `Sync`.
    fn get(self) -> *mut c_void {
        self.0
    }
}

/// A thread's state.
#[derive(Debug)]
pub struct State {
    pointer: *mut c_void,
    threads: usize,
    hooks: CFuzzHooks,
}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(drop_state) = self.hooks.drop_state {
            drop_state(self.pointer, self.hooks.user.get());
        }
    }
}

/// `omnilink_fuzz`; nothing is left once it has run as a program.
#[derive(Debug)]
pub struct CFuzz(Option<Fuzz<'static, Shared, State>>);

impl CFuzz {
    /// The builder's methods take the fuzzer and give it back.
    fn change(&mut self, change: impl FnOnce(Fuzz<'static, Shared, State>) -> Fuzz<'static, Shared, State>) {
        self.0 = self.0.take().map(change);
    }
}

/// `omnilink_failure`: what a callback says went wrong.
#[derive(Debug, Default)]
pub struct Failure(Option<String>);

impl Failure {
    /// Goes on as a panic, if there is something to report. No panic hook is called: the message is in the report.
    fn raise(self) {
        if let Some(message) = self.0 {
            resume_unwind(Box::new(message));
        }
    }
}

/// `omnilink_fuzz_context`.
#[repr(C)]
#[derive(Debug)]
pub struct CContext<'a> {
    system: *mut c_void,
    state: *mut c_void,
    thread: usize,
    threads: usize,
    random: *mut Random,
    op: *mut Op,
    notes: *mut Meta,
    failure: *mut Failure,
    sequel: *mut Sequel<'a>,
}

type CHook<R> = extern "C" fn(&CContext<'_>, *mut c_void) -> R;

/// `omnilink_fuzz_hooks`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CFuzzHooks {
    make_state: Option<CHook<*mut c_void>>,
    drop_state: Option<extern "C" fn(*mut c_void, *mut c_void)>,
    clean_up: Option<CHook<()>>,
    user: Shared,
}

/// `omnilink_make_system`.
pub type CMakeSystem = extern "C" fn(&Options, &mut Failure, *mut c_void) -> *mut c_void;

/// `omnilink_fuzz_report`.
#[repr(C)]
#[derive(Debug)]
pub struct CFuzzReport {
    seed: u64,
    operations: u64,
    events: u64,
    exit_code: c_int,
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_fuzz_new(spec: *const c_char, hooks: &CFuzzHooks) -> Box<CFuzz> {
    let hooks = *hooks;
    // SAFETY: by the contract.
    let fuzz = Fuzz::with_state(unsafe { text(spec) }, move |start| make_state(start, hooks));
    let fuzz = match hooks.clean_up {
        Some(hook) => fuzz.cleanup(move |cleanup| clean_up(cleanup, hook)),
        None => fuzz,
    };
    Box::new(CFuzz(Some(fuzz)))
}

fn make_state(start: Start<'_, Shared>, hooks: CFuzzHooks) -> State {
    let mut failure = Failure::default();
    let mut state = ptr::null_mut();
    if let Some(hook) = hooks.make_state {
        let context = CContext {
            system: start.system.get(),
            state,
            thread: start.thread,
            threads: start.threads,
            random: start.random,
            op: ptr::null_mut(),
            notes: ptr::null_mut(),
            failure: &mut failure,
            sequel: ptr::null_mut(),
        };
        state = hook(&context, hooks.user.get());
    }
    failure.raise();
    State { pointer: state, threads: start.threads, hooks }
}

fn clean_up(cleanup: Cleanup<'_, Shared, State>, hook: CHook<()>) {
    let mut failure = Failure::default();
    let context = CContext {
        system: cleanup.system.get(),
        state: cleanup.state.pointer,
        thread: cleanup.thread,
        threads: cleanup.state.threads,
        random: cleanup.random,
        op: ptr::null_mut(),
        notes: cleanup.meta,
        failure: &mut failure,
        sequel: ptr::null_mut(),
    };
    hook(&context, cleanup.state.hooks.user.get());
    failure.raise();
}

fn perform(cx: &mut Context<'_, Shared, State>, hook: CHook<bool>, user: Shared) -> Attempt {
    let mut failure = Failure::default();
    let context = CContext {
        system: cx.system.get(),
        state: cx.state.pointer,
        thread: cx.thread(),
        threads: cx.state.threads,
        random: &mut *cx.random,
        op: &mut *cx.op,
        notes: ptr::null_mut(),
        failure: &mut failure,
        sequel: &mut cx.sequel,
    };
    let supported = hook(&context, user.get());
    failure.raise();
    if supported { Ok(()) } else { Err(Unsupported) }
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_fuzz_free(fuzz: Option<Box<CFuzz>>) {
    drop(fuzz);
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_fail(failure: &mut Failure, message: *const c_char, message_len: usize) {
    // SAFETY: by the contract.
    failure.0 = Some(unsafe { text_of(message, message_len) }.into_owned());
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_fuzz_step(
    fuzz: &mut CFuzz,
    name: *const c_char,
    actions: *const CAction,
    actions_len: usize,
    hook: CHook<bool>,
    user: Shared,
) -> bool {
    // SAFETY: by the contract.
    let actions = unsafe { actions_of(actions, actions_len) };
    if params_of(actions).is_none() {
        return false;
    }
    // SAFETY: by the contract.
    let name = unsafe { lasting_text(name) };
    fuzz.change(|fuzz| fuzz.choice(name, actions, move |cx| perform(cx, hook, user)));
    true
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_fuzz_then(context: &CContext<'_>, name: *const c_char, name_len: usize) -> bool {
    // SAFETY: null, or what `perform` points to until the callback returns, by the contract.
    let sequel = unsafe { context.sequel.as_mut() };
    // SAFETY: by the contract.
    sequel.is_some_and(|sequel| sequel.settle(&unsafe { text_of(name, name_len) }))
}

/// A C string that need not be UTF-8.
unsafe fn path(string: *const c_char) -> OsString {
    if string.is_null() {
        return OsString::new();
    }
    // SAFETY: a C string, by the contract.
    OsStr::from_bytes(unsafe { CStr::from_ptr(string) }.to_bytes()).to_owned()
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_fuzz_main(
    fuzz: &mut CFuzz,
    argc: c_int,
    argv: *const *const c_char,
    make_system: Option<CMakeSystem>,
    user: *mut c_void,
) -> c_int {
    let Some(fuzz) = fuzz.0.take() else { return EXIT_USAGE.into() };
    // SAFETY: by the contract.
    let arguments = unsafe { slice_of(argv, usize::try_from(argc).unwrap_or(0)) };
    // SAFETY: by the contract.
    let mut arguments = arguments.iter().map(|&argument| unsafe { path(argument) });
    let program = arguments.next().unwrap_or_default();
    let make_system = |options: &Options| {
        let mut failure = Failure::default();
        let system = make_system.map_or(user, |make_system| make_system(options, &mut failure, user));
        failure.0.map_or(Ok(Shared(system)), Err)
    };
    fuzz.main_with(program, arguments, |name| std::env::var_os(name), make_system).into()
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_fuzz_run(
    fuzz: &CFuzz,
    system: Shared,
    report: Option<&mut CFuzzReport>,
    message: *mut c_char,
    message_len: usize,
) -> bool {
    let result = fuzz.0.as_ref().map(|fuzz| fuzz.run(&system).map_err(|error| error.to_string()));
    let result = result.unwrap_or_else(|| Err("the fuzzer has already run as a program".to_owned()));
    let text = result.as_ref().map_or_else(Clone::clone, ToString::to_string);
    // SAFETY: by the contract.
    unsafe { copy_message(&text, message, message_len) };
    if let (Some(place), Ok(report)) = (report, &result) {
        *place = CFuzzReport {
            seed: report.seed,
            operations: report.operations(),
            events: report.events,
            exit_code: report.exit_code().into(),
        };
    }
    result.is_ok()
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_options_get(
    options: &Options,
    name: *const c_char,
    value_len: &mut usize,
) -> *const c_char {
    // SAFETY: by the contract.
    let value = options.get(&unsafe { text(name) });
    *value_len = value.map_or(0, str::len);
    value.map_or(ptr::null(), |value| value.as_ptr().cast())
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_options_seed(options: &Options) -> u64 {
    options.seed()
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_options_threads(options: &Options) -> usize {
    options.threads()
}
