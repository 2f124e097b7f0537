//! A lane: the file that a thread records to, and the call that is in flight there.
//!
//! A lane is written by one thread at a time: a thread's own lane by that thread, a pooled lane by whoever holds the
//! call that claimed it. It holds at most one call. The life of a call:
//!
//! ```text
//!   prepare ─► arg* ─► start ─► (arg | meta | refine)* ─► returned ─► (arg | meta)* ─► commit
//!      └──────────────────┴──────────────────────────────────┴───────────────────────► discard
//! ```
//!
//! `start` and `commit` are the two moments that a reader of the file can tell apart, see [`crate::control`].

use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use omnilink_trace::encode::{Buffer, EncodeError, EventPrefix, LaneHeader, write_control, write_terminated};
use omnilink_trace::layout::{self, DATA_OFFSET};

use crate::args::{Args, HEAD};
use crate::clock::Clock;
use crate::control::Control;
use crate::mapping::{LaneFile, MapError, Window};
use crate::meta::Meta;
use crate::session::SessionCore;
use crate::site::Site;
use crate::stream::Stream;
use crate::supply::Supply;
use crate::table::{IN_ORDER, Table, TableFull, append};

/// Why a lane cannot be written any further.
#[derive(Debug)]
pub(crate) enum LaneError {
    Map(MapError),
    TooManyActions,
}

impl From<MapError> for LaneError {
    fn from(error: MapError) -> Self {
        Self::Map(error)
    }
}

impl From<TableFull> for LaneError {
    fn from(_: TableFull) -> Self {
        Self::TooManyActions
    }
}

/// What the recorder knows of a lane, whoever is writing it.
#[derive(Debug)]
pub(crate) struct LaneView {
    /// The lane's control block; valid while the lane is in its session's register.
    control: NonNull<Control>,
    /// Events committed.
    events: AtomicU64,
}

// SAFETY: what is shared is atomic.
unsafe impl Send for LaneView {}
// SAFETY: as above.
unsafe impl Sync for LaneView {}

impl LaneView {
    #[inline]
    pub fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
    }

    /// Calls that begin at or after `time` are not recorded.
    ///
    /// # Safety
    /// The lane must not have been closed.
    pub unsafe fn stop(&self, time: u64, reason: u32) {
        // SAFETY: the lane is open, so its control block is mapped; `stop` touches only atomic fields.
        unsafe { self.control.as_ref() }.stop(time, reason);
    }
}

/// See the module's documentation.
pub(crate) struct Lane {
    /// The recorder that this lane belongs to.
    pub session: &'static SessionCore,
    /// That recorder's generation.
    pub generation: u32,
    pub index: u32,
    /// Returns to the pool after a call; else it is a thread's own.
    pub pooled: bool,
    /// If the call is the one that is open on its thread: the lane of the call around it, or null.
    pub outer: Option<*mut Lane>,
    clock: Clock,
    file: Arc<LaneFile>,
    /// Where the control block is mapped.
    block: Window,
    control: NonNull<Control>,
    stream: Stream,
    table: Table,
    view: Arc<LaneView>,
    last_end: u64,
    call: Call,
}

/// The call in flight.
#[derive(Debug)]
struct Call {
    site: Option<&'static Site>,
    progress: Progress,
    start: u64,
    /// Once it has ended.
    end: u64,
    args: Args,
    meta: Meta,
}

/// How far the call has got; small enough to be reset by one store.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(8))]
struct Progress {
    /// The site's entry in the lane's table.
    entry: u16,
    /// Which of the site's actions it is, once that is known; else [`UNDECIDED`].
    chosen: u16,
    outcome: u8,
    /// The timebox has started.
    started: bool,
    /// The timebox has ended.
    ended: bool,
}

/// No action is chosen. No site has so many.
const UNDECIDED: u16 = u16::MAX;

impl Progress {
    #[inline]
    fn prepared(entry: u16) -> Self {
        Self { entry, chosen: UNDECIDED, outcome: layout::OUTCOME_DONE, started: false, ended: false }
    }
}

