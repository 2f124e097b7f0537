//! The call in flight, as its lane remembers it.

use omnilink_trace::encode::{EventPrefix, UsualPrefix};
use omnilink_trace::layout;

use crate::args::Args;
use crate::meta::Meta;
use crate::site::Site;

/// The call in flight, or what is left of the last one.
#[derive(Debug)]
pub(crate) struct Call {
    /// Where it was made; nothing if no call is prepared or in flight.
    pub site: Option<&'static Site>,
    pub progress: Progress,
    /// When it ended, once it has. When it started, the slot knows.
    pub end: u64,
    pub args: Args,
    pub meta: Meta,
}

/// How far the call has got. The lane's table has that of a call which is merely prepared, to be copied by one store.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(8))]
pub(crate) struct Progress {
    /// What its record begins with, if it is so far as most calls are: done, the one action or choice of its site,
    /// nothing noted, few parameters, and arguments in order.
    pub usual: Option<UsualPrefix>,
    /// The site's entry in the lane's table.
    pub entry: u16,
    /// Which of the site's actions it is, once that is known; else [`UNDECIDED`].
    pub chosen: u16,
    pub outcome: u8,
    /// The timebox has started.
    pub started: bool,
    /// The timebox has ended.
    pub ended: bool,
}

/// No action is chosen. No site has so many.
pub(crate) const UNDECIDED: u16 = u16::MAX;

impl Progress {
    /// A call that is prepared, of a table entry with so many parameters.
    pub fn prepared(entry: u16, params: usize) -> Self {
        Self {
            usual: UsualPrefix::new(entry, params),
            entry,
            chosen: UNDECIDED,
            outcome: layout::OUTCOME_DONE,
            started: false,
            ended: false,
        }
    }
}

impl Call {
    /// No call, but a place for its arguments.
    pub fn none(args: Args) -> Self {
        Self { site: None, progress: Progress::prepared(0, 0), end: 0, args, meta: Meta::default() }
    }

    /// Which of its site's actions it turned out to be.
    #[inline]
    pub fn choose(&mut self, action: u16) {
        self.progress.chosen = action;
        self.progress.usual = None;
    }

    /// It came out like this, and here is more about that.
    pub fn conclude(&mut self, outcome: u8, key: &str, message: &str) {
        self.progress.outcome = outcome;
        self.notes().set(key, message);
    }

    /// What is noted about it, to be added to.
    pub fn notes(&mut self) -> &mut Meta {
        self.progress.usual = None;
        &mut self.meta
    }

    /// What its record begins with, if it is the action or choice of its site and started then.
    pub fn prefix(&self, start: u64, params: usize) -> EventPrefix {
        EventPrefix {
            entry: self.progress.entry,
            start,
            duration: self.end.saturating_sub(start),
            flags: self.progress.outcome,
            args: params as u32,
        }
    }

    /// It is over, and leaves nothing behind for the next one.
    pub fn clear(&mut self) {
        self.site = None;
        self.args.clear_oversized();
        self.meta.clear();
    }
}
