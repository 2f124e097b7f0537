//! Fresh windows for a lane's stream, prepared ahead of need by the mapper.
//!
//! Reserving, mapping, faulting in and unmapping a window takes system calls and page faults, which would stretch the timeboxes of
//! whichever call was unlucky. So as soon as a lane takes a window into use it orders the next one, and the mapper, a
//! thread of the recorder, has it ready long before it is needed:
//!
//! ```text
//!   lane ──Order──► mapper           file:  ├──────── window in use ────────┤
//!   lane ◄─Window── mapper                                           ├overlap├──── next window ────┤
//! ```
//!
//! Windows overlap, because a record may straddle the end of the window in use: it is then written through the next one,
//! which shows the same bytes of the file. A record longer than the overlap needs a window made to measure.
//!
//! Lanes must work in the last moments of a thread, when thread-local variables are gone, among them those that the waiting
//! operations of channels rely on. So no thread waits in a channel: the mapper parks, and every order unparks it; a lane that
//! finds its window not ready yields until it is.
//!
//! Where no helper thread may run (under a scheduler that runs one thread at a time), or if the mapper has too many orders, the lane
//! maps its windows itself. It also does so when the mapper is gone: it panicked, its thread was ended, or the process is the
//! child of a fork. A mapper sets a flag when it ends; if it could not, a lane that waits notices that the thread is gone.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::channel::{AtomicBool, AtomicI32, Receiver, Sender, TryRecvError, bounded, thread};
use crate::mapping::{LaneFile, MapError, Window};

/// Something that windows are cut from: a lane's file; in models of the protocol, a ruler.
pub(crate) trait Source {
    type Window;

    /// Reserves the bytes `reserve` and makes a window over the bytes `window`.
    fn cut(&self, reserve: Range<u64>, window: Range<u64>) -> Result<Self::Window, MapError>;
}

impl Source for LaneFile {
    type Window = Window;

    fn cut(&self, reserve: Range<u64>, window: Range<u64>) -> Result<Window, MapError> {
        self.map(reserve, window)
    }
}

/// How many bytes of the window in use the next one shows as well.
pub(crate) const OVERLAP: u64 = 16 * 1024;
/// The first window is small, since most of a thousand threads record little.
const FIRST_LEN: u64 = 64 * 1024;
/// Later ones are so many times as long as the one before, up to a maximum: the longer a window lasts, the more time the mapper
/// has for the next one.
const GROWTH: u64 = 4;
const MAX_LEN: u64 = 1024 * 1024;
/// Orders that may wait for the mapper; more lanes than that help themselves.
const MAX_ORDERS: usize = 1024;

/// A request for the next window of one lane.
pub(crate) struct Order<S: Source> {
    source: Arc<S>,
    reserve: Range<u64>,
    window: Range<u64>,
    reply: Sender<Result<S::Window, MapError>>,
    /// A window that has served its purpose. Unmapping takes time, too.
    spent: Option<S::Window>,
}

/// How often a lane yields before it looks whether the mapper's thread is still there.
const YIELDS: u32 = 1 << 10;

/// Whether there is a mapper.
pub(crate) struct Presence {
    has_left: AtomicBool,
    /// The mapper's thread, as the kernel numbers it; 0 as long as it has not begun.
    thread: AtomicI32,
}

impl Presence {
    fn new() -> Self {
        Self { has_left: AtomicBool::new(false), thread: AtomicI32::new(0) }
    }

    /// Whether the mapper has ended and has set the flag.
    fn has_left(&self) -> bool {
        self.has_left.load(Acquire)
    }

    /// Whether its thread has ended without setting the flag.
    fn is_missing(&self) -> bool {
        let thread = self.thread.load(Relaxed);
        thread != 0 && !is_thread_of_this_process(thread)
    }
}

#[cfg(not(loom))]
fn is_thread_of_this_process(thread: i32) -> bool {
    // SAFETY: plain system calls; signal 0 is sent to nobody, only its receiver is looked for.
    let sent = unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), thread, 0) };
    sent == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::ESRCH)
}