impl Lane {
    /// Opens lane `index` of a session for a thread of the given name.
    pub fn open(session: &'static SessionCore, index: u32, name: &str, pooled: bool) -> Result<Self, LaneError> {
        let file = Arc::new(LaneFile::create(session.directory.join(layout::lane_file_name(index)))?);
        let (block, stream) = Self::write_head(session, index, name, &file).inspect_err(|_| file.remove())?;
        let control = control(&block);
        Ok(Self {
            session,
            generation: session.generation,
            index,
            pooled,
            outer: None,
            clock: session.clock,
            file,
            block,
            control,
            stream,
            table: Table::new(session.actions),
            view: Arc::new(LaneView { control, events: AtomicU64::new(0) }),
            last_end: 0,
            // SAFETY: the call goes with the lane, whose window it is, and whose owner alone writes.
            call: Call::none(unsafe { Args::new(control) }),
        })
    }

    /// Writes the control block and the header, and commits them.
    fn write_head(
        session: &SessionCore,
        index: u32,
        name: &str,
        file: &Arc<LaneFile>,
    ) -> Result<(Window, Stream), MapError> {
        let header = LaneHeader {
            spec: &session.spec,
            next: &session.next,
            clock: session.clock.kind.name(),
            lane: index,
            name,
            seed: session.seed,
        };
        let mut bytes = Vec::new();
        append(&mut bytes, |out| header.write(out, session.actions.iter().map(|action| (action.name, action.params))));

        let block = file.map(0..DATA_OFFSET, 0..DATA_OFFSET)?;
        let supply = Supply::new(Arc::clone(file), DATA_OFFSET, session.orders());
        let mut stream = Stream::new(supply, DATA_OFFSET)?;
        stream.room(bytes.len())?[..bytes.len()].copy_from_slice(&bytes);
        stream.advance(bytes.len());
        // SAFETY: the window was just made, nobody else knows of it, and it is as long as a control block.
        write_control(unsafe { std::slice::from_raw_parts_mut(block.at(0).as_ptr(), DATA_OFFSET as usize) });
        // SAFETY: the block is mapped and now holds a control block.
        unsafe { control(&block).as_ref() }.commit(stream.position() - DATA_OFFSET);
        Ok((block, stream))
    }

    /// The control block of this lane's file.
    #[inline]
    pub fn control(&self) -> &Control {
        // SAFETY: mapped as long as the lane lives. Other threads and processes touch only its atomic fields.
        unsafe { self.control.as_ref() }
    }

    pub fn view(&self) -> &Arc<LaneView> {
        &self.view
    }

    /// True if a call is prepared or in flight.
    pub fn is_busy(&self) -> bool {
        self.call.site.is_some()
    }

    /// Claims the lane for a call at `site`; the clock is not read yet.
    pub fn prepare(&mut self, site: &'static Site, outer: Option<*mut Lane>) -> Result<(), LaneError> {
        if !self.prepare_known(site, outer) {
            self.define(site)?;
            self.prepare_known(site, outer);
        }
        Ok(())
    }

    /// As [`prepare`](Self::prepare), if the site was used in this lane before; says whether it was.
    #[inline(always)]
    pub fn prepare_known(&mut self, site: &'static Site, outer: Option<*mut Lane>) -> bool {
        let Some(entries) = self.table.get(site) else { return false };
        self.call.progress = Progress::prepared(entries.entry);
        self.outer = outer;
        self.call.args.clear(site.params().len());
        if !self.call.meta.is_empty() {
            self.call.meta.clear();
        }
        self.call.site = Some(site);
        true
    }

    fn define(&mut self, site: &'static Site) -> Result<(), LaneError> {
        let mut definitions = Vec::new();
        self.table.define(site, &mut definitions)?;
        self.append(&definitions)?;
        Ok(())
    }

    /// Appends whole records to the stream.
    fn append(&mut self, records: &[u8]) -> Result<(), MapError> {
        self.stream.room(records.len())?[..records.len()].copy_from_slice(records);
        self.publish(records.len());
        Ok(())
    }

    /// The next `len` bytes of the stream are valid.
    #[inline]
    fn publish(&mut self, len: usize) {
        self.stream.advance(len);
        self.control().commit(self.stream.position() - DATA_OFFSET);
    }

    /// The call begins now.
    #[inline]
    pub fn start(&mut self) {
        self.call.progress.started = true;
        self.call.start = self.now();
        let entry = self.call.progress.entry;
        self.control().begin(self.view.events(), entry, self.call.start);
        omnilink_action_begins(u32::from(entry), self.call.start);
    }

