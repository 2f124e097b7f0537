//! How and when the victim dies.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use crate::progress::WORKERS;

/// How the victim dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// From outside.
    Kill,
    SegmentationFault,
    Abort,
    /// `_exit`: nothing is cleaned up.
    ImmediateExit,
    /// `exit`: handlers run, while the other threads go on.
    Exit,
    /// As with `panic = "abort"`: the hook runs, and nothing unwinds.
    Panic,
}

/// The exit code of a victim that exits.
const CODE: i32 = 3;

impl Manner {
    /// Whether this is the status of a process that died so.
    pub fn shows_in(self, status: ExitStatus) -> bool {
        match self {
            Self::Kill => status.signal() == Some(libc::SIGKILL),
            Self::SegmentationFault => status.signal() == Some(libc::SIGSEGV),
            Self::Abort | Self::Panic => status.signal() == Some(libc::SIGABRT),
            Self::ImmediateExit | Self::Exit => status.code() == Some(CODE),
        }
    }
}

/// A moment in the life of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    Before,
    Begun,
    /// So many of its values were set.
    Set(u64),
    /// Its end returned, and the page does not know yet.
    Ended,
}

const MOMENTS: [Moment; 6] =
    [Moment::Before, Moment::Begun, Moment::Set(1), Moment::Set(2), Moment::Set(3), Moment::Ended];

/// When and how the victim dies.
#[derive(Debug, Clone, Copy)]
pub struct Death {
    pub manner: Manner,
    /// By its own hand: this worker in this step or soon after, at this moment.
    worker: usize,
    pub step: u64,
    moment: Moment,
    /// Killed from outside: when so many calls have ended.
    pub after_calls: u64,
}

impl Death {
    /// The death that the seed stands for.
    pub fn new(manner: Manner, seed: u64) -> Self {
        let number = mix(seed ^ (manner as u64) << 32);
        let moment = MOMENTS[(seed % MOMENTS.len() as u64) as usize];
        Self {
            manner,
            worker: (number >> 8) as usize % WORKERS,
            step: number >> 20 & 0x3ff,
            moment,
            after_calls: 1 + (number >> 32 & 0xfff),
        }
    }

    /// Dies, if the time has come.
    pub fn visit(&self, worker: usize, step: u64, moment: Moment) {
        // At the first opportunity: not every step sets three values.
        if self.manner != Manner::Kill && worker == self.worker && step >= self.step && moment == self.moment {
            self.strike();
        }
    }

    fn strike(&self) {
        match self.manner {
            Manner::Kill => {}
            Manner::SegmentationFault => touch_a_forbidden_page(),
            // SAFETY: ends the process, as is the intention.
            Manner::Abort => unsafe { libc::abort() },
            // SAFETY: as above.
            Manner::ImmediateExit => unsafe { libc::_exit(CODE) },
            Manner::Exit => std::process::exit(CODE),
            Manner::Panic => {
                // SAFETY: as above.
                std::panic::set_hook(Box::new(|_| unsafe { libc::abort() }));
                panic!("the victim dies");
            }
        }
    }
}

/// A fault of the processor, not a signal that somebody sends: the standard library's handler waits for the former.
fn touch_a_forbidden_page() {
    // SAFETY: a new mapping that nobody else knows of; reading it kills the process, as is the intention.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let page = libc::mmap(std::ptr::null_mut(), 1, libc::PROT_NONE, flags, -1, 0);
        page.cast::<u8>().read_volatile();
    }
}

/// Bits without pattern (splitmix64).
pub fn mix(number: u64) -> u64 {
    let z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
