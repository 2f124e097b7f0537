//! The records of one lane, in order.

use crate::error::{Problem, TraceError};
use crate::event::Record;
use crate::lane::Lane;
use crate::record::Context;
use crate::window::{Stop, Window};

/// The records of one lane, in order; a pending call is the last.
///
/// The lane was checked when it was opened, so an error means that its file was changed or lost since then. After an
/// error there are no more records.
#[derive(Debug)]
pub struct Records<'a> {
    lane: &'a Lane,
    context: Context<'a>,
    window: Window<'a>,
    /// Events given out.
    index: u64,
    stage: Stage,
}

#[derive(Debug, PartialEq, Eq)]
enum Stage {
    Stream,
    Pending,
    Over,
}

impl<'a> Records<'a> {
    pub(crate) fn new(lane: &'a Lane, widening: u64) -> Self {
        Self {
            lane,
            context: lane.context(widening),
            window: Window::new(&lane.source, lane.begin, lane.valid),
            index: 0,
            stage: Stage::Stream,
        }
    }

    #[cold]
    fn fail(&mut self, stop: Stop) -> TraceError {
        self.stage = Stage::Over;
        let path = self.lane.path.clone();
        match stop {
            Stop::Io(source) => TraceError::Io { path, doing: "reading", source },
            Stop::Bad { offset, problem } => TraceError::Corrupt { path, offset, problem },
            Stop::Short { offset } => TraceError::Corrupt { path, offset, problem: Problem::RecordOverrun },
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Result<Record, TraceError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while self.stage == Stage::Stream {
            let context = self.context;
            match self.window.next(|cursor| context.decode(cursor)) {
                Ok(Some((offset, Some(Record::Event(mut event))))) => {
                    event.index = self.index;
                    event.offset = match &self.lane.origins {
                        None => offset,
                        Some(origins) => origins.get(self.index as usize).copied().unwrap_or_default(),
                    };
                    self.index += 1;
                    return Some(Ok(Record::Event(event)));
                }
                Ok(Some((_, Some(record)))) => return Some(Ok(record)),
                Ok(Some((_, None))) => {}
                Ok(None) => self.stage = Stage::Pending,
                Err(stop) => return Some(Err(self.fail(stop))),
            }
        }
        if self.stage == Stage::Over {
            return None;
        }
        self.stage = Stage::Over;
        self.lane.pending.as_ref().map(|pending| Ok(Record::Event(pending.event.clone())))
    }
}
