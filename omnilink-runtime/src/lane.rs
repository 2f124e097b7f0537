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

use omnilink_trace::encode::{
    Buffer, EncodeError, EventPrefix, LaneHeader, UsualPrefix, write_control, write_terminated,
};
use omnilink_trace::layout::{self, DATA_OFFSET};

use crate::args::{Args, HEAD};
use crate::call::{Call, Progress, UNDECIDED};
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
    /// If the lane is among the inner ones of a thread, see [`crate::thread`]: the next one outwards, or null.
    pub outer: Option<*mut Lane>,
    pub clock: Clock,
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
        unsafe { control(&block).as_ref() }.commit(bytes.len());
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
    pub fn prepare(&mut self, site: &'static Site) -> Result<(), LaneError> {
        if !self.prepare_known(site) {
            self.define(site)?;
            self.prepare_known(site);
        }
        Ok(())
    }

    /// As [`prepare`](Self::prepare), if the site was used in this lane before; says whether it was.
    #[inline(always)]
    pub fn prepare_known(&mut self, site: &'static Site) -> bool {
        let Some(entries) = self.table.get(site) else { return false };
        self.call.progress = entries.progress;
        self.call.args.reset(entries.shape);
        self.call.site = Some(site);
        true
    }

    fn define(&mut self, site: &'static Site) -> Result<(), LaneError> {
        let mut definitions = Vec::new();
        self.table.define(site, &mut definitions)?;
        self.append(&definitions)?;
        self.session.declare(site);
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
        self.control().commit(len);
    }

    /// The call begins now.
    #[inline]
    pub fn start(&mut self) {
        self.start_by(self.clock);
    }

    /// As [`start`](Self::start), by a copy of the lane's clock, of which the compiler may know more.
    #[inline]
    pub fn start_by(&mut self, clock: Clock) {
        // As much as possible comes before the clock is read: what follows makes the box wider.
        self.call.progress.started = true;
        let (event, entry) = (self.view.events(), self.call.progress.entry);
        self.control().name(entry);
        let start = self.now(clock);
        self.control().begin(event, start);
        omnilink_action_begins(u32::from(entry), start);
    }

    /// The time, but not before the end of the lane's last call: if the thread has moved to a core whose clock is behind,
    /// the calls still happened in this order. Comparisons with other lanes stay right, because there readers allow for
    /// the uncertainty of the clock.
    #[inline]
    fn now(&self, clock: Clock) -> u64 {
        clock.start().max(self.last_end)
    }

    /// The call really begins now.
    pub fn refine_start(&mut self) {
        if self.call.progress.started {
            let start = self.now(self.clock);
            self.control().refine_start(start);
            omnilink_action_begins(u32::from(self.call.progress.entry), start);
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
        if !self.call.args.accept(param, len) {
            self.call.progress.usual = None;
        }
    }

    /// An argument has no room in the slot; these are its bytes.
    pub fn accept_oversized_arg(&mut self, param: u16, bytes: Vec<u8>) {
        self.call.progress.usual = None;
        self.call.args.accept_oversized(param, bytes);
    }

    /// An argument could not be encoded.
    pub fn reject_arg(&mut self, param: u16, error: EncodeError) {
        let params = self.call.site.map_or(&[][..], |site| site.params());
        let name = params.get(usize::from(param)).copied().unwrap_or("?");
        self.call.notes().set(&format!("{}{name}", layout::META_UNKNOWN), &error.to_string());
        self.call.args.reject(param);
    }

    /// Which of its site's actions the call turned out to be.
    #[inline]
    pub fn choose(&mut self, action: u16) {
        self.call.choose(action);
    }

    /// The call took no effect.
    pub fn abort(&mut self, reason: &str) {
        self.call.conclude(layout::OUTCOME_ABORTED, layout::META_ABORT, reason);
    }

    /// Nobody knows whether the call took effect: it was left in the way that the meta `key` names.
    pub fn indeterminate(&mut self, key: &str, message: &str) {
        self.call.conclude(layout::OUTCOME_INDETERMINATE, key, message);
    }

    /// What the user notes about the call.
    pub fn meta(&mut self) -> &mut Meta {
        self.call.notes()
    }

    /// The call did not happen.
    pub fn discard(&mut self) {
        self.control().discard();
        self.call.clear();
    }

    /// The call is over: its record goes into the stream, if it is as most are, see [`Progress::usual`], its arguments
    /// are all there and small, and there is room. Else only its end is fixed, or nothing is done; says whether it was
    /// so.
    #[inline(always)]
    pub fn commit_usual(&mut self) -> bool {
        if !self.clock.kind.is_counter() {
            // Another clock would be called, and registers saved for that.
            return false;
        }
        let end = if self.call.progress.ended { self.call.end } else { self.clock.end() };
        let Some(len) = self.write_usual(end) else {
            self.call.end = end;
            self.call.progress.ended = true;
            return false;
        };
        self.control().commit(len);
        self.count(end);
        // That the call is usual means that nothing else is to be cleared.
        self.call.site = None;
        true
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
        if appended.is_ok() {
            self.count(self.call.end.max(self.control().start()));
        }
        self.call.clear();
        Ok(appended?)
    }

    /// The lane has one more event, which ended then.
    #[inline]
    fn count(&mut self, end: u64) {
        self.last_end = end;
        self.view.events.store(self.view.events() + 1, Ordering::Relaxed);
    }

    /// Writes the record of a usual call that ends at `end`. Returns its length, or nothing if the call is another or
    /// there is no room.
    #[inline(always)]
    fn write_usual(&mut self, end: u64) -> Option<usize> {
        const PREFIX: usize = UsualPrefix::LEN;
        let Progress { usual: Some(prefix), started: true, .. } = self.call.progress else { return None };
        let prefix = prefix.with(self.control().start(), end)?;
        let (args, args_len) = self.call.args.complete()?;
        self.stream.append(|record: &mut [u8; PREFIX + HEAD]| {
            record[..=PREFIX].copy_from_slice(&prefix);
            record[PREFIX..].copy_from_slice(args);
            PREFIX + args_len
        })
    }

    /// Appends the record of any call.
    fn append_record(&mut self, site: &'static Site) -> Result<(), MapError> {
        let start = self.control().start();
        let Self { call, table, stream, .. } = self;
        let (entry, params) = match call.progress.chosen {
            UNDECIDED => (call.progress.entry, &IN_ORDER[..site.params().len()]),
            chosen => table.action(site, chosen, call.progress.entry),
        };
        let mut prefix = EventPrefix { entry, ..call.prefix(start, params.len()) };
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
        let time = self.now(self.clock);
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

/// Every action passes through here when it begins, and again when its box is narrowed to begin later. It does nothing: it
/// is a place where a debugger can wait for one particular action, by the clock reading that its record starts with.
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
