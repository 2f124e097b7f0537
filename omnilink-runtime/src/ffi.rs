//! The C interface, as `cpp-shim/include/omnilink.h` declares and documents it.
//!
//! Thin: every function turns pointers into references and calls the Rust function of the same name. The fuzz loop and its
//! random choices have files of their own.
//!
//! # Safety
//! Of all functions: pointers are as the header says, valid for the call; strings end with a NUL or have the given length;
//! callbacks do not unwind.
#![allow(clippy::missing_safety_doc, reason = "one contract for all, above")]

mod fuzz;
mod random;

pub use fuzz::*;
pub use random::*;

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_void};
use std::sync::Mutex;

use omnilink_trace::encode::Encoder;
use omnilink_trace::layout::MAX_PARAMS;

use crate::lasting::lasting;
use crate::meta::Meta;
use crate::op::Op;
use crate::session::Session;
use crate::site::{ActionDef, Site};
use crate::to_tla::ToTla;
use crate::{current, op, thread};

/// `omnilink_action`.
#[repr(C)]
#[derive(Debug)]
pub struct CAction {
    name: *const c_char,
    params: *const *const c_char,
    params_len: usize,
}

/// `omnilink_encode`.
pub type CEncode = extern "C" fn(&mut Encoder<'_>, *const c_void);

/// A value that a callback describes.
struct Described {
    encode: CEncode,
    value: *const c_void,
}

impl ToTla for Described {
    fn encode(&self, out: &mut Encoder<'_>) {
        (self.encode)(out, self.value);
    }
}

/// The text of a C string.
unsafe fn text<'a>(string: *const c_char) -> Cow<'a, str> {
    if string.is_null() {
        return Cow::Borrowed("");
    }
    // SAFETY: a C string, by the contract.
    unsafe { CStr::from_ptr(string) }.to_string_lossy()
}

/// The text of a C string, for as long as the process lives.
unsafe fn lasting_text(string: *const c_char) -> &'static str {
    // SAFETY: by the contract.
    lasting(unsafe { text(string) }.into())
}

/// The text of so many bytes.
unsafe fn text_of<'a>(bytes: *const c_char, len: usize) -> Cow<'a, str> {
    if len == 0 {
        return Cow::Borrowed("");
    }
    // SAFETY: valid for `len` bytes, by the contract.
    String::from_utf8_lossy(unsafe { std::slice::from_raw_parts(bytes.cast(), len) })
}

/// So many elements; there may be none, and no address then.
unsafe fn slice_of<'a, T>(elements: *const T, len: usize) -> &'a [T] {
    if len == 0 {
        return &[];
    }
    // SAFETY: valid for `len` elements, by the contract.
    unsafe { std::slice::from_raw_parts(elements, len) }
}

/// Actions that live as long as the process, as sites do.
unsafe fn actions_of(actions: *const CAction, len: usize) -> &'static [ActionDef] {
    // SAFETY: by the contract.
    let actions = unsafe { slice_of(actions, len) }.iter().map(|action| unsafe {
        let params = slice_of(action.params, action.params_len).iter().map(|&param| lasting_text(param));
        ActionDef { name: lasting_text(action.name), params: lasting(params.collect::<Box<[_]>>()) }
    });
    lasting(actions.collect::<Box<[_]>>())
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_site_new(actions: *const CAction, len: usize) -> Option<&'static Site> {
    // SAFETY: by the contract.
    let actions = unsafe { actions_of(actions, len) };
    let params = params_of(actions)?;
    Some(lasting(Box::new(Site::new(actions, lasting(params.into_boxed_slice())))))
}