    /// The time, but not before the end of the lane's last call: if the thread has moved to a core whose clock is behind,
    /// the calls still happened in this order. Comparisons with other lanes stay right, because there readers allow for
    /// the uncertainty of the clock.
    #[inline]
    fn now(&self) -> u64 {
        self.clock.start().max(self.last_end)
    }

    /// The call really begins now.
    pub fn refine_start(&mut self) {
        if self.call.progress.started {
            self.call.start = self.now();
            self.control().refine_start(self.call.start);
        }
    }

    /// The call is really over now.
    #[inline]
    pub fn refine_end(&mut self) {
        self.call.end = self.clock.end();
        self.call.progress.ended = true;
    }

    /// The call has returned: that is its end, unless `refine_end` has told it already.
    #[inline]
    pub fn returned(&mut self) {
        if !self.call.progress.ended {
            self.refine_end();
        }
    }

    /// The site of the call.
    #[inline]
    pub fn site(&self) -> Option<&'static Site> {
        self.call.site
    }

    /// Where the next argument can be encoded. The bytes stay the caller's until the next call on this lane.
    #[inline]
    pub fn arg_room(&self) -> NonNull<[u8]> {
        self.call.args.room()
    }

    /// Records an integer if it is the next argument in order; says whether it was.
    #[inline]
    pub fn put_next_int(&mut self, param: u16, value: i64) -> bool {
        self.call.args.put_next_int(param, value)
    }

    /// An argument was encoded into the first `len` bytes of the room.
    #[inline]
    pub fn accept_arg(&mut self, param: u16, len: usize) {
        self.call.args.accept(param, len);
    }

    /// An argument has no room in the slot; these are its bytes.
    pub fn accept_oversized_arg(&mut self, param: u16, bytes: Vec<u8>) {
        self.call.args.accept_oversized(param, bytes);
    }

    /// An argument could not be encoded.
    pub fn reject_arg(&mut self, param: u16, error: EncodeError) {
        let params = self.call.site.map_or(&[][..], |site| site.params());
        let name = params.get(usize::from(param)).copied().unwrap_or("?");
        self.call.meta.set(&format!("{}{name}", layout::META_UNKNOWN), &error.to_string());
        self.call.args.reject(param);
    }

    /// Which of its site's actions the call turned out to be.
    #[inline]
    pub fn choose(&mut self, action: u16) {
        self.call.progress.chosen = action;
    }

    /// The call took no effect.
    pub fn abort(&mut self, reason: &str) {
        self.call.progress.outcome = layout::OUTCOME_ABORTED;
        self.call.meta.set(layout::META_ABORT, reason);
    }

    /// Nobody knows whether the call took effect: it was left in the way that the meta `key` names.
    pub fn indeterminate(&mut self, key: &str, message: &str) {
        self.call.progress.outcome = layout::OUTCOME_INDETERMINATE;
        self.call.meta.set(key, message);
    }

    /// What the user notes about the call.
    pub fn meta(&mut self) -> &mut Meta {
        &mut self.call.meta
    }

    /// The call did not happen.
    pub fn discard(&mut self) {
        self.call.site = None;
        self.control().discard();
    }

    /// The call is over: its record goes into the stream, if it is as most are: one action, a few small arguments, given in order,
    /// nothing noted, and there is room. Else only its end is fixed; says whether it was so.
    #[inline(always)]
    pub fn commit_usual(&mut self) -> bool {
        let end = if self.call.progress.ended { self.call.end } else { self.clock.end() };
        match self.write_usual(end) {
            Some(len) => {
                self.publish(len);
                self.count(end);
                true
            }
            None => {
                self.call.end = end;
                self.call.progress.ended = true;
                false
            }
        }
    }

    /// The call is over, whatever it is: its record goes into the stream. On an error it stays in the slot, pending for ever.
    /// A call that never started has not happened.
    pub fn commit(&mut self) -> Result<(), LaneError> {
        let Some(site) = self.call.site else { return Ok(()) };
        if !self.call.progress.started {
            self.discard();
            return Ok(());
        }
        self.returned();
        let appended = self.append_record(site);
        match appended {
            Ok(()) => self.count(self.call.end),
            Err(_) => self.call.site = None,
        }
        Ok(appended?)
    }

    /// The lane has one more event, and is idle.
    #[inline]
    fn count(&mut self, end: u64) {
        self.call.site = None;
        self.last_end = end.max(self.call.start);
        self.view.events.store(self.view.events() + 1, Ordering::Relaxed);
    }

    /// Writes the record of a usual call that has ended now. Returns its length, or nothing if the call is another or there is no room left.
    #[inline]
    fn write_usual(&mut self, end: u64) -> Option<usize> {
        const PREFIX: usize = EventPrefix::USUAL_LEN;
        let Progress { chosen: UNDECIDED, started: true, .. } = self.call.progress else { return None };
        let params = self.call.site?.params().len();
        if !self.call.meta.is_empty() {
            return None;
        }
        let (args, args_len) = self.call.args.usual(params)?;
        let prefix = self.call.prefix(params, end);
        let record = self.stream.rest().first_chunk_mut::<{ PREFIX + HEAD }>()?;
        record[..=PREFIX].copy_from_slice(&prefix.usual()?);
        record[PREFIX..].copy_from_slice(args);
        Some(PREFIX + args_len)
    }

    /// Appends the record of any call.
    fn append_record(&mut self, site: &'static Site) -> Result<(), MapError> {
        let Self { call, table, stream, .. } = self;
        let (entry, params) = match call.progress.chosen {
            UNDECIDED => (call.progress.entry, &IN_ORDER[..site.params().len()]),
            chosen => table.action(site, chosen, call.progress.entry),
        };
        let mut prefix = EventPrefix { entry, ..call.prefix(params.len(), call.end) };
        if !call.args.cover(params) {
            prefix.flags |= layout::FLAG_UNKNOWN;
        }
        if !call.meta.is_empty() {
            prefix.flags |= layout::FLAG_META;
        }
        let need = EventPrefix::MAX_LEN + call.args.max_len(params.len()) + call.meta.max_len();
        let mut out = Buffer::new(stream.room(need)?);
        prefix.write(&mut out);
        call.args.write(params, &mut out);
        if !call.meta.is_empty() {
            call.meta.write(&mut out);
        }
        let len = out.len();
        self.publish(len);
        Ok(())
    }

    /// Records that the lane's thread terminates.
    pub fn terminate(&mut self, meta: &Meta) -> Result<(), LaneError> {
        let time = self.now();
        let mut record = Vec::new();
        append(&mut record, |out| {
            write_terminated(out, time);
            meta.write(out);
        });
        self.append(&record)?;
        self.last_end = time;
        Ok(())
    }

    /// Gives up the file: marks it closed and cuts off what was reserved and not used. A call in flight stays pending.
    pub fn close(self) {
        self.control().close();
        let len = self.stream.position();
        drop((self.block, self.stream.close()));
        // If it fails, the file is longer than it needs to be.
        let _ = self.file.truncate(len);
    }
}

/// The control block in a window that shows the head of a lane file.
fn control(block: &Window) -> NonNull<Control> {
    block.at(0).cast()
}

impl Call {
    /// What its record begins with, if it is the action or choice of its site and ended then.
    #[inline]
    fn prefix(&self, params: usize, end: u64) -> EventPrefix {
        EventPrefix {
            entry: self.progress.entry,
            start: self.start,
            duration: end.saturating_sub(self.start),
            flags: self.progress.outcome,
            args: params as u32,
        }
    }

    fn none(args: Args) -> Self {
        Self { site: None, progress: Progress::prepared(0), start: 0, end: 0, args, meta: Meta::default() }
    }
}

/// Every action passes through here when it begins. It does nothing: it is a place where a debugger can wait for one
/// particular action, by the clock reading that its record starts with.
///
/// `entry` is the action's number in the table of its lane's file.
#[unsafe(no_mangle)]
#[inline(never)]
pub extern "C" fn omnilink_action_begins(entry: u32, start: u64) {
    // SAFETY: no instruction at all; the operands keep the arguments alive up to this point.
    unsafe {
        std::arch::asm!("/* {0} {1} */", in(reg) u64::from(entry), in(reg) start, options(nostack, preserves_flags))
    };
}
