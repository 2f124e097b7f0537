//! The control block at the head of a lane file, and the protocol by which a lane publishes what it has recorded.
//!
//! One thread at a time writes. Readers come after the process has died (then they see every store that the processor had
//! retired, so program order is all that counts), or look on from outside while it runs (then release and acquire give
//! them the same picture). Either way a call is in exactly one of three places:
//!
//! 1. not begun: the slot's sequence number is 0 or that of a call that is already committed;
//! 2. in flight: the slot's number is that of the next event, and the stream ends before it;
//! 3. committed: the stream contains it, whatever the slot says.
//!
//! *Begin* is the store of the slot's number, after everything else in the slot. *Commit* is the store of the
//! committed length, after the record's bytes. Nothing has to be cleared after a commit: the number is stale by itself.
//! A reader from outside reads the slot first and the committed length after it: in the other order, a call that begins
//! and another that commits in between would both be missed.

use std::cell::UnsafeCell;
use std::ptr::NonNull;

use omnilink_trace::layout::{self, MAX_PARAMS, SLOT_AREA_LEN};

use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// Arguments that the slot has room for, and their bytes. The models need little of either, and have little stack.
const ARGS: usize = if cfg!(loom) { 2 } else { MAX_PARAMS };
const AREA_LEN: usize = if cfg!(loom) { 2 } else { SLOT_AREA_LEN };

/// The control block, as `docs/trace-format.md` lays it out; lives in a shared mapping of the lane's file.
#[repr(C)]
pub(crate) struct Control {
    magic: [u8; 8],
    version: u32,
    data_offset: u32,
    committed: AtomicU64,
    stop_time: AtomicU64,
    state: AtomicU32,
    stop_reason: AtomicU32,
    reserved: [u64; 3],
    slot: Slot,
}

#[repr(C)]
struct Slot {
    sequence: AtomicU64,
    start: AtomicU64,
    entry: AtomicU32,
    count: AtomicU32,
    oversized: AtomicU64,
    table: [AtomicU32; ARGS],
    reserved: [u64; 20],
    area: UnsafeCell<[u8; AREA_LEN]>,
}

#[cfg(target_endian = "big")]
compile_error!("lane files are little-endian and written in place; big-endian machines are not supported");

#[cfg(not(loom))]
const _: () = {
    use std::mem::offset_of;
    assert!(offset_of!(Control, version) == layout::VERSION_AT);
    assert!(offset_of!(Control, data_offset) == layout::DATA_OFFSET_AT);
    assert!(offset_of!(Control, committed) == layout::COMMITTED_AT);
    assert!(offset_of!(Control, stop_time) == layout::STOP_TIME_AT);
    assert!(offset_of!(Control, state) == layout::STATE_AT);
    assert!(offset_of!(Control, stop_reason) == layout::STOP_REASON_AT);
    assert!(offset_of!(Control, slot.sequence) == layout::SLOT_SEQUENCE_AT);
    assert!(offset_of!(Control, slot.start) == layout::SLOT_START_AT);
    assert!(offset_of!(Control, slot.entry) == layout::SLOT_ENTRY_AT);
    assert!(offset_of!(Control, slot.count) == layout::SLOT_COUNT_AT);
    assert!(offset_of!(Control, slot.oversized) == layout::SLOT_OVERSIZED_AT);
    assert!(offset_of!(Control, slot.table) == layout::SLOT_TABLE_AT);
    assert!(offset_of!(Control, slot.area) == layout::SLOT_AREA_AT);
    assert!(size_of::<Control>() == layout::DATA_OFFSET as usize);
};

impl Control {
    /// Forgets the arguments of the call before; the slot still counts as that call's, which is committed or discarded.
    #[inline]
    pub fn clear_args(&self) {
        self.slot.count.store(0, Ordering::Release);
    }

    /// Forgets that arguments of the call before were too large.
    pub fn clear_oversized(&self) {
        self.slot.oversized.store(0, Ordering::Release);
    }

