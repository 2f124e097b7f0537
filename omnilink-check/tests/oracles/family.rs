//! The specifications that random histories are made of, and what is known about their actions without asking anything
//! that is under test.

use std::path::PathBuf;

use omnilink_tla::{Options, Spec};

use self::Reads::{Always, If, Never};
use crate::datum::Datum;
use crate::datum::Domain::{self, Flags, Ints, Keys, Sets};

/// A specification and the calls that programs record against it.
#[derive(Debug)]
pub struct Family {
    /// The module in `tests/specs`.
    pub name: &'static str,
    /// What can be called.
    pub operations: &'static [Operation],
    /// Whether actions may fail to evaluate.
    pub fails: bool,
    /// The most events of a history: how many orders brute force has to try.
    pub events: usize,
    /// How far boxes reach at most to both sides of where something happened.
    pub spread: usize,
}

/// Something that can be called.
#[derive(Debug)]
pub struct Operation {
    /// Its name in traces.
    pub name: &'static str,
    /// Its parameters with the values that they are recorded with.
    pub params: &'static [(&'static str, Domain)],
    /// Whether it is a pair of `X_Step` and `X_Done`.
    pub is_pair: bool,
    /// When it leaves all variables as they are.
    pub reads: Reads,
}

/// When a call leaves all variables as they are, whatever the state.
#[derive(Debug, Clone, Copy)]
pub enum Reads {
    /// Whatever its arguments.
    Always,
    /// It may change something.
    Never,
    /// When the nth argument is this integer.
    If(usize, i64),
}

