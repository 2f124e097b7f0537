//! Making a race happen: one thread waits inside its window while another does what must not happen there.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What happens while a thread is inside its window.
#[derive(Debug)]
pub struct Interlude {
    entered: Receiver<()>,
    over: Sender<()>,
}

/// A window to give to the system under test, and what happens there: the first thread that comes to the window waits
/// there until the interlude is over. All others go through.
pub fn window() -> (impl Fn() + Send + Sync + 'static, Interlude) {
    let (enter, entered) = channel();
    let (over, wait) = channel();
    let first = Mutex::new(Some((enter, wait)));
    let pass = move || {
        let taken = first.lock().expect("nobody panics here").take();
        if let Some((enter, wait)) = taken {
            // If the other side is gone its test has failed, and there is nothing to wait for.
            let _ = enter.send(());
            let _: Result<(), _> = wait.recv();
        }
    };
    (pass, Interlude { entered, over })
}

impl Interlude {
    /// Waits until a thread is inside, performs `act`, and lets it go on.
    pub fn perform<R>(self, act: impl FnOnce() -> R) -> R {
        self.entered.recv().expect("a thread comes to the window");
        let result = act();
        let _ = self.over.send(());
        result
    }
}
