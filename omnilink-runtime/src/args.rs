//! The arguments of the call in flight.
//!
//! They are encoded into the slot of the control block as they come, where they survive the program. What does not fit
//! there is kept in memory: should the program die before the call ends, that argument is unknown, and the slot says so.

use std::ptr::NonNull;

use omnilink_trace::encode::{Buffer, EncodedInt, write_unknown};
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

/// What is known of the arguments; small enough to be reset by one store.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(8))]
struct Shape {
    /// Parameters that the call has.
    params: u16,
    /// Bytes of the arguments in the slot.
    len: u16,
    /// They are not those of parameters 0, 1, 2, …, or others were given as well.
    unordered: bool,
}

impl Args {
    /// The arguments in the slot of a control block.
    ///
    /// # Safety
    /// The control block must stay mapped as long as the arguments are used, and nobody else may write its slot.
    pub unsafe fn new(control: NonNull<Control>) -> Self {
        Self { control, shape: Shape { params: 0, len: 0, unordered: false }, oversized: Vec::new() }
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

    /// Forgets the call before; the next one has so many parameters.
    #[inline]
    pub fn clear(&mut self, params: usize) {
        self.shape = Shape { params: params as u16, len: 0, unordered: false };
        self.control().clear_args();
        if !self.oversized.is_empty() {
            self.oversized.clear();
            self.control().clear_oversized();
        }
    }

    /// Where the next argument can be encoded; empty if the slot has no place left.
    #[inline]
    pub fn room(&self) -> NonNull<[u8]> {
        let len = usize::from(self.shape.len);
        let room = if (self.control().args() as usize) < MAX_PARAMS { SLOT_AREA_LEN - len } else { 0 };
        // SAFETY: `len` never exceeds the area.
        NonNull::slice_from_raw_parts(unsafe { self.control().area().add(len) }, room)
    }

    /// Records an integer if it is the next argument in order, and there is room for it; says whether it was.
    #[inline]
    pub fn put_next_int(&mut self, param: u16, value: i64) -> bool {
        let Shape { params, len, unordered } = self.shape;
        let is_next = u32::from(param) == self.control().args() && param < params && !unordered;
        if !is_next || usize::from(len) > SLOT_AREA_LEN - size_of::<EncodedInt>() {
            return false;
        }
        let int = EncodedInt::new(value);
        // SAFETY: inside the area, which nobody else writes.
        unsafe {
            let place = self.control().area().add(usize::from(len));
            place.cast().write_unaligned(int.head);
            if int.len > int.head.len() {
                place.add(int.head.len()).write(int.tail);
            }
        }
        self.shape.len = len + int.len as u16;
        self.control().publish_arg(u32::from(param), param, self.shape.len);
        true
    }

    /// The first `len` bytes of the room are the value of `param`. A later value replaces an earlier one.
    ///
    /// # Panics
    /// If the call has no such parameter.
    #[inline]
    pub fn accept(&mut self, param: u16, len: usize) {
        self.check(param);
        self.shape.len += len as u16;
        let position = self.control().args();
        if u32::from(param) != position {
            self.shape.unordered = true;
        }
        self.control().publish_arg(position, param, self.shape.len);
        if !self.oversized.is_empty() {
            self.forget_oversized(param);
        }
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
        self.shape.unordered = true;
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

    /// Usually the arguments are exactly those of all `params` parameters, in order, and few: then these bytes begin with
    /// them, and this is their length.
    #[inline]
    pub fn usual(&self, params: usize) -> Option<(&[u8; HEAD], usize)> {
        let len = usize::from(self.shape.len);
        let usual = !self.shape.unordered && self.control().args() as usize == params && len <= HEAD;
        if usual { self.area().first_chunk().map(|head| (head, len)) } else { None }
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
            (0..self.control().args()).rev().find(|&position| self.control().published_arg(position).0 == param)?;
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
        usize::from(self.shape.len) + params + self.oversized.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
    }
}

#[cold]
#[inline(never)]
fn no_such_param(param: u16, params: u16) -> ! {
    panic!("parameter number {param} of a call that has {params}");
}
