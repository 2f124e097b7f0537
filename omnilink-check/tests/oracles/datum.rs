//! Values of random histories, in the three forms that are needed: recorded, of the specification, and as TLA+ text.

use omnilink_tla::Value;
use omnilink_trace::Value as Recorded;

use crate::random::Random;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Datum {
    /// An integer.
    Int(i64),
    /// A Boolean.
    Flag(bool),
    /// A model value, recorded as a string.
    Model(&'static str),
    /// A string that is no model value.
    Text(&'static str),
    /// A set of integers.
    Set(Vec<i64>),
}

impl Datum {
    /// What a program records.
    pub fn recorded(&self) -> Recorded {
        match self {
            Self::Int(value) => Recorded::Int(*value),
            Self::Flag(value) => Recorded::Bool(*value),
            Self::Model(text) | Self::Text(text) => Recorded::from(*text),
            Self::Set(items) => Recorded::set(items.iter().map(|&item| Recorded::Int(item))),
        }
    }

    /// What the specification means by it.
    pub fn value(&self) -> Value {
        match self {
            Self::Int(value) => Value::from(*value),
            Self::Flag(value) => Value::from(*value),
            Self::Model(text) => Value::model(text),
            Self::Text(text) => Value::string(text),
            Self::Set(items) => Value::set(items.iter().map(|&item| Value::from(item))).expect("integers compare"),
        }
    }
}

/// As TLA+ writes it.
impl std::fmt::Display for Datum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Model(text) => f.write_str(text),
            other => write!(f, "{}", other.recorded()),
        }
    }
}

/// Values that a parameter is recorded with: all that the specification allows and some that it does not.
#[derive(Debug, Clone, Copy)]
pub enum Domain {
    /// From the first to the last.
    Ints(i64, i64),
    /// Both of them.
    Flags,
    /// Model values `k1` and `k2`, and a string.
    Keys,
    /// All sets of integers from 1 to this.
    Sets(u32),
}

impl Domain {
    /// All of them.
    pub fn all(self) -> Vec<Datum> {
        match self {
            Self::Ints(first, last) => (first..=last).map(Datum::Int).collect(),
            Self::Flags => vec![Datum::Flag(false), Datum::Flag(true)],
            Self::Keys => vec![Datum::Model("k1"), Datum::Model("k2"), Datum::Text("k3")],
            Self::Sets(last) => {
                let members = |bits: u32| (0..last).filter(move |at| bits >> at & 1 == 1).map(|at| i64::from(at) + 1);
                (0..1 << last).map(|bits| Datum::Set(members(bits).collect())).collect()
            }
        }
    }

    /// One of them.
    pub fn pick(self, random: &mut Random) -> Datum {
        random.pick(&self.all()).clone()
    }
}