/// The union of the actions' parameters in order of first appearance. None if there is no action, or if they are too many.
fn params_of(actions: &'static [ActionDef]) -> Option<Vec<&'static str>> {
    let mut params: Vec<&'static str> = Vec::new();
    for &param in actions.iter().flat_map(|action| action.params) {
        if !params.contains(&param) {
            params.push(param);
        }
    }
    (!actions.is_empty() && params.len() <= MAX_PARAMS).then_some(params)
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_site_with_results(
    actions: *const CAction,
    len: usize,
    results: *const *const c_char,
    results_len: usize,
) -> Option<&'static Site> {
    // SAFETY: by the contract.
    let actions = unsafe { actions_of(actions, len) };
    // SAFETY: by the contract.
    let results: Vec<_> = unsafe { slice_of(results, results_len).iter().map(|&result| text(result)).collect() };
    let params = params_of(actions)?;
    if !results.iter().all(|result| params.iter().any(|param| result == param)) {
        return None;
    }
    let of_action = actions.iter().map(|action| -> &'static [&'static str] {
        let own = action.params.iter().copied().filter(|param| results.iter().any(|result| result == param));
        lasting(own.collect::<Box<[_]>>())
    });
    let results = lasting(of_action.collect::<Box<[_]>>());
    Some(lasting(Box::new(Site::new(actions, lasting(params.into_boxed_slice())).results(results))))
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_site_param(site: &Site, name: *const c_char) -> i32 {
    // SAFETY: by the contract.
    site.param(&unsafe { text(name) }).map_or(-1, i32::from)
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_begin(site: &'static Site) -> Op {
    op::begin(site)
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_enter(site: &'static Site) -> Op {
    op::enter(site)
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_enter_async(site: &'static Site) -> Op {
    op::enter_async(site).into_op()
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_start(op: &mut Op) {
    op.start();
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_is_recording(op: &Op) -> bool {
    op.is_recording()
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_refine_start(op: &mut Op) {
    op.refine_start();
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_refine_end(op: &mut Op) {
    op.refine_end();
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_returned(op: &mut Op) {
    op.returned();
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_choose(op: &mut Op, action: u16) {
    op.choose(action);
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_abort(op: &mut Op, reason: *const c_char, reason_len: usize) {
    // SAFETY: by the contract.
    op.abort(&unsafe { text_of(reason, reason_len) });
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_end(op: &mut Op) {
    op.take().end();
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_discard(op: &mut Op) {
    op.take().discard();
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_drop(op: &mut Op) {
    drop(op.take());
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_indeterminate(op: &mut Op, reason: *const c_char, reason_len: usize) {
    // SAFETY: by the contract.
    op.take().indeterminate(&unsafe { text_of(reason, reason_len) });
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_put_bool(encoder: &mut Encoder<'_>, value: bool) {
    encoder.bool(value);
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_put_int(encoder: &mut Encoder<'_>, value: i64) {
    encoder.int(value);
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_put_uint(encoder: &mut Encoder<'_>, value: u64) {
    value.encode(encoder);
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_put_str(encoder: &mut Encoder<'_>, value: *const c_char, len: usize) {
    // SAFETY: by the contract.
    encoder.str(&unsafe { text_of(value, len) });
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_put_tuple(encoder: &mut Encoder<'_>, len: usize, elements: CEncode, value: *const c_void) {
    encoder.tuple(len, |encoder| elements(encoder, value));
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_put_set(encoder: &mut Encoder<'_>, elements: CEncode, value: *const c_void) {
    encoder.set(|encoder| elements(encoder, value));
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_put_function(encoder: &mut Encoder<'_>, len: usize, pairs: CEncode, value: *const c_void) {
    encoder.function(len, |encoder| pairs(encoder, value));
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_arg(op: &mut Op, param: u16, encode: CEncode, value: *const c_void) {
    op.arg(param, &Described { encode, value });
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_arg_bool(op: &mut Op, param: u16, value: bool) {
    op.arg(param, &value);
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_arg_int(op: &mut Op, param: u16, value: i64) {
    op.arg(param, &value);
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_arg_uint(op: &mut Op, param: u16, value: u64) {
    op.arg(param, &value);
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_arg_str(op: &mut Op, param: u16, value: *const c_char, len: usize) {
    if op.is_recording() {
        // SAFETY: by the contract.
        op.arg(param, &*unsafe { text_of(value, len) });
    }
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_meta(op: &mut Op, key: *const c_char, encode: CEncode, value: *const c_void) {
    // SAFETY: by the contract.
    op.meta(&unsafe { text(key) }, &Described { encode, value });
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_current_refine_start() {
    current::refine_start();
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_current_refine_end() {
    current::refine_end();
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_current_abort(reason: *const c_char, reason_len: usize) {
    // SAFETY: by the contract.
    current::abort(&unsafe { text_of(reason, reason_len) });
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_current_meta(key: *const c_char, encode: CEncode, value: *const c_void) {
    // SAFETY: by the contract.
    current::meta(&unsafe { text(key) }, &Described { encode, value });
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_open_lane(name: *const c_char) {
    // SAFETY: by the contract.
    thread::open_lane(&unsafe { text(name) });
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_terminate(note: Option<extern "C" fn(&mut Meta, *const c_void)>, value: *const c_void) {
    thread::terminate(|meta| {
        if let Some(note) = note {
            note(meta, value);
        }
    });
}

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_note(notes: &mut Meta, key: *const c_char, encode: CEncode, value: *const c_void) {
    // SAFETY: by the contract.
    notes.set(&unsafe { text(key) }, &Described { encode, value });
}

/// `omnilink_session_options`.
#[repr(C)]
#[derive(Debug)]
pub struct CSessionOptions {
    directory: *const c_char,
    spec: *const c_char,
    next: *const c_char,
    actions: *const CAction,
    actions_len: usize,
    has_seed: bool,
    seed: u64,
}

/// `omnilink_summary`.
#[repr(C)]
#[derive(Debug)]
pub struct CSummary {
    events: u64,
    lanes: u32,
    stopped: bool,
}

/// The session that C has started.
static SESSION: Mutex<Option<Session>> = Mutex::new(None);

/// See the header.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omnilink_session_start(
    options: &CSessionOptions,
    message: *mut c_char,
    message_len: usize,
) -> bool {
    // SAFETY: by the contract.
    let mut builder = unsafe {
        Session::builder()
            .spec(text(options.spec), text(options.next))
            .actions(actions_of(options.actions, options.actions_len))
    };
    if !options.directory.is_null() {
        // SAFETY: by the contract.
        builder = builder.directory(&*unsafe { text(options.directory) });
    }
    if options.has_seed {
        builder = builder.seed(options.seed);
    }
    match builder.start() {
        Ok(session) => {
            *SESSION.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(session);
            true
        }
        Err(error) => {
            // SAFETY: by the contract.
            unsafe { copy_message(&error.to_string(), message, message_len) };
            false
        }
    }
}

/// Copies as much of a message as fits, as a C string.
unsafe fn copy_message(message: &str, place: *mut c_char, place_len: usize) {
    if place.is_null() || place_len == 0 {
        return;
    }
    let len = message.len().min(place_len - 1);
    // SAFETY: `len + 1` bytes fit, by the contract of the callers.
    unsafe {
        std::ptr::copy_nonoverlapping(message.as_ptr().cast(), place, len);
        place.add(len).write(0);
    }
}

/// See the header.
#[unsafe(no_mangle)]
pub extern "C" fn omnilink_session_finish(exit_code: i32, summary: Option<&mut CSummary>) -> bool {
    let Some(session) = SESSION.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take() else { return false };
    session.set_exit_code(exit_code);
    let finished = session.finish();
    if let Some(summary) = summary {
        *summary = CSummary { events: finished.events, lanes: finished.lanes, stopped: finished.stopped.is_some() };
    }
    true
}
