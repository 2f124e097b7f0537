//! A dictionary of small integers with range queries. These read all keys, so it cannot be partitioned by key.

use std::hash::{Hash, Hasher};

use porcupine_rs::Model;

use super::mix;
use crate::Outcome;
use crate::lines::Line;

const MAX_KEY: u8 = 31;

/// A call; results and counts are what it answered.
#[derive(Debug, Clone)]
pub enum Op {
    Insert { key: u8, value: u8, result: u8 },
    InsertIfAbsent { key: u8, value: u8, result: u8 },
    Erase { key: u8, result: u8 },
    Contains { key: u8, result: bool },
    RangeQuery { between: u32, count: u32 },
}

pub fn op(line: &Line) -> Outcome<Op> {
    let key = |name| -> Outcome<u8> {
        match u8::try_from(line.number(name)?)? {
            key @ ..=MAX_KEY => Ok(key),
            key => Err(format!("the model has no key {key}").into()),
        }
    };
    let value = |name| -> Outcome<u8> { Ok(u8::try_from(line.number(name)?)?) };
    Ok(match line.op()? {
        "KVInsert" => Op::Insert { key: key("key")?, value: value("value")?, result: value("result")? },
        "KVInsertIfAbsent" => Op::InsertIfAbsent { key: key("key")?, value: value("value")?, result: value("result")? },
        "KVErase" => Op::Erase { key: key("key")?, result: value("result")? },
        "KVContains" => Op::Contains { key: key("key")?, result: line.truth("result")? },
        "KVRangeQuery" => {
            let (lo, hi) = (key("lo")?, key("hi")?);
            let between = (lo..=hi).fold(0, |keys, key| keys | 1 << key);
            Op::RangeQuery { between, count: u32::try_from(line.number("count")?)? }
        }
        other => return Err(format!("a set has no {other}").into()),
    })
}

/// The state. Its hash is kept up to date by every change, so that asking for it costs nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dictionary {
    hash: u64,
    /// Bit k: key k has a value.
    present: u32,
    /// 0: it has none.
    values: [u8; MAX_KEY as usize + 1],
}

impl Hash for Dictionary {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hash);
    }
}

impl Dictionary {
    fn put(&self, key: u8, value: u8) -> Self {
        let mut next = self.clone();
        let old = std::mem::replace(&mut next.values[usize::from(key)], value);
        next.hash = next.hash.wrapping_add(entry_hash(key, value)).wrapping_sub(entry_hash(key, old));
        next.present = next.present & !(1 << key) | u32::from(value != 0) << key;
        next
    }
}

/// What an entry contributes to the hash, which is a sum.
fn entry_hash(key: u8, value: u8) -> u64 {
    if value == 0 { 0 } else { mix(u64::from(key) << 8 | u64::from(value)) }
}

impl Model for Dictionary {
    type State = Self;
    type Op = Op;
    type Metadata = ();

    fn init() -> Self {
        Self::default()
    }

    fn step(state: &Self, op: &Op) -> (bool, Self) {
        let old = |key: u8| state.values[usize::from(key)];
        match *op {
            Op::Insert { key, value, result } if old(key) == result => (true, state.put(key, value)),
            Op::InsertIfAbsent { key, value, result: 0 } if old(key) == 0 => (true, state.put(key, value)),
            Op::InsertIfAbsent { key, result, .. } => (result != 0 && old(key) == result, state.clone()),
            Op::Erase { key, result } if old(key) == result => (true, state.put(key, 0)),
            Op::Contains { key, result } => ((old(key) != 0) == result, state.clone()),
            Op::RangeQuery { between, count } => ((state.present & between).count_ones() == count, state.clone()),
            Op::Insert { .. } | Op::Erase { .. } => (false, state.clone()),
        }
    }
}
