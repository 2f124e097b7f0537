//! A first-in first-out queue. A dequeue that answers 0 found it empty.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use porcupine_rs::Model;

use super::mix;
use crate::Outcome;
use crate::lines::Line;

/// A call.
#[derive(Debug, Clone)]
pub enum Op {
    Enqueue { value: u32 },
    Dequeue { result: u32 },
}

pub fn op(line: &Line) -> Outcome<Op> {
    Ok(match line.op()? {
        "Enqueue" => Op::Enqueue { value: u32::try_from(line.number("value")?)? },
        "Dequeue" => Op::Dequeue { result: u32::try_from(line.number("result")?)? },
        other => return Err(format!("a queue has no {other}").into()),
    })
}

/// The state. Those that were dequeued from share their elements with those they came from.
#[derive(Debug, Clone)]
pub struct Fifo {
    /// A polynomial of the elements: both ends can change it without reading the others.
    hash: u64,
    /// Elements, of which the first so many are gone.
    elements: Arc<[u32]>,
    gone: usize,
}

/// The base of that polynomial: any odd number with bits all over.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

impl Fifo {
    fn elements(&self) -> &[u32] {
        &self.elements[self.gone..]
    }

    fn with(&self, element: u32) -> Self {
        let hash = self.hash.wrapping_mul(BASE).wrapping_add(mix(u64::from(element)));
        let elements = self.elements().iter().copied().chain([element]).collect();
        Self { hash, elements, gone: 0 }
    }

    fn tail(&self, first: u32) -> Self {
        let power = self.elements()[1..].iter().fold(mix(u64::from(first)), |power, _| power.wrapping_mul(BASE));
        Self { hash: self.hash.wrapping_sub(power), elements: Arc::clone(&self.elements), gone: self.gone + 1 }
    }
}

impl PartialEq for Fifo {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.elements() == other.elements()
    }
}

impl Eq for Fifo {}

impl Hash for Fifo {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hash);
    }
}

impl Model for Fifo {
    type State = Self;
    type Op = Op;
    type Metadata = ();

    fn init() -> Self {
        Self { hash: 0, elements: Arc::new([]), gone: 0 }
    }

    fn step(state: &Self, op: &Op) -> (bool, Self) {
        match (op, state.elements().first()) {
            (Op::Enqueue { value }, _) => (true, state.with(*value)),
            (Op::Dequeue { result }, Some(&first)) if *result == first => (true, state.tail(first)),
            (Op::Dequeue { result }, first) => (*result == 0 && first.is_none(), state.clone()),
        }
    }
}
