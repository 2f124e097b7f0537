//! What the program does about signals.

use crate::chaos::mechanism::signals::bit;

/// What the program does about signals.
#[derive(Debug, Default)]
pub struct Handlers {
    handled: u64,
    ignored: u64,
    restarting: u64,
}

/// Signals that nothing is done about unless the program says so.
const IGNORED: [i32; 4] = [libc::SIGCHLD, libc::SIGCONT, libc::SIGURG, libc::SIGWINCH];

impl Handlers {
    /// The program sets what it does about a signal.
    pub fn set(&mut self, signal: u64, handler: libc::sighandler_t, flags: u64) {
        let bit = bit(i32::try_from(signal).unwrap_or_default());
        let set = |bits: u64, on: bool| if on { bits | bit } else { bits & !bit };
        self.handled = set(self.handled, handler != libc::SIG_DFL && handler != libc::SIG_IGN);
        self.ignored = set(self.ignored, handler == libc::SIG_IGN);
        self.restarting = set(self.restarting, flags & libc::SA_RESTART as u64 != 0);
    }

    /// Whether a function of the program is called.
    pub fn handles(&self, signal: i32) -> bool {
        self.handled & bit(signal) != 0
    }

    /// Of these signals, those that somebody notices.
    pub fn noticed(&self, signals: u64) -> u64 {
        let by_default = IGNORED.iter().fold(0, |bits, &signal| bits | bit(signal));
        signals & !self.ignored & (self.handled | !by_default)
    }

    /// Whether waiting that these signals interrupt goes on by itself afterwards.
    pub fn restart(&self, signals: u64) -> bool {
        signals & !self.restarting == 0
    }
}
