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
/// )
/// .results(&[&["elem"], &[]]);
/// ```
///
/// What a site [declares](Site::results) goes into `run.json` when the site is first used.
#[derive(Debug)]
pub struct Site {
    actions: &'static [ActionDef],
    params: &'static [&'static str],
    /// Results of each action, if they are declared.
    results: Option<&'static [&'static [&'static str]]>,
    /// Operation of each action. `None`: they are outcomes of one.
    operations: Option<&'static [&'static str]>,
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
        Self { actions, params, results: None, operations: None, id: AtomicU32::new(0) }
    }

    /// Declares, for each action, which of its parameters are results of the call. All others are its arguments.
    ///
    /// # Panics
    /// At compile time for a `static`: if there is not one list per action, or if an action has no parameter of such a name.
    pub const fn results(mut self, results: &'static [&'static [&'static str]]) -> Self {
        assert!(results.len() == self.actions.len(), "one list of results per action");
        let mut action = 0;
        while action < results.len() {
            let mut result = 0;
            while result < results[action].len() {
                assert!(
                    contains(self.actions[action].params, results[action][result]),
                    "a result must be a parameter of its action"
                );
                result += 1;
            }
            action += 1;
        }
        self.results = Some(results);
        self
    }

    /// Declares, for each action, the operation that it is an outcome of. Without this, several actions are outcomes of one
    /// operation: the result decides between them. An empty list says that this is not so, and declares nothing instead.
    ///
    /// # Panics
    /// At compile time for a `static`: if there is neither one operation per action nor none.
    pub const fn operations(mut self, operations: &'static [&'static str]) -> Self {
        assert!(operations.is_empty() || operations.len() == self.actions.len(), "one operation per action, or none");
        self.operations = Some(operations);
        self
    }

    /// The actions that may happen here.
    pub fn actions(&self) -> &'static [ActionDef] {
        self.actions
    }

    /// The union of their parameters.
    pub fn params(&self) -> &'static [&'static str] {
        self.params
    }

    /// The results of one of the actions, if they are declared.
    pub(crate) fn results_of(&self, action: usize) -> Option<&'static [&'static str]> {
        self.results.map(|results| results[action])
    }

    /// The operations that are declared, one per action or none; nothing if the actions are outcomes of one.
    pub(crate) fn declared_operations(&self) -> Option<&'static [&'static str]> {
        self.operations
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

/// True if one of the names is this one.
const fn contains(names: &[&str], name: &str) -> bool {
    let mut i = 0;
    while i < names.len() {
        if is_same(names[i].as_bytes(), name.as_bytes()) {
            return true;
        }
        i += 1;
    }
    false
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}
