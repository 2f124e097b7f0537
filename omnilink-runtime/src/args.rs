//! The arguments of the call in flight.
//!
//! They are encoded into the slot of the control block as they come, where they survive the program. What does not fit
//! there is kept in memory: should the program die before the call ends, that argument is unknown, and the slot says so.

use std::ptr::NonNull;

use omnilink_trace::encode::{Buffer, MAX_INT_LEN, write_int, write_unknown};
use omnilink_trace::layout::{MAX_PARAMS, SLOT_AREA_LEN};

use crate::control::Control;

/// Arguments up to this many bytes are copied in one go.
pub(crate) const HEAD: usize = 32;

/// Which arguments were given, and where their bytes are.
#[derive(Debug)]
pub(crate) struct Args {
    control: NonNull<Control>,
    shape: Shape,
    /// Arguments that have no room in the slot; those without bytes could not be encoded.
    oversized: Vec<(u16, Vec<u8>)>,
}

/// What is known of the arguments. The lane's table has that of a call without any yet, to be copied by one store.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(8))]
pub(crate) struct Shape {
    /// Parameters that the call has.
    params: u16,
    /// As many, while the arguments are those of parameters 0, 1, 2, …, and there is room for an integer for each of
    /// the rest. Else 0.
    in_order: u16,
    /// How far the slot is filled with them.
    filled: Filled,
}

/// How far a slot is filled with arguments: their number, and in the upper half, where the last one ends in the
/// argument area.
#[derive(Debug, Clone, Copy)]
struct Filled(u32);

impl Filled {
    #[inline]
    fn count(self) -> u16 {
        self.0 as u16
    }

    #[inline]
    fn end(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// With another argument of `len` bytes. Both halves at once: arguments wait here for the one before.
    #[inline]
    fn and_one_of(self, len: usize) -> Self {
        Self(self.0 + ((len as u32) << 16) + 1)
    }
}

/// Where arguments reach beyond this, there might be no room for integers for all the others.
const IN_ORDER_LEN: usize = SLOT_AREA_LEN - MAX_PARAMS * MAX_INT_LEN;

impl Shape {
    /// The shape of a call with so many parameters before any argument is given.
    pub fn empty(params: usize) -> Self {
        Self { params: params as u16, in_order: params as u16, filled: Filled(0) }
    }
}

impl Args {
    /// The arguments in the slot of a control block.
    ///
    /// # Safety
    /// The control block must stay mapped as long as the arguments are used, and nobody else may write its slot.
    pub unsafe fn new(control: NonNull<Control>) -> Self {
        Self { control, shape: Shape::empty(0), oversized: Vec::new() }
    }

    #[inline]
    fn control(&self) -> &Control {
        // SAFETY: mapped, as promised to `new`.
        unsafe { self.control.as_ref() }
    }

    /// The whole argument area.
    #[inline]
    fn area(&self) -> &[u8; SLOT_AREA_LEN] {
        // SAFETY: the area is mapped and initialised, and nobody else writes it, as promised to `new`.
        unsafe { self.control().area().cast().as_ref() }
    }

    /// Begins with the arguments of the next call: `empty` is their shape.
    #[inline]
    pub fn reset(&mut self, empty: Shape) {
        self.shape = empty;
        self.control().clear_args();
    }

    /// Forgets arguments that the slot had no room for.
    #[inline]
    pub fn clear_oversized(&mut self) {
        if !self.oversized.is_empty() {
            self.oversized.clear();
            self.control().clear_oversized();
        }
    }

    /// Where the next argument can be encoded; empty if the slot has no place left.
    #[inline]
    pub fn room(&self) -> NonNull<[u8]> {
        let filled = self.shape.filled;
        let end = usize::from(filled.end());
        let room = if usize::from(filled.count()) < MAX_PARAMS { SLOT_AREA_LEN - end } else { 0 };
        // SAFETY: no argument ends outside of the area.
        NonNull::slice_from_raw_parts(unsafe { self.control().area().add(end) }, room)
    }

