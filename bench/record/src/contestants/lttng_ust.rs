//! LTTng's userspace tracer: an event per call with its fields, in per-CPU ring buffers that a daemon writes to files.
//!
//! A timebox has two readings. Here the caller reads the clock at the start and passes that on as a field; the event's
//! own time stamp is the end. The other way, an event for the begin and one for the end, would say more about calls
//! that never return, but has two events to write: the cheaper way is the one to compare with. LTTng's readings have no
//! fences.

mod control;
mod daemon;

use std::hint::black_box;
use std::path::Path;

use super::{Contestant, Recording};
use control::Channel;
pub use daemon::run_again_under_daemon;

// SAFETY: these are the functions of lttng/transfer.c: they take integers, and any thread may call them at any time.
unsafe extern "C" {
    safe fn bench_record_clock() -> u64;
    safe fn bench_record_transfer(start: u64, from: u64, to: u64, amount: u64);
    safe fn bench_record_transfer_enabled() -> bool;
}

/// Bytes of the four fields of an event.
const FIELDS: u64 = 32;

pub struct LttngUst(Channel);

impl LttngUst {
    /// The contestant, if this process has a daemon to record with.
    pub fn under_daemon() -> Option<Self> {
        Some(Self(Channel::create(&daemon::home()?)))
    }
}

impl Contestant for LttngUst {
    fn name(&self) -> &'static str {
        "lttng-ust"
    }

    /// The ring buffers are those of the turns before, which favours LTTng: new memory would have to be faulted in. So
    /// the trace is not in `directory` but in the daemon's.
    fn start(&self, _directory: &Path) -> Box<dyn Recording> {
        let channel = self.0.clone();
        let (discarded, bytes) = (channel.discarded(), channel.bytes());
        channel.start();
        control::wait_until("the tracepoint is enabled", || bench_record_transfer_enabled());
        Box::new(Started { channel, discarded, bytes })
    }
}

struct Started {
    channel: Channel,
    /// Events discarded before.
    discarded: u64,
    /// Bytes recorded before.
    bytes: u64,
}

impl Recording for Started {
    fn record(&self, thread: u64, calls: u64) {
        for call in 0..calls {
            let start = bench_record_clock();
            let args = black_box((thread, call, call * 3));
            bench_record_transfer(start, args.0, args.1, args.2);
        }
    }

    fn finish(self: Box<Self>, actions: u64) -> u64 {
        self.channel.stop();
        let lost = self.channel.discarded() - self.discarded;
        let bytes = self.channel.bytes() - self.bytes;
        assert!(bytes >= (actions - lost) * FIELDS, "LTTng has written {bytes} bytes for {actions} actions");
        lost
    }
}
