//! Instrumented places in the program under test.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use omnilink_trace::layout::MAX_PARAMS;

/// An action of the specification: an operator and its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ActionDef {
    /// Name of the operator.
    pub name: &'static str,
    /// Names of its parameters, in order.
    pub params: &'static [&'static str],
}

/// A place in the program that performs an action, or one of several, depending on the result.
///
/// ```
/// use omnilink_runtime::{ActionDef, Site};
/// static TRY_POP: Site = Site::new(
///     &[ActionDef { name: "Dequeue", params: &["elem"] }, ActionDef { name: "DequeueEmpty", params: &[] }],
///     &["elem"],
/// );
/// ```
#[derive(Debug)]
pub struct Site {
    actions: &'static [ActionDef],
    params: &'static [&'static str],
    /// Number of the site in this process, from 1; 0 until it is first used.
    id: AtomicU32,
}

/// How many sites have been used.
static USED: Mutex<u32> = Mutex::new(0);

impl Site {
    /// A place that performs one of `actions`. `params` is the union of their parameters, in order of first appearance:
    /// arguments are given by index into it.
    ///
    /// # Panics
    /// At compile time for a `static`: if there is no action, or if there are more than 64 parameters.
    pub const fn new(actions: &'static [ActionDef], params: &'static [&'static str]) -> Self {
        assert!(!actions.is_empty(), "a site needs at least one action");
        assert!(params.len() <= MAX_PARAMS, "an action can have at most 64 parameters");
        Self { actions, params, id: AtomicU32::new(0) }
    }

    /// The actions that may happen here.
    pub fn actions(&self) -> &'static [ActionDef] {
        self.actions
    }

    /// The union of their parameters.
    pub fn params(&self) -> &'static [&'static str] {
        self.params
    }

    /// Index of a parameter.
    pub fn param(&self, name: &str) -> Option<u16> {
        self.params.iter().position(|param| *param == name).map(|index| index as u16)
    }

    /// The number of this site, 0 if it was never used.
    #[inline]
    pub(crate) fn known_id(&self) -> u32 {
        // Relaxed: the number alone is used; tables that it indexes belong to the reading lane.
        self.id.load(Ordering::Relaxed)
    }

    /// The number of this site, which it gets now if it has none.
    pub(crate) fn id(&self) -> u32 {
        let mut used = USED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if self.known_id() == 0 {
            *used += 1;
            self.id.store(*used, Ordering::Relaxed);
        }
        self.known_id()
    }
}