    /// Records an integer if it is the next argument in order; says whether it was.
    #[inline]
    pub fn put_next_int(&mut self, param: u16, value: i64) -> bool {
        let filled = self.shape.filled;
        if param != filled.count() || param >= self.shape.in_order {
            return false;
        }
        // SAFETY: there is room in the area, see `Shape::in_order`, and nobody else writes it.
        let len = write_int(unsafe { self.control().area().add(filled.end().into()).cast().as_mut() }, value);
        self.shape.filled = filled.and_one_of(len);
        self.control().publish_arg(param, param, self.shape.filled.end());
        true
    }

    /// The first `len` bytes of the room are the value of `param`. A later value replaces an earlier one. Says whether
    /// all arguments so far were given in order.
    ///
    /// # Panics
    /// If the call has no such parameter.
    #[inline]
    pub fn accept(&mut self, param: u16, len: usize) -> bool {
        self.check(param);
        let filled = self.shape.filled;
        if param != filled.count() || usize::from(filled.end()) + len > IN_ORDER_LEN {
            self.shape.in_order = 0;
        }
        self.shape.filled = filled.and_one_of(len);
        self.control().publish_arg(filled.count(), param, self.shape.filled.end());
        if !self.oversized.is_empty() {
            self.forget_oversized(param);
        }
        self.shape.in_order == self.shape.params
    }

    #[cold]
    #[inline(never)]
    fn forget_oversized(&mut self, param: u16) {
        self.oversized.retain(|(other, _)| *other != param);
        self.control().retract_oversized(param);
    }

    /// The value of `param` is too large for the room.
    ///
    /// # Panics
    /// If the call has no such parameter.
    pub fn accept_oversized(&mut self, param: u16, bytes: Vec<u8>) {
        self.check(param);
        self.shape.in_order = 0;
        self.oversized.push((param, bytes));
        self.control().publish_oversized(param);
    }

    /// The value of `param` could not be encoded: it is unknown, whatever was given before.
    pub fn reject(&mut self, param: u16) {
        self.accept_oversized(param, Vec::new());
    }

    #[inline]
    fn check(&self, param: u16) {
        if param >= self.shape.params {
            no_such_param(param, self.shape.params);
        }
    }

    /// If there are as many arguments as parameters, and they are small: bytes that begin with them, and their length.
    #[inline]
    pub fn complete(&self) -> Option<(&[u8; HEAD], usize)> {
        let filled = self.shape.filled;
        let end = usize::from(filled.end());
        let complete = filled.count() == self.shape.params && end <= HEAD;
        if complete { self.area().first_chunk().map(|head| (head, end)) } else { None }
    }

    /// True if a value was given for each of `params`.
    pub fn cover(&self, params: &[u16]) -> bool {
        params.iter().all(|&param| self.find(param).is_some())
    }

    /// The bytes of the last value that was given for `param`.
    fn find(&self, param: u16) -> Option<&[u8]> {
        let oversized = self.oversized.iter().rev().find(|(other, _)| *other == param);
        if let Some((_, bytes)) = oversized {
            return (!bytes.is_empty()).then_some(bytes);
        }
        let position =
            (0..self.shape.filled.count()).rev().find(|&position| self.control().published_arg(position).0 == param)?;
        let begin = position.checked_sub(1).map_or(0, |before| self.control().published_arg(before).1);
        let end = self.control().published_arg(position).1;
        Some(&self.area()[usize::from(begin)..usize::from(end)])
    }

    /// Writes the arguments for `params`; one that was never given is unknown.
    pub fn write(&self, params: &[u16], out: &mut Buffer<'_>) {
        for &param in params {
            match self.find(param) {
                Some(bytes) => out.push(bytes),
                None => write_unknown(out),
            }
        }
    }

    /// At most this many bytes are needed to write `params` arguments.
    pub fn max_len(&self, params: usize) -> usize {
        usize::from(self.shape.filled.end())
            + params
            + self.oversized.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
    }
}

#[cold]
#[inline(never)]
fn no_such_param(param: u16, params: u16) -> ! {
    panic!("parameter number {param} of a call that has {params}");
}
