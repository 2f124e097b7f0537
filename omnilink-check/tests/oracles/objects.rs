//! The objects that Porcupine has models of, as specifications and as models for `porcupine-rs`.

use std::collections::{BTreeMap, VecDeque};

use porcupine_rs::{Model, Operation as Timed};

use crate::datum::{Datum, Domain::Flags, Domain::Ints};
use crate::family::{Family, Operation, Reads::Always, Reads::Never};
use crate::plan::{Call, Plan};

/// An object: its name in `bench/porcupine`, its specification, and what `porcupine-rs` says about a history.
pub struct Object {
    /// Its name.
    pub name: &'static str,
    /// Its specification.
    pub family: Family,
    /// Whether a history is linearizable.
    pub is_linearizable: fn(&Plan) -> bool,
}

/// All of them.
pub static OBJECTS: [Object; 4] = [
    Object {
        name: "set",
        family: Family {
            name: "SetBench",
            operations: &[
                Operation::new(
                    "KVInsert",
                    &[("key", Ints(1, 2)), ("value", Ints(1, 2)), ("result", Ints(0, 2))],
                    Never,
                ),
                Operation::new(
                    "KVInsertIfAbsent",
                    &[("key", Ints(1, 2)), ("value", Ints(1, 2)), ("result", Ints(0, 2))],
                    Never,
                ),
                Operation::new("KVErase", &[("key", Ints(1, 2)), ("result", Ints(0, 2))], Never),
                Operation::new("KVContains", &[("key", Ints(1, 2)), ("result", Flags)], Always),
                Operation::new(
                    "KVRangeQuery",
                    &[("lo", Ints(1, 2)), ("hi", Ints(1, 2)), ("count", Ints(0, 2))],
                    Always,
                ),
            ],
            fails: false,
            events: 9,
            spread: 5,
        },
        is_linearizable: is_linearizable::<Set>,
    },
    Object {
        name: "queue",
        family: Family {
            name: "Fifo",
            operations: &[
                Operation::new("Enqueue", &[("value", Ints(1, 4))], Never),
                Operation::new("Dequeue", &[("result", Ints(0, 4))], Never),
            ],
            fails: false,
            events: 10,
            spread: 5,
        },
        is_linearizable: is_linearizable::<Queue>,
    },
    Object {
        name: "register",
        family: Family {
            name: "CasRegister",
            operations: &[
                Operation::new("Read", &[("result", Ints(0, 3))], Always),
                Operation::new("Write", &[("value", Ints(1, 3))], Never),
                Operation::new("CompareAndSet", &[("old", Ints(0, 3)), ("new", Ints(1, 3)), ("result", Flags)], Never),
            ],
            fails: false,
            events: 10,
            spread: 5,
        },
        is_linearizable: is_linearizable::<Register>,
    },
    Object {
        name: "registers",
        family: Family {
            name: "CasMap",
            operations: &[
                Operation::new("Get", &[("key", Ints(1, 2)), ("result", Ints(0, 2))], Always),
                Operation::new("Put", &[("key", Ints(1, 2)), ("value", Ints(1, 2))], Never),
                Operation::new(
                    "CompareAndSet",
                    &[("key", Ints(1, 2)), ("old", Ints(0, 2)), ("new", Ints(1, 2)), ("result", Flags)],
                    Never,
                ),
            ],
            fails: false,
            events: 10,
            spread: 5,
        },
        is_linearizable: is_linearizable::<Registers>,
    },
];

/// A call as models see it: name and numbers.
#[derive(Debug, Clone)]
struct Op {
    name: &'static str,
    args: Vec<i64>,
}

impl Op {
    fn of(call: &Call) -> Self {
        let number = |value: &Option<Datum>| match value {
            Some(Datum::Int(value)) => *value,
            Some(Datum::Flag(value)) => i64::from(*value),
            other => panic!("models know numbers only: {other:?}"),
        };
        Self { name: call.names[0], args: call.args.iter().map(|(_, value)| number(value)).collect() }
    }
}

fn is_linearizable<M: Model<Op = Op, Metadata = ()>>(plan: &Plan) -> bool {
    let timed = |(lane, _, call): (usize, usize, &Call)| Timed {
        client_id: Some(lane as u32),
        call_time: call.start as i64,
        return_time: call.end.expect("calls have returned") as i64,
        op: Op::of(call),
        metadata: None,
    };
    porcupine_rs::check_operations::<M>(&plan.calls().map(timed).collect::<Vec<_>>())
}

/// A dictionary.
#[derive(Debug, Clone)]
struct Set;

impl Model for Set {
    type State = BTreeMap<i64, i64>;
    type Op = Op;
    type Metadata = ();

    fn init() -> Self::State {
        BTreeMap::new()
    }

    fn step(state: &Self::State, op: &Op) -> (bool, Self::State) {
        let mut next = state.clone();
        let is_right = match (op.name, op.args.as_slice()) {
            ("KVInsert", &[key, value, result]) => next.insert(key, value).unwrap_or(0) == result,
            ("KVInsertIfAbsent", &[key, value, result]) => {
                let old = state.get(&key).copied();
                next.entry(key).or_insert(value);
                old.unwrap_or(0) == result
            }
            ("KVErase", &[key, result]) => next.remove(&key).unwrap_or(0) == result,
            ("KVContains", &[key, result]) => i64::from(state.contains_key(&key)) == result,
            ("KVRangeQuery", &[lo, hi, count]) => {
                state.keys().filter(|key| (lo..=hi).contains(key)).count() as i64 == count
            }
            other => panic!("a set has no {other:?}"),
        };
        (is_right, next)
    }
}

/// A queue; 0 stands for no element.
#[derive(Debug, Clone)]
struct Queue;

impl Model for Queue {
    type State = VecDeque<i64>;
    type Op = Op;
    type Metadata = ();

    fn init() -> Self::State {
        VecDeque::new()
    }

    fn step(state: &Self::State, op: &Op) -> (bool, Self::State) {
        let mut next = state.clone();
        if op.name == "Enqueue" {
            next.push_back(op.args[0]);
            return (true, next);
        }
        (next.pop_front().unwrap_or(0) == op.args[0], next)
    }
}

/// A register.
#[derive(Debug, Clone)]
struct Register;

impl Model for Register {
    type State = i64;
    type Op = Op;
    type Metadata = ();

    fn init() -> i64 {
        0
    }

    fn step(state: &i64, op: &Op) -> (bool, i64) {
        let present = *state;
        match (op.name, op.args.as_slice()) {
            ("Read" | "Get", &[result]) => (present == result, present),
            ("Write" | "Put", &[value]) => (true, value),
            ("CompareAndSet", &[old, new, result]) if present == old => (result == 1, new),
            ("CompareAndSet", &[.., result]) => (result == 0, present),
            other => panic!("a register has no {other:?}"),
        }
    }
}

/// Registers by key.
#[derive(Debug, Clone)]
struct Registers;

impl Model for Registers {
    type State = BTreeMap<i64, i64>;
    type Op = Op;
    type Metadata = ();

    fn init() -> Self::State {
        BTreeMap::new()
    }

    fn step(state: &Self::State, op: &Op) -> (bool, Self::State) {
        let (key, args) = (op.args[0], op.args[1..].to_vec());
        let present = state.get(&key).copied().unwrap_or(0);
        let (is_right, value) = Register::step(&present, &Op { name: op.name, args });
        let mut next = state.clone();
        next.insert(key, value);
        (is_right, next)
    }
}