#[cfg(not(loom))]
fn number_of_this_thread() -> i32 {
    // SAFETY: plain system call.
    unsafe { libc::syscall(libc::SYS_gettid) as i32 }
}

/// Models have no threads of the kernel: their mappers always set the flag.
#[cfg(loom)]
fn is_thread_of_this_process(_: i32) -> bool {
    true
}

#[cfg(loom)]
fn number_of_this_thread() -> i32 {
    0
}

/// Sets the flag when the mapper ends, however it ends.
struct Leaving(Arc<Presence>);

impl Drop for Leaving {
    fn drop(&mut self) {
        // Released, so that whoever sees it sees all that was delivered before.
        self.0.has_left.store(true, Release);
    }
}

/// The channel that takes a mapper's orders, and whether the mapper is there.
pub(crate) type Counter<S> = (Sender<Order<S>>, Arc<Presence>);

/// Where lanes send their orders.
pub(crate) struct Orders<S: Source> {
    /// Taken only when this is dropped.
    channel: Option<Sender<Order<S>>>,
    mapper: thread::Thread,
    presence: Arc<Presence>,
}

impl<S: Source> Orders<S> {
    /// Orders by the channel of [`mapper`], whose loop the thread `mapper` runs.
    pub fn new((channel, presence): Counter<S>, mapper: thread::Thread) -> Self {
        Self { channel: Some(channel), mapper, presence }
    }

    /// Places an order; says whether the mapper could take it.
    fn place(&self, order: Order<S>) -> bool {
        let placed = self.channel.as_ref().is_some_and(|channel| channel.try_send(order).is_ok());
        self.mapper.unpark();
        placed
    }
}

impl<S: Source> Clone for Orders<S> {
    fn clone(&self) -> Self {
        Self { channel: self.channel.clone(), mapper: self.mapper.clone(), presence: Arc::clone(&self.presence) }
    }
}

impl<S: Source> Drop for Orders<S> {
    fn drop(&mut self) {
        drop(self.channel.take());
        // It may have been the last one: then the mapper's thread ends.
        self.mapper.unpark();
    }
}

impl<S: Source> fmt::Debug for Orders<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Orders")
    }
}

/// A new mapper: the channel for its orders with its presence, and the loop that its thread runs until no sender is left.
pub(crate) fn mapper<S: Source>() -> (Counter<S>, impl FnOnce()) {
    let (channel, waiting) = bounded::<Order<S>>(MAX_ORDERS);
    let presence = Arc::new(Presence::new());
    let leaving = Leaving(Arc::clone(&presence));
    let deliver = move || {
        let leaving = leaving;
        leaving.0.thread.store(number_of_this_thread(), Relaxed);
        loop {
            match waiting.try_recv() {
                Ok(order) => {
                    drop(order.spent);
                    let window = order.source.cut(order.reserve, order.window);
                    // A lane has one order at a time and its channel one place. A lane that is gone needs none.
                    let _ = order.reply.try_send(window);
                }
                Err(TryRecvError::Empty) => thread::park(),
                Err(TryRecvError::Disconnected) => break,
            }
        }
    };
    ((channel, presence), deliver)
}

/// The windows of one lane, one after the other.
pub(crate) struct Supply<S: Source> {
    source: Arc<S>,
    /// The file is reserved up to here.
    reserved: u64,
    /// Length of the next window beyond `reserved`.
    next_len: u64,
    mapper: Option<Orders<S>>,
    /// End of the window on order.
    ordered: Option<u64>,
    reply: Sender<Result<S::Window, MapError>>,
    replies: Receiver<Result<S::Window, MapError>>,
}

impl<S: Source> Supply<S> {
    /// Windows of `source`, of which the bytes up to `reserved` are in use already.
    pub fn new(source: Arc<S>, reserved: u64, mapper: Option<Orders<S>>) -> Self {
        let (reply, replies) = bounded(1);
        Self { source, reserved, next_len: FIRST_LEN, mapper, ordered: None, reply, replies }
    }

    /// A window over at least the bytes from `position` to `position + need`, in exchange for the one that was in use.
    pub fn exchange(&mut self, spent: &mut S::Window, position: u64, need: u64) -> Result<(), MapError> {
        let next = self.next(position, need)?;
        self.order(Some(std::mem::replace(spent, next)));
        Ok(())
    }