impl Operation {
    /// One that happens at once.
    pub const fn new(name: &'static str, params: &'static [(&'static str, Domain)], reads: Reads) -> Self {
        Self { name, params, is_pair: false, reads }
    }

    const fn pair(name: &'static str, params: &'static [(&'static str, Domain)]) -> Self {
        Self { name, params, is_pair: true, reads: Reads::Never }
    }

    /// Whether a call with these arguments leaves all variables as they are.
    pub fn only_reads(&self, args: &[Option<Datum>]) -> bool {
        match self.reads {
            Reads::Always => true,
            Reads::Never => false,
            Reads::If(nth, value) => args[nth] == Some(Datum::Int(value)),
        }
    }
}

/// What can be called of `Choice`.
const CHOICE: &[Operation] = &[
    Operation::new("Roll", &[], Never),
    Operation::new("Nudge", &[("by", Ints(1, 2))], Never),
    Operation::new("See", &[("result", Ints(0, 3))], Always),
    Operation::new("Add", &[("item", Ints(1, 3))], Never),
    Operation::new("Lose", &[], Never),
    Operation::new("Take", &[("item", Ints(1, 2))], Never),
    Operation::new("Trade", &[("item", Ints(1, 2))], Never),
    Operation::new("Holds", &[("items", Sets(2))], Always),
];

/// All families.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "Queue",
        operations: &[
            Operation::new("Enqueue", &[("elem", Ints(0, 3))], Never),
            Operation::new("Dequeue", &[("result", Ints(0, 3))], If(0, 0)),
            Operation::new("Length", &[("result", Ints(0, 7))], Always),
        ],
        fails: false,
        events: 8,
        spread: 5,
    },
    Family {
        name: "Register",
        operations: &[
            Operation::new("Write", &[("new", Ints(0, 4))], Never),
            Operation::new("Read", &[("result", Ints(0, 5))], Always),
            Operation::new("Peek", &[("result", Ints(0, 4))], Always),
            Operation::new("Swap", &[("old", Ints(0, 4)), ("new", Ints(0, 4))], Never),
            Operation::new("Seal", &[], Never),
            Operation::new("Unseal", &[("by", Ints(0, 4))], Never),
            Operation::new("Bump", &[("by", Ints(0, 3))], Never),
            Operation::new("Double", &[("to", Ints(0, 4))], Never),
        ],
        fails: false,
        events: 8,
        spread: 5,
    },
    Family {
        name: "Store",
        operations: &[
            Operation::new("Put", &[("key", Keys), ("value", Ints(1, 2)), ("old", Ints(0, 2))], Never),
            Operation::new("Get", &[("key", Keys), ("result", Ints(0, 2))], Always),
            Operation::new("Delete", &[("key", Keys), ("found", Flags)], Never),
            Operation::new("Count", &[("result", Ints(0, 3))], Always),
        ],
        fails: false,
        events: 8,
        spread: 5,
    },
    Family { name: "Choice", operations: CHOICE, fails: false, events: 7, spread: 5 },
    Family { name: "Viewed", operations: CHOICE, fails: false, events: 7, spread: 5 },
    Family {
        name: "Bulk",
        operations: &[
            Operation::pair("Push", &[("items", Sets(2))]),
            Operation::pair("Drain", &[("limit", Ints(1, 2))]),
            Operation::new("First", &[("result", Ints(0, 2))], Always),
            Operation::new("Length", &[("result", Ints(0, 2))], Always),
            Operation::new("Pushes", &[("result", Ints(0, 2))], Always),
        ],
        fails: false,
        events: 6,
        spread: 5,
    },
    Family {
        name: "Cases",
        operations: &[
            Operation::new("TryInsert", &[("elem", Ints(1, 2)), ("result", Ints(0, 1))], If(1, 0)),
            Operation::new("TryRemove", &[("elem", Ints(1, 2)), ("result", Ints(0, 1))], If(1, 0)),
            Operation::new("Contains", &[("elem", Ints(1, 2)), ("result", Ints(0, 1))], Always),
            Operation::new("Set", &[("value", Ints(0, 2))], Never),
            Operation::new("Load", &[("value", Ints(0, 2))], Always),
            Operation::new("Touch", &[("value", Ints(0, 2))], If(0, 0)),
            Operation::new("Ensure", &[("value", Ints(0, 2))], Never),
            Operation::new("Replace", &[("value", Ints(0, 2))], If(0, 0)),
        ],
        fails: false,
        events: 8,
        spread: 5,
    },
    Family {
        name: "Cells",
        operations: &[
            Operation::new("Left!Set", &[("value", Ints(0, 2))], Never),
            Operation::new("Right!Set", &[("value", Ints(0, 3))], Never),
            Operation::new("Left!Get", &[("value", Ints(0, 4))], Always),
            Operation::new("Right!Get", &[("value", Ints(0, 4))], Always),
            Operation::new("Left!Add", &[("by", Ints(1, 2))], Never),
            Operation::new("Exchange", &[], Never),
            Operation::new("Sum", &[("result", Ints(0, 6))], Always),
        ],
        fails: false,
        events: 8,
        spread: 5,
    },
    Family {
        name: "Partial",
        operations: &[
            Operation::new("Put", &[("key", Ints(1, 2)), ("value", Ints(1, 2))], Never),
            Operation::new("Get", &[("key", Ints(1, 2)), ("result", Ints(1, 2))], Always),
            Operation::new("Forget", &[], Never),
            Operation::new("Push", &[("value", Ints(1, 2))], Never),
            Operation::new("Pop", &[("result", Ints(1, 2))], Never),
            Operation::new("Either", &[("value", Ints(1, 2))], Never),
            Operation::new("Size", &[("result", Ints(0, 3))], Always),
        ],
        fails: true,
        events: 7,
        spread: 5,
    },
    Family {
        name: "Shelf",
        operations: &[
            Operation::new("Join", &[("x", Ints(1, 3))], Never),
            Operation::new("Leave", &[("x", Ints(0, 3))], Never),
            Operation::new("Turn", &[], Never),
            Operation::new("LineIs", &[("n", Ints(0, 4))], Always),
            Operation::new("First", &[("x", Ints(1, 3))], Always),
            Operation::new("Rename", &[("at", Ints(1, 2)), ("x", Ints(1, 3))], Never),
            Operation::new("Reprice", &[("thing", Ints(1, 2)), ("old", Ints(0, 3)), ("new", Ints(0, 3))], Never),
            Operation::new("Raise", &[("thing", Ints(1, 2))], Never),
            Operation::new("Equalize", &[("from", Ints(1, 2)), ("to", Ints(1, 2))], Never),
            Operation::new("Dearest", &[("n", Ints(0, 3))], Always),
            Operation::new("Mark", &[("x", Ints(1, 3)), ("isNew", Flags)], Never),
            Operation::new("Erase", &[("x", Ints(1, 3))], Never),
            Operation::new("Marked", &[("n", Ints(0, 3))], Always),
            Operation::new("Lift", &[("by", Ints(0, 1))], Never),
            Operation::new("Pack", &[], Never),
            Operation::new("Weighs", &[("n", Ints(0, 6))], Always),
        ],
        fails: false,
        events: 8,
        spread: 5,
    },
    Family {
        name: "Snapshots",
        operations: &[
            Operation::new("Add", &[], Never),
            Operation::new("Take", &[("reader", Ints(1, 2))], Never),
            Operation::new("Look", &[("reader", Ints(1, 2)), ("result", Ints(0, 3))], Always),
            Operation::pair("Scan", &[("reader", Ints(1, 2)), ("result", Ints(0, 3))]),
        ],
        fails: false,
        events: 7,
        spread: 40,
    },
];

impl Family {
    /// The family of a name.
    pub fn named(name: &str) -> &'static Self {
        FAMILIES.iter().find(|family| family.name == name).expect("tests name families that there are")
    }

    /// Its specification, with its configuration if it has one.
    pub fn load(&self) -> Spec {
        Spec::load(self.path(), &self.options()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// What it is loaded with.
    pub fn options(&self) -> Options {
        Options { config: Options::config_beside(&self.path()), ..Options::default() }
    }

    fn path(&self) -> PathBuf {
        let own = specs().join(self.name).with_extension("tla");
        if own.is_file() {
            own
        } else {
            specs().join("../../../bench/check/specs").join(self.name).with_extension("tla")
        }
    }

    /// Whether it has a module that says for TLC what its events mean.
    pub fn has_events(&self) -> bool {
        specs().join("events").join(format!("{}Events.tla", self.name)).is_file()
    }

    /// The operation of a name.
    pub fn operation(&self, name: &str) -> &'static Operation {
        self.operations.iter().find(|operation| operation.name == name).expect("histories have the family's operations")
    }
}

/// Where the specifications are.
pub fn specs() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/specs")
}
