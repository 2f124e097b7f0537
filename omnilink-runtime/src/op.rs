//! A call that is being recorded.

use std::any::Any;
use std::future::{Future, poll_fn};
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::{Pin, pin};
use std::ptr::{self, NonNull};
use std::task::{Context, Poll};

use omnilink_trace::encode::{EncodeError, Encoder};
use omnilink_trace::layout;

use crate::clock::Clock;
use crate::lane::Lane;
use crate::meta::append_value;
use crate::session::{self, Nested, SessionCore};
use crate::site::Site;
use crate::to_tla::ToTla;
use crate::{state, thread};

/// A call of an action: from [`begin`] to [`Op::end`].
///
/// ```
/// # use omnilink_runtime::{ActionDef, Site, begin};
/// # use std::sync::Mutex;
/// static PUSH: Site = Site::new(&[ActionDef { name: "Push", params: &["elem"] }], &["elem"]);
///
/// fn push(stack: &Mutex<Vec<u64>>, elem: u64) {
///     let mut op = begin(&PUSH);
///     op.set("elem", &elem);
///     stack.lock().unwrap().push(elem);
///     op.end();
/// }
/// # push(&Mutex::default(), 3);
/// ```
///
/// An `Op` that is dropped without [`end`](Op::end) or [`discard`](Op::discard), by an early return or a panic, is recorded as
/// indeterminate: nobody knows whether the call took effect.
///
/// When nothing is being recorded, and inside another recorded call, an `Op` is inert and its methods do nothing.
#[derive(Debug)]
#[repr(transparent)]
pub struct Op {
    /// Where the call is recorded; null if it is not.
    lane: *mut Lane,
}

/// Begins a call at `site`. The timebox starts here.
#[inline]
pub fn begin(site: &'static Site) -> Op {
    match state::get() {
        state::OFF => Op::INERT,
        _ => begin_recorded(site),
    }
}

// Where the user's code and the recorder meet: tests that decide that there is nothing to do are inlined, the rest is not. It
// would be a kilobyte at each place.

#[inline(never)]
fn begin_recorded(site: &'static Site) -> Op {
    match claim_own_lane(site) {
        Some((lane, clock)) => {
            // SAFETY: the call has just claimed the lane.
            unsafe { (*lane.as_ptr()).start_by(clock) };
            Op { lane: lane.as_ptr() }
        }
        None => begin_anyhow(site),
    }
}

#[cold]
#[inline(never)]
fn begin_anyhow(site: &'static Site) -> Op {
    let mut op = enter_anyhow(site);
    op.start();
    op
}

/// Prepares a call at `site`. Arguments can be given; the timebox starts with [`Op::start`], without which nothing has happened.
/// It is for callers who want the box narrow: encoding the arguments stays outside.
#[inline]
pub fn enter(site: &'static Site) -> Op {
    match state::get() {
        state::OFF => Op::INERT,
        _ => enter_recorded(site),
    }
}

#[inline(never)]
fn enter_recorded(site: &'static Site) -> Op {
    match claim_own_lane(site) {
        Some((lane, _)) => Op { lane: lane.as_ptr() },
        None => enter_anyhow(site),
    }
}

/// The usual case: the thread has its lane, no call is open, the site has been used there before, and the clock is a
/// counter. The compiler knows that of the copy returned, and need not save registers for other clocks.
#[inline(always)]
fn claim_own_lane(site: &'static Site) -> Option<(NonNull<Lane>, Clock)> {
    let mut lane = thread::with(|thread| thread.idle_lane(state::get()))?;
    // SAFETY: the lane is this thread's, and idle.
    let own = unsafe { lane.as_mut() };
    let clock = own.clock;
    (clock.kind.is_counter() && own.prepare_known(site)).then_some((lane, clock))
}

/// Every case.
#[cold]
#[inline(never)]
fn enter_anyhow(site: &'static Site) -> Op {
    let Some(state) = session::decided() else { return Op::INERT };
    thread::with(|thread| {
        let outer = thread.innermost();
        let lane = if outer.is_null() { thread.own_lane(state) } else { inner_lane(outer) };
        if !prepare(lane, site) {
            return Op::INERT;
        }
        if !outer.is_null() {
            // SAFETY: the call has just claimed the lane, which is one of the pool.
            unsafe { thread.resume(lane) };
        }
        Op { lane }
    })
}

/// Prepares an asynchronous call at `site`, on a lane of its own: the call may wait while others begin and end on the same
/// thread. Such lanes are used again, so there are only as many as calls are open at once.
pub fn enter_async(site: &'static Site) -> AsyncOp {
    let lane = match session::decided() {
        Some(state) => thread::with(|thread| match thread.innermost() {
            outer if !outer.is_null() => inner_lane(outer),
            _ => SessionCore::active(state).map_or(ptr::null_mut(), SessionCore::pooled_lane),
        }),
        None => ptr::null_mut(),
    };
    AsyncOp(if prepare(lane, site) { Op { lane } } else { Op::INERT })
}

