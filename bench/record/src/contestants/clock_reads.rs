//! What no recorder with timeboxes can do without: two clock readings, with the fences that the runtime puts around
//! them.

use std::hint::black_box;
use std::path::Path;

use omnilink_runtime::clock::{Clock, ClockKind, Fences};

use super::{Contestant, Recording};

pub struct ClockReads(pub Fences);

impl Contestant for ClockReads {
    fn name(&self) -> &'static str {
        match self.0 {
            Fences::Full => "two bare clock reads",
            Fences::Relaxed => "two bare clock reads, relaxed",
        }
    }

    fn start(&self, _directory: &Path) -> Box<dyn Recording> {
        Box::new(Clock { kind: ClockKind::detect(), fences: self.0 })
    }
}

impl Recording for Clock {
    fn record(&self, thread: u64, calls: u64) {
        for call in 0..calls {
            black_box(self.start());
            black_box((thread, call, call * 3));
            black_box(self.end());
        }
    }

    fn finish(self: Box<Self>, _actions: u64) -> u64 {
        0
    }
}