    /// The bytes of the argument area up to `end` now hold the value of `param` at their end.
    #[inline]
    pub fn publish_arg(&self, position: u16, param: u16, end: u16) {
        self.slot.table[usize::from(position)].store(u32::from(end) << 16 | u32::from(param), Ordering::Release);
        self.slot.count.store(u32::from(position) + 1, Ordering::Release);
    }

    /// What [`publish_arg`](Self::publish_arg) said at `position`: the parameter and the end of its bytes.
    #[inline]
    pub fn published_arg(&self, position: u16) -> (u16, u16) {
        let entry = self.slot.table[usize::from(position)].load(Ordering::Relaxed);
        (entry as u16, (entry >> 16) as u16)
    }

    /// The value of `param` was given but is too large for the slot.
    pub fn publish_oversized(&self, param: u16) {
        // A plain read-modify-write would do: only the lane's owner writes.
        self.slot.oversized.fetch_or(1 << param, Ordering::Release);
    }

    /// The value of `param` was given again, and fits now.
    pub fn retract_oversized(&self, param: u16) {
        self.slot.oversized.fetch_and(!(1 << param), Ordering::Release);
    }

    /// The next call is one of this table entry.
    #[inline]
    pub fn name(&self, entry: u16) {
        self.slot.entry.store(u32::from(entry), Ordering::Release);
    }

    /// The call that will be event number `event` of the lane begins.
    #[inline]
    pub fn begin(&self, event: u64, start: u64) {
        self.slot.start.store(start, Ordering::Release);
        // Release: whoever sees this number sees the fields above, and all events before it committed.
        self.slot.sequence.store(event + 1, Ordering::Release);
    }

    /// When the call in flight began.
    #[inline]
    pub fn start(&self) -> u64 {
        self.slot.start.load(Ordering::Relaxed)
    }

    /// The call in flight begins later than was said.
    pub fn refine_start(&self, start: u64) {
        self.slot.start.store(start, Ordering::Release);
    }

    /// The call in flight never happened.
    pub fn discard(&self) {
        self.slot.sequence.store(0, Ordering::Release);
    }

    /// The next `len` bytes of the stream are valid.
    #[inline]
    pub fn commit(&self, len: usize) {
        // Only the lane's owner writes. Release: whoever sees this length sees the bytes.
        self.committed.store(self.committed.load(Ordering::Relaxed) + len as u64, Ordering::Release);
    }

    /// Calls that begin at or after `time` are not recorded. The first word counts.
    pub fn stop(&self, time: u64, reason: u32) {
        if self.stop_time.load(Ordering::Relaxed) == 0 {
            self.stop_reason.store(reason, Ordering::Relaxed);
            self.stop_time.store(time.max(1), Ordering::Release);
        }
    }

    /// The lane's owner will not write any more.
    pub fn close(&self) {
        self.state.store(layout::STATE_CLOSED, Ordering::Release);
    }

    /// The argument area, for the lane's owner.
    #[inline]
    pub fn area(&self) -> NonNull<u8> {
        NonNull::from(&self.slot.area).cast()
    }
}

/// The publication protocol under every schedule with up to three preemptions, and every reordering that the orderings permit.
#[cfg(all(test, loom))]
mod models {
    use super::*;
    use loom::sync::Arc;
    use loom::sync::atomic::fence;

    impl Control {
        fn empty() -> Self {
            let slot = Slot {
                sequence: AtomicU64::new(0),
                start: AtomicU64::new(0),
                entry: AtomicU32::new(0),
                count: AtomicU32::new(0),
                oversized: AtomicU64::new(0),
                table: std::array::from_fn(|_| AtomicU32::new(0)),
                reserved: [0; 20],
                area: UnsafeCell::new([0; AREA_LEN]),
            };
            Self {
                magic: layout::MAGIC,
                version: layout::VERSION,
                data_offset: layout::DATA_OFFSET as u32,
                committed: AtomicU64::new(0),
                stop_time: AtomicU64::new(0),
                state: AtomicU32::new(0),
                stop_reason: AtomicU32::new(0),
                reserved: [0; 3],
                slot,
            }
        }