/// The lane for a call inside the call on the lane `outer`; null if it is not to be recorded.
#[cold]
fn inner_lane(outer: *mut Lane) -> *mut Lane {
    // SAFETY: the lane of a call that is open on this thread is alive.
    let session = unsafe { (*outer).session };
    match session.nested {
        Nested::Both if state::get() == session.generation => session.pooled_lane(),
        _ => ptr::null_mut(),
    }
}

/// Claims the lane for a call; says whether that worked.
fn prepare(lane: *mut Lane, site: &'static Site) -> bool {
    // SAFETY: null, or an idle lane that is the caller's.
    let Some(lane) = (unsafe { lane.as_mut() }) else { return false };
    match lane.prepare(site) {
        Ok(()) => true,
        Err(error) => {
            lane.session.stop(&error);
            false
        }
    }
}

impl Op {
    const INERT: Self = Self { lane: ptr::null_mut() };

    /// The lane, if the call is being recorded and still may be.
    #[inline]
    fn lane(&mut self) -> Option<&mut Lane> {
        writable(NonNull::new(self.lane)?)
    }

    /// True if the call is being recorded. Expensive arguments need not be computed otherwise.
    #[inline]
    pub fn is_recording(&self) -> bool {
        !self.lane.is_null()
    }

    /// The timebox starts now. Once per call; [`refine_start`](Op::refine_start) moves it later.
    #[inline]
    pub fn start(&mut self) {
        if self.is_recording() {
            self.start_recorded();
        }
    }

    #[inline(never)]
    fn start_recorded(&mut self) {
        if let Some(lane) = self.lane() {
            lane.start();
        }
    }

    /// Narrows the timebox: nothing of the call has happened before now.
    pub fn refine_start(&mut self) {
        if let Some(lane) = self.lane() {
            lane.refine_start();
        }
    }

    /// Narrows the timebox: nothing of the call will happen after now.
    pub fn refine_end(&mut self) {
        if let Some(lane) = self.lane() {
            lane.refine_end();
        }
    }

    /// The call has returned: the timebox ends now, unless [`refine_end`](Op::refine_end) has ended it before.
    #[inline]
    pub fn returned(&mut self) {
        if self.is_recording() {
            self.returned_recorded();
        }
    }

    #[inline(never)]
    fn returned_recorded(&mut self) {
        if let Some(lane) = self.lane() {
            lane.returned();
        }
    }

    /// Records the value of a parameter, by its index among the parameters of the site. The last value given counts; a
    /// parameter without value is recorded as unknown.
    ///
    /// # Panics
    /// If the site has no such parameter.
    #[inline]
    pub fn arg<T: ToTla + ?Sized>(&mut self, param: u16, value: &T) {
        if let Some(lane) = NonNull::new(self.lane) {
            match value.as_int() {
                Some(int) => put_int(lane, param, int),
                None => encode_arg(lane, param, value),
            }
        }
    }

    /// Records the value of a parameter, by its name.
    ///
    /// # Panics
    /// If no action of the site has such a parameter.
    #[inline]
    pub fn set<T: ToTla + ?Sized>(&mut self, param: &str, value: &T) {
        let Some(site) = self.lane().and_then(|lane| lane.site()) else { return };
        match site.param(param) {
            Some(index) => self.arg(index, value),
            None => no_such_param(site, param),
        }
    }

    /// Which of its site's actions, by index, the call turned out to be.
    ///
    /// # Panics
    /// If the site has no such action.
    #[inline]
    pub fn choose(&mut self, action: u16) {
        if let Some(lane) = self.lane() {
            let actions = lane.site().map_or(0, |site| site.actions().len());
            assert!(
                usize::from(action) < actions,
                "the site has {actions} actions, number {action} is not one of them"
            );
            lane.choose(action);
        }
    }

    /// The call took no effect, for this reason.
    pub fn abort(&mut self, reason: &str) {
        if let Some(lane) = self.lane() {
            lane.abort(reason);
        }
    }

    /// Notes a value that is no argument of the action.
    pub fn meta<T: ToTla + ?Sized>(&mut self, key: &str, value: &T) {
        // No reference to the lane is held while the value encodes itself, since that is the user's code.
        let Some(mut pair) = self.lane().map(|lane| lane.meta().take_scratch()) else { return };
        pair.encode(key, value);
        if let Some(lane) = self.lane() {
            lane.meta().insert(pair);
        }
    }