    /// The first window, as [`exchange`](Self::exchange) makes them.
    pub fn first(&mut self, position: u64, need: u64) -> Result<S::Window, MapError> {
        let window = self.next(position, need)?;
        self.order(None);
        Ok(window)
    }

    fn next(&mut self, position: u64, need: u64) -> Result<S::Window, MapError> {
        let window = match self.take_delivery() {
            Some(window) if position + need <= self.reserved && position + OVERLAP >= self.reserved - self.next_len => {
                window
            }
            _ => self.cut(position, need)?,
        };
        self.next_len = (self.next_len * GROWTH).min(MAX_LEN);
        Ok(window)
    }

    /// The window on order, if there is one and it could be made.
    fn take_delivery(&mut self) -> Option<S::Window> {
        let end = self.ordered.take()?;
        let window = self.await_reply()?.ok()?;
        self.reserved = end;
        Some(window)
    }

    /// Waits for what the mapper answers. It answers every order, so this goes on at most until it is done with it; `None` if
    /// it is gone. Then nobody else makes windows of this lane's file, and space that was reserved in vain is reserved again
    /// by whoever goes on: no byte of it has been used.
    fn await_reply(&mut self) -> Option<Result<S::Window, MapError>> {
        let mut yields = 0u32;
        loop {
            if let Ok(window) = self.replies.try_recv() {
                return Some(window);
            }
            let presence = &self.mapper.as_ref()?.presence;
            let has_left = presence.has_left();
            yields = yields.wrapping_add(1);
            if has_left || (yields.is_multiple_of(YIELDS) && presence.is_missing()) {
                // It may have answered just before it left.
                let last = self.replies.try_recv().ok();
                self.mapper = None;
                return last;
            }
            thread::yield_now();
        }
    }

    /// Waits for the window on order, if there is one, and drops it. The mapper faults in the pages of a window while it
    /// makes it; were the file cut meanwhile, that would be a SIGBUS.
    pub fn cancel(&mut self) {
        drop(self.take_delivery());
    }

    /// Makes a window here and now.
    fn cut(&mut self, position: u64, need: u64) -> Result<S::Window, MapError> {
        let end = (self.reserved + self.next_len).max((position + need).next_multiple_of(FIRST_LEN));
        let window = self.source.cut(self.reserved..end, position..end)?;
        self.reserved = end;
        Ok(window)
    }