        /// What a reader from outside sees: the slot's call, if its number held still meanwhile, and then the number of
        /// committed events (in these models every record is one byte long).
        fn observe(&self) -> (Option<Observed>, u64) {
            let sequence = self.slot.sequence.load(Ordering::Acquire);
            let observed = Observed {
                event: sequence.wrapping_sub(1),
                start: self.slot.start.load(Ordering::Acquire),
                entry: self.slot.entry.load(Ordering::Acquire),
                arg: (self.slot.count.load(Ordering::Acquire) > 0).then(|| self.published_arg(0).0),
            };
            fence(Ordering::Acquire);
            // Acquire: if the number has moved on, the call that it was is committed, and must be seen so below.
            let still = self.slot.sequence.load(Ordering::Acquire) == sequence;
            ((sequence != 0 && still).then_some(observed), self.committed.load(Ordering::Acquire))
        }
    }

    struct Observed {
        event: u64,
        start: u64,
        entry: u32,
        arg: Option<u16>,
    }

    // SAFETY: the models share a control block between one writer and one reader that never touches the area.
    unsafe impl Sync for Control {}
    // SAFETY: as above.
    unsafe impl Send for Control {}

    /// Event `n` has entry `n + 10`, start `n + 100` and one argument for parameter `n`.
    fn begin(control: &Control, n: u64) {
        control.clear_args();
        control.publish_arg(0, n as u16, 1);
        control.name(n as u16 + 10);
        control.begin(n, n + 100);
    }

    /// Every schedule with up to three preemptions; without a bound they are too many.
    fn model(test: impl Fn() + Send + Sync + 'static) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(3);
        builder.check(test);
    }

    #[test]
    fn a_call_is_pending_or_committed_never_both_and_never_torn() {
        model(|| {
            let control = Arc::new(Control::empty());
            let begun = Arc::new(AtomicU64::new(0));
            // The bytes of the records, which are not atomic in the mapping, and here have no order of their own.
            let stream = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
            let writer = {
                let (control, begun, stream) = (Arc::clone(&control), Arc::clone(&begun), Arc::clone(&stream));
                loom::thread::spawn(move || {
                    for n in 0..2 {
                        begin(&control, n);
                        begun.store(n + 1, Ordering::Release);
                        stream[n as usize].store(n + 1000, Ordering::Relaxed);
                        control.commit(1);
                    }
                })
            };
            let surely_begun = begun.load(Ordering::Acquire);
            let (slot, committed) = control.observe();
            let pending = slot.filter(|call| call.event == committed);
            assert!(committed + u64::from(pending.is_some()) >= surely_begun, "a call that had begun is nowhere");
            for n in 0..committed {
                assert_eq!(stream[n as usize].load(Ordering::Relaxed), n + 1000, "a committed record is not there");
            }
            if let Some(call) = pending {
                assert_eq!(u64::from(call.entry), call.event + 10);
                assert_eq!(call.start, call.event + 100);
                assert_eq!(call.arg, Some(call.event as u16));
            }
            writer.join().unwrap();
        });
    }

    #[test]
    fn a_discarded_call_is_not_pending() {
        model(|| {
            let control = Arc::new(Control::empty());
            let discarded = Arc::new(AtomicU64::new(0));
            let writer = {
                let (control, discarded) = (Arc::clone(&control), Arc::clone(&discarded));
                loom::thread::spawn(move || {
                    begin(&control, 0);
                    control.discard();
                    discarded.store(1, Ordering::Release);
                })
            };
            let gone = discarded.load(Ordering::Acquire) == 1;
            let (slot, committed) = control.observe();
            assert_eq!(committed, 0);
            assert!(!(gone && slot.is_some()));
            writer.join().unwrap();
        });
    }
}