    /// Nothing happened: the call leaves no event.
    pub fn discard(mut self) {
        if let Some(lane) = self.lane() {
            lane.discard();
        }
        self.give_up();
    }

    /// The call is over.
    #[inline]
    pub fn end(self) {
        if let Some(lane) = NonNull::new(ManuallyDrop::new(self).lane) {
            end_recorded(lane);
        }
    }

    /// The call is over, and nobody knows whether it took effect.
    pub fn indeterminate(mut self, reason: &str) {
        self.leave(layout::META_INDETERMINATE, reason);
    }

    /// Performs the call: runs `body`, and ends the timebox when it returns. If it panics, the call is recorded as
    /// indeterminate with the panic's message, and the panic goes on.
    #[inline]
    pub fn call<R>(&mut self, body: impl FnOnce() -> R) -> R {
        if !self.is_recording() {
            return body();
        }
        match catch_unwind(AssertUnwindSafe(body)) {
            Ok(result) => {
                self.returned();
                result
            }
            Err(payload) => self.unwind(payload),
        }
    }

    /// The call was left by a panic that said this.
    pub(crate) fn panicked(mut self, message: &str) {
        self.leave(layout::META_PANIC, message);
    }

    #[cold]
    fn unwind(&mut self, payload: Box<dyn Any + Send>) -> ! {
        self.leave(layout::META_PANIC, panic_message(&*payload));
        resume_unwind(payload)
    }

    /// Records the call as indeterminate.
    #[cold]
    fn leave(&mut self, key: &str, message: &str) {
        if let Some(lane) = self.lane() {
            lane.indeterminate(key, message);
        }
        self.commit();
    }

    /// Records the call, whatever it is, and lets go of the lane.
    #[inline(never)]
    fn commit(&mut self) {
        if let Some(lane) = self.lane()
            && let Err(error) = lane.commit()
        {
            lane.session.stop(&error);
        }
        self.give_up();
    }

    /// The call, which leaves an inert one behind.
    #[cfg(feature = "ffi")]
    pub(crate) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::INERT)
    }

    /// Lets go of the lane.
    #[inline(never)]
    fn give_up(&mut self) {
        if self.lane.is_null() {
            return;
        }
        // SAFETY: the call has claimed the lane and gives it up here, unless it is still busy: then recording has ended while the
        // call was open, and the lane stays as it is, with the call pending in it.
        unsafe {
            if let Some(outer) = (*self.lane).outer.take() {
                thread::with(|thread| thread.leave(self.lane, outer));
            }
            match ((*self.lane).is_busy(), (*self.lane).pooled) {
                (false, true) => (*self.lane).session.return_to_pool(self.lane),
                (true, false) => thread::with(|thread| thread.abandon(self.lane)),
                _ => {}
            }
        }
        self.lane = ptr::null_mut();
    }
}

impl Drop for Op {
    #[inline]
    fn drop(&mut self) {
        if !self.lane.is_null() {
            if std::thread::panicking() {
                self.leave(layout::META_PANIC, "left by a panic");
            } else {
                self.leave(layout::META_DROPPED, "dropped before it ended");
            }
        }
    }
}

// What follows takes the lane, not the `Op`: a call whose address is never taken stays in a register of the user's
// code.

/// The lane that a call has claimed, if the call still may be recorded.
#[inline]
fn writable<'a>(mut lane: NonNull<Lane>) -> Option<&'a mut Lane> {
    // SAFETY: the lane is that of the `Op` whose method calls this: it lives until the call gives it up, and everybody
    // else keeps off it. (The thread reaches it too, but not while a reference made here is in use.)
    let lane = unsafe { lane.as_mut() };
    (lane.generation == state::get()).then_some(lane)
}

#[inline(never)]
fn put_int(lane: NonNull<Lane>, param: u16, value: i64) {
    if let Some(writable) = writable(lane)
        && !writable.put_next_int(param, value)
    {
        encode_int(lane, param, value);
    }
}

#[inline(never)]
fn encode_int(lane: NonNull<Lane>, param: u16, value: i64) {
    encode_arg(lane, param, &value);
}

fn encode_arg<T: ToTla + ?Sized>(lane: NonNull<Lane>, param: u16, value: &T) {
    // No reference to the lane is held while the value encodes itself, since that is the user's code.
    let Some(mut room) = writable(lane).map(|lane| lane.arg_room()) else { return };
    // SAFETY: the room belongs to this call until it is accepted below.
    let mut encoder = Encoder::new(unsafe { room.as_mut() });
    value.encode(&mut encoder);
    match encoder.finish() {
        Ok(len) => {
            if let Some(lane) = writable(lane) {
                lane.accept_arg(param, len);
            }
        }
        Err(error) => encode_unusual_arg(lane, param, value, error),
    }
}