    /// Orders the next window.
    fn order(&mut self, spent: Option<S::Window>) {
        let Some(mapper) = &self.mapper else { return };
        let end = self.reserved + self.next_len;
        let order = Order {
            source: Arc::clone(&self.source),
            reserve: self.reserved..end,
            window: self.reserved - OVERLAP..end,
            reply: self.reply.clone(),
            spent,
        };
        if mapper.place(order) {
            self.ordered = Some(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    /// Every schedule with up to three preemptions.
    #[cfg(loom)]
    fn model(test: impl Fn() + Send + Sync + 'static) {
        let mut builder = loom::model::Builder::new();
        builder.preemption_bound = Some(3);
        builder.check(test);
    }

    #[cfg(not(loom))]
    fn model(test: impl Fn()) {
        test();
    }

    /// Windows of it are just ranges; reserving twice or with a gap is a failure.
    #[derive(Default)]
    struct Ruler {
        reserved: std::sync::Mutex<u64>,
    }

    impl Source for Ruler {
        type Window = Range<u64>;

        fn cut(&self, reserve: Range<u64>, window: Range<u64>) -> Result<Range<u64>, MapError> {
            let mut reserved = self.reserved.lock().unwrap();
            assert_eq!(*reserved, reserve.start, "space is reserved in order, once");
            *reserved = reserve.end;
            Ok(window)
        }
    }

    /// A ruler whose mapper breaks down at the second window, before or after it has reserved the space.
    struct Fragile {
        ruler: Ruler,
        cuts: std::sync::atomic::AtomicU32,
        reserves: bool,
    }

    impl Source for Fragile {
        type Window = Range<u64>;

        fn cut(&self, reserve: Range<u64>, window: Range<u64>) -> Result<Range<u64>, MapError> {
            if self.cuts.fetch_add(1, Relaxed) == 1 {
                if self.reserves {
                    self.ruler.cut(reserve.clone(), window)?;
                    *self.ruler.reserved.lock().unwrap() = reserve.start;
                }
                std::panic::resume_unwind(Box::new("the mapper breaks down"));
            }
            self.ruler.cut(reserve, window)
        }
    }

    /// The mapper goes, as a panic makes it go, in the middle of an order: the lane goes on by itself.
    fn write_without_end_of_mapper(reserves: bool) {
        model(move || {
            let (orders, deliver) = mapper::<Fragile>();
            let mapper = thread::spawn(|| {
                let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(deliver));
            });
            let orders = Orders::new(orders, mapper.thread().clone());
            let source = Fragile { ruler: Ruler::default(), cuts: 0.into(), reserves };
            let mut supply = Supply::new(Arc::new(source), 0, Some(orders));
            let mut window = supply.first(0, 100).unwrap();
            for _ in 0..2 {
                let position = window.end - 100;
                supply.exchange(&mut window, position, 200).unwrap();
                assert!(window.start <= position && position + 200 <= window.end);
            }
            supply.cancel();
            drop(supply);
            mapper.join().unwrap();
        });
    }

    #[test]
    fn a_lane_goes_on_when_the_mapper_breaks_down() {
        write_without_end_of_mapper(false);
        write_without_end_of_mapper(true);
    }

    /// The thread ends without unwinding, so nobody says that it left.
    #[test]
    #[cfg(not(loom))]
    fn a_mapper_that_vanishes_is_missed() {
        let (orders, deliver) = mapper::<Ruler>();
        let (begun, begins) = std::sync::mpsc::channel();
        let vanishing = std::thread::spawn(move || {
            let number = number_of_this_thread();
            begun.send(number).unwrap();
        });
        let number = begins.recv().unwrap();
        vanishing.join().unwrap();
        // The loop never runs; its thread is one that has ended.
        orders.1.thread.store(number, Relaxed);
        let orders = Orders::new(orders, std::thread::current());
        let mut supply = Supply::new(Arc::new(Ruler::default()), 0, Some(orders));
        let first = supply.first(0, 100).unwrap();
        write_records(&mut supply, first, &[100, OVERLAP]);
        drop(deliver);
    }

    fn write_records(supply: &mut Supply<Ruler>, first: Range<u64>, lengths: &[u64]) {
        let mut window = first;
        for &len in lengths {
            let position = window.end - len.min(OVERLAP) + 1;
            supply.exchange(&mut window, position, len).unwrap();
            assert!(window.start <= position && position + len <= window.end, "{position} +{len} in {window:?}");
        }
    }

    /// Writes records of these lengths, with a mapper at work.
    fn write_with_mapper(lengths: &'static [u64]) {
        model(move || {
            let (orders, deliver) = mapper::<Ruler>();
            let mapper = thread::spawn(deliver);
            let orders = Orders::new(orders, mapper.thread().clone());
            let mut supply = Supply::new(Arc::new(Ruler::default()), 0, Some(orders));
            let first = supply.first(0, 100).unwrap();
            write_records(&mut supply, first, lengths);
            drop(supply);
            mapper.join().unwrap();
        });
    }

    #[test]
    fn windows_follow_each_other_with_a_mapper() {
        write_with_mapper(&[100, OVERLAP]);
    }

    #[test]
    fn a_record_longer_than_the_overlap_gets_a_window_made_to_measure() {
        write_with_mapper(&[3 * MAX_LEN, 100]);
    }

    #[test]
    fn windows_follow_each_other_without_a_mapper() {
        model(|| {
            let mut supply = Supply::new(Arc::new(Ruler::default()), 0, None);
            let first = supply.first(0, 100).unwrap();
            write_records(&mut supply, first, &[100, 2 * MAX_LEN, 1, OVERLAP]);
        });
    }
}
