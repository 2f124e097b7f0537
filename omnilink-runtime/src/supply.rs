//! Fresh windows for a lane's stream, prepared ahead of need by the courier.
//!
//! Reserving, mapping, faulting in and unmapping a window takes system calls and page faults, which would stretch the timeboxes of
//! whichever call was unlucky. So as soon as a lane takes a window into use it orders the next one, and the courier, a
//! thread of the recorder, has it ready long before it is needed:
//!
//! ```text
//!   lane ──Order──► courier          file:  ├──────── window in use ────────┤
//!   lane ◄─Window── courier                                          ├overlap├──── next window ────┤
//! ```
//!
//! Windows overlap, because a record may straddle the end of the window in use: it is then written through the next one,
//! which shows the same bytes of the file. A record longer than the overlap needs a window made to measure.
//!
//! Lanes must work in the last moments of a thread, when thread-local variables are gone, among them those that the waiting
//! operations of channels rely on. So nobody waits in a channel: the courier parks, and is unparked by whoever orders; a lane that
//! finds its window not ready yields until it is.
//!
//! Where no helper thread may run (under a scheduler that runs one thread at a time), or if the courier is swamped, the lane
//! cuts its windows itself.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::channel::{Receiver, Sender, TryRecvError, bounded, thread};
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
/// Later ones are so many times as long as the one before, up to a maximum: the longer a window lasts, the more time the courier
/// has for the next one.
const GROWTH: u64 = 4;
const MAX_LEN: u64 = 1024 * 1024;
/// Orders that may wait for the courier; more lanes than that help themselves.
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

/// Where lanes send their orders.
pub(crate) struct Orders<S: Source> {
    /// Taken only when this is dropped.
    channel: Option<Sender<Order<S>>>,
    courier: thread::Thread,
}

impl<S: Source> Orders<S> {
    /// Orders by the channel of [`courier`], whose loop the thread `courier` runs.
    pub fn new(channel: Sender<Order<S>>, courier: thread::Thread) -> Self {
        Self { channel: Some(channel), courier }
    }

    /// Places an order; says whether the courier could take it.
    fn place(&self, order: Order<S>) -> bool {
        let placed = self.channel.as_ref().is_some_and(|channel| channel.try_send(order).is_ok());
        self.courier.unpark();
        placed
    }
}

impl<S: Source> Clone for Orders<S> {
    fn clone(&self) -> Self {
        Self { channel: self.channel.clone(), courier: self.courier.clone() }
    }
}

impl<S: Source> Drop for Orders<S> {
    fn drop(&mut self) {
        drop(self.channel.take());
        // It may have been the last one: then the courier is to go home.
        self.courier.unpark();
    }
}

impl<S: Source> fmt::Debug for Orders<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Orders")
    }
}

/// A new courier: the channel that takes its orders, and the loop that its thread runs until nobody can order any more.
pub(crate) fn courier<S: Source>() -> (Sender<Order<S>>, impl FnOnce()) {
    let (channel, waiting) = bounded::<Order<S>>(MAX_ORDERS);
    let deliver = move || {
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
    (channel, deliver)
}

/// The windows of one lane, one after the other.
pub(crate) struct Supply<S: Source> {
    source: Arc<S>,
    /// The file is reserved up to here.
    reserved: u64,
    /// Length of the next window beyond `reserved`.
    next_len: u64,
    courier: Option<Orders<S>>,
    /// End of the window on order.
    ordered: Option<u64>,
    reply: Sender<Result<S::Window, MapError>>,
    replies: Receiver<Result<S::Window, MapError>>,
}

impl<S: Source> Supply<S> {
    /// Windows of `source`, of which the bytes up to `reserved` are in use already.
    pub fn new(source: Arc<S>, reserved: u64, courier: Option<Orders<S>>) -> Self {
        let (reply, replies) = bounded(1);
        Self { source, reserved, next_len: FIRST_LEN, courier, ordered: None, reply, replies }
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
        // The courier answers every order, so this goes on at most until it is done with it.
        let window = loop {
            match self.replies.try_recv() {
                Ok(window) => break window.ok()?,
                Err(_) => thread::yield_now(),
            }
        };
        self.reserved = end;
        Some(window)
    }

    /// Waits for the window on order, if there is one, and drops it. The courier faults in the pages of a window while it
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
        let Some(courier) = &self.courier else { return };
        let end = self.reserved + self.next_len;
        let order = Order {
            source: Arc::clone(&self.source),
            reserve: self.reserved..end,
            window: self.reserved - OVERLAP..end,
            reply: self.reply.clone(),
            spent,
        };
        if courier.place(order) {
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

    fn write_records(supply: &mut Supply<Ruler>, first: Range<u64>, lengths: &[u64]) {
        let mut window = first;
        for &len in lengths {
            let position = window.end - len.min(OVERLAP) + 1;
            supply.exchange(&mut window, position, len).unwrap();
            assert!(window.start <= position && position + len <= window.end, "{position} +{len} in {window:?}");
        }
    }

    /// Writes records of these lengths, with a courier at work.
    fn write_with_courier(lengths: &'static [u64]) {
        model(move || {
            let (channel, deliver) = courier::<Ruler>();
            let courier = thread::spawn(deliver);
            let orders = Orders::new(channel, courier.thread().clone());
            let mut supply = Supply::new(Arc::new(Ruler::default()), 0, Some(orders));
            let first = supply.first(0, 100).unwrap();
            write_records(&mut supply, first, lengths);
            drop(supply);
            courier.join().unwrap();
        });
    }

    #[test]
    fn windows_follow_each_other_with_a_courier() {
        write_with_courier(&[100, OVERLAP]);
    }

    #[test]
    fn a_record_longer_than_the_overlap_gets_a_window_made_to_measure() {
        write_with_courier(&[3 * MAX_LEN, 100]);
    }

    #[test]
    fn windows_follow_each_other_without_a_courier() {
        model(|| {
            let mut supply = Supply::new(Arc::new(Ruler::default()), 0, None);
            let first = supply.first(0, 100).unwrap();
            write_records(&mut supply, first, &[100, 2 * MAX_LEN, 1, OVERLAP]);
        });
    }
}