/// Records a value that does not fit into the slot or cannot be encoded at all.
#[cold]
fn encode_unusual_arg<T: ToTla + ?Sized>(lane: NonNull<Lane>, param: u16, value: &T, error: EncodeError) {
    let mut bytes = Vec::new();
    let encoded = match error {
        EncodeError::Overflow { .. } => append_value(&mut bytes, value),
        error => Err(error),
    };
    if let Some(lane) = writable(lane) {
        match encoded {
            Ok(()) => lane.accept_oversized_arg(param, bytes),
            Err(error) => lane.reject_arg(param, error),
        }
    }
}

/// Ends a call. Usual ones on a thread's own lane need no further call, and no register saved for one.
#[inline(never)]
fn end_recorded(lane: NonNull<Lane>) {
    let ended = writable(lane).is_some_and(|lane| lane.commit_usual() && !lane.pooled);
    if !ended {
        end_anyhow(lane);
    }
}

/// Every case, and what `end_recorded` has left undone.
#[cold]
#[inline(never)]
fn end_anyhow(lane: NonNull<Lane>) {
    Op { lane: lane.as_ptr() }.commit();
}

#[cold]
fn no_such_param(site: &Site, param: &str) -> ! {
    panic!("no parameter {param:?} among those of {:?}", site.actions());
}

/// What a panic said.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> &str {
    if let Some(message) = payload.downcast_ref::<&'static str>() {
        message
    } else if let Some(message) = payload.downcast_ref::<String>() {
        message
    } else {
        "a panic without a message"
    }
}

/// A call that may wait, and be moved to another thread meanwhile; see [`enter_async`].
#[derive(Debug)]
pub struct AsyncOp(Op);

// SAFETY: the call's lane is one of the pool, not a thread's own, and whoever has the call is the only one to use it.
unsafe impl Send for AsyncOp {}

/// As the methods of [`Op`]. There is no way to the `Op` itself: swapped with one of a thread's own, that would travel to another
/// thread.
#[allow(missing_docs, reason = "documented at `Op`")]
impl AsyncOp {
    pub fn is_recording(&self) -> bool {
        self.0.is_recording()
    }

    pub fn start(&mut self) {
        self.0.start();
    }

    pub fn refine_start(&mut self) {
        self.0.refine_start();
    }

    pub fn refine_end(&mut self) {
        self.0.refine_end();
    }

    pub fn returned(&mut self) {
        self.0.returned();
    }

    pub fn arg<T: ToTla + ?Sized>(&mut self, param: u16, value: &T) {
        self.0.arg(param, value);
    }

    pub fn set<T: ToTla + ?Sized>(&mut self, param: &str, value: &T) {
        self.0.set(param, value);
    }

    pub fn choose(&mut self, action: u16) {
        self.0.choose(action);
    }

    pub fn abort(&mut self, reason: &str) {
        self.0.abort(reason);
    }

    pub fn meta<T: ToTla + ?Sized>(&mut self, key: &str, value: &T) {
        self.0.meta(key, value);
    }

    pub fn discard(self) {
        self.0.discard();
    }

    pub fn end(self) {
        self.0.end();
    }

    pub fn indeterminate(self, reason: &str) {
        self.0.indeterminate(reason);
    }
}

impl AsyncOp {
    /// Performs the call, as [`Op::call`] does.
    pub async fn call<F: Future>(&mut self, body: F) -> F::Output {
        let mut body = pin!(body);
        poll_fn(|context| self.poll(body.as_mut(), context)).await
    }

    /// Polls the body with this call as the open one.
    fn poll<F: Future>(&mut self, body: Pin<&mut F>, context: &mut Context<'_>) -> Poll<F::Output> {
        if !self.is_recording() {
            return body.poll(context);
        }
        // SAFETY: the lane is this call's, and no reference to it is held while the body runs.
        thread::with(|thread| unsafe { thread.resume(self.0.lane) });
        let polled = catch_unwind(AssertUnwindSafe(|| body.poll(context)));
        // SAFETY: as above.
        thread::with(|thread| unsafe { thread.suspend(self.0.lane) });
        match polled {
            Ok(Poll::Ready(result)) => {
                self.returned();
                Poll::Ready(result)
            }
            Ok(Poll::Pending) => Poll::Pending,
            Err(payload) => self.0.unwind(payload),
        }
    }

    /// The call without the promise that only one thread uses it at a time, for callers who keep that by themselves.
    #[cfg(feature = "ffi")]
    pub(crate) fn into_op(self) -> Op {
        self.0
    }
}
