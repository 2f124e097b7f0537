//! The objects that histories are made of: every ready model, and a bag.

use std::collections::{BTreeSet, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;

use omnilink_check::model::Model;
use omnilink_check::model::ready::{
    Counter, CounterCall, KeyValue, KeyValueCall, Lock, LockCall, Queue, QueueCall, QueueReturn, Register,
    RegisterCall, RegisterReturn, Set, SetCall, Stack, StackCall,
};

use crate::random::Random;

/// An object to make histories of.
pub trait Object: Clone + Debug + Send + Sync + 'static {
    type Model: Model<State = Self::State, Input = Self::Input, Output = Self::Output>;
    type State: Clone + Default + Eq + Hash + Debug + Send + Sync;
    type Input: Clone + Debug + Send + Sync;
    type Output: Clone + Debug + Send + Sync;
    /// There is at most one state after a call.
    const IS_DETERMINISTIC: bool = true;

    fn model(&self) -> &Self::Model;
    fn name(&self) -> &'static str;
    fn input(&self, thread: u32, random: &mut Random) -> Self::Input;
    /// Something that such a call might return.
    fn output(&self, input: &Self::Input, random: &mut Random) -> Self::Output;
}

/// Who looks at all objects.
pub trait Visitor {
    fn visit<O: Object>(&mut self, object: &O);
}

/// How many there are.
pub const COUNT: usize = 9;

pub fn each_object(visitor: &mut impl Visitor) {
    visitor.visit(&Register { initial: 0_u8 });
    visitor.visit(&KeyValue::<u8>::new());
    visitor.visit(&Set::<u8>::new());
    visitor.visit(&Queue::<u8>::unbounded());
    visitor.visit(&Queue::<u8>::bounded(2));
    visitor.visit(&Stack::<u8>::new());
    visitor.visit(&Counter);
    visitor.visit(&Lock);
    visitor.visit(&Bag);
}

fn small(random: &mut Random) -> u8 {
    random.below(3) as u8
}

fn maybe(random: &mut Random) -> Option<u8> {
    let value = small(random);
    (value > 0).then_some(value)
}

impl Object for Register<u8> {
    type Model = Self;
    type State = u8;
    type Input = RegisterCall<u8>;
    type Output = RegisterReturn<u8>;

    fn model(&self) -> &Self {
        self
    }

    fn name(&self) -> &'static str {
        "register"
    }

    fn input(&self, _thread: u32, random: &mut Random) -> RegisterCall<u8> {
        match random.below(3) {
            0 => RegisterCall::Read,
            1 => RegisterCall::Write(small(random)),
            _ => RegisterCall::CompareAndSwap(small(random), small(random)),
        }
    }

    fn output(&self, input: &RegisterCall<u8>, random: &mut Random) -> RegisterReturn<u8> {
        match input {
            RegisterCall::Read => RegisterReturn::Value(small(random)),
            RegisterCall::Write(_) => RegisterReturn::Written,
            RegisterCall::CompareAndSwap(..) => RegisterReturn::Swapped(random.chance(50)),
        }
    }
}

impl Object for KeyValue<u8> {
    type Model = Self;
    type State = Option<String>;
    type Input = KeyValueCall<u8>;
    type Output = Option<String>;

    fn model(&self) -> &Self {
        self
    }

    fn name(&self) -> &'static str {
        "key-value"
    }

    fn input(&self, _thread: u32, random: &mut Random) -> KeyValueCall<u8> {
        let (key, value) = (random.below(2) as u8, (*random.pick(&["a", "b"])).to_owned());
        match random.below(4) {
            0 => KeyValueCall::Get(key),
            1 => KeyValueCall::Put(key, value),
            2 => KeyValueCall::Append(key, value),
            _ => KeyValueCall::Delete(key),
        }
    }

    fn output(&self, _input: &KeyValueCall<u8>, random: &mut Random) -> Option<String> {
        random.pick(&[None, Some("a"), Some("b"), Some("ab")]).map(str::to_owned)
    }
}

impl Object for Set<u8> {
    type Model = Self;
    type State = bool;
    type Input = SetCall<u8>;
    type Output = bool;

    fn model(&self) -> &Self {
        self
    }

    fn name(&self) -> &'static str {
        "set"
    }

    fn input(&self, _thread: u32, random: &mut Random) -> SetCall<u8> {
        let element = random.below(2) as u8;
        match random.below(3) {
            0 => SetCall::Insert(element),
            1 => SetCall::Remove(element),
            _ => SetCall::Contains(element),
        }
    }

    fn output(&self, _input: &SetCall<u8>, random: &mut Random) -> bool {
        random.chance(50)
    }
}

impl Object for Queue<u8> {
    type Model = Self;
    type State = VecDeque<u8>;
    type Input = QueueCall<u8>;
    type Output = QueueReturn<u8>;

    fn model(&self) -> &Self {
        self
    }

    fn name(&self) -> &'static str {
        if self.capacity.is_some() { "bounded" } else { "queue" }
    }

    fn input(&self, _thread: u32, random: &mut Random) -> QueueCall<u8> {
        if random.chance(55) { QueueCall::Enqueue(small(random)) } else { QueueCall::Dequeue }
    }

    fn output(&self, input: &QueueCall<u8>, random: &mut Random) -> QueueReturn<u8> {
        match input {
            QueueCall::Enqueue(_) => QueueReturn::Enqueued(random.chance(70)),
            QueueCall::Dequeue => QueueReturn::Dequeued(maybe(random)),
        }
    }
}

impl Object for Stack<u8> {
    type Model = Self;
    type State = Vec<u8>;
    type Input = StackCall<u8>;
    type Output = Option<u8>;

    fn model(&self) -> &Self {
        self
    }

    fn name(&self) -> &'static str {
        "stack"
    }

    fn input(&self, _thread: u32, random: &mut Random) -> StackCall<u8> {
        if random.chance(55) { StackCall::Push(small(random)) } else { StackCall::Pop }
    }

    fn output(&self, input: &StackCall<u8>, random: &mut Random) -> Option<u8> {
        match input {
            StackCall::Push(_) => None,
            StackCall::Pop => maybe(random),
        }
    }
}

impl Object for Counter {
    type Model = Self;
    type State = i64;
    type Input = CounterCall;
    type Output = i64;

    fn model(&self) -> &Self {
        self
    }

    fn name(&self) -> &'static str {
        "counter"
    }

    fn input(&self, _thread: u32, random: &mut Random) -> CounterCall {
        if random.chance(60) { CounterCall::Add(random.below(3) as i64 - 1) } else { CounterCall::Read }
    }

    fn output(&self, _input: &CounterCall, random: &mut Random) -> i64 {
        random.below(5) as i64 - 2
    }
}

impl Object for Lock {
    type Model = Self;
    type State = Option<u32>;
    type Input = LockCall;
    type Output = bool;

    fn model(&self) -> &Self {
        self
    }

    fn name(&self) -> &'static str {
        "lock"
    }

    fn input(&self, thread: u32, random: &mut Random) -> LockCall {
        match random.below(4) {
            0 => LockCall::Acquire(thread),
            1 => LockCall::TryAcquire(thread),
            _ => LockCall::Release(thread),
        }
    }

    fn output(&self, _input: &LockCall, random: &mut Random) -> bool {
        random.chance(60)
    }
}

/// A set from which any element can be taken.
#[derive(Debug, Clone)]
pub struct Bag;

#[derive(Debug, Clone)]
pub enum BagCall {
    Put(u8),
    Take,
    /// How many elements there are, or one less: relaxed.
    Size,
}

impl Model for Bag {
    type State = BTreeSet<u8>;
    type Input = BagCall;
    type Output = u8;
    type Key = ();

    fn init(&self) -> BTreeSet<u8> {
        BTreeSet::new()
    }

    fn step(
        &self,
        state: &BTreeSet<u8>,
        input: &BagCall,
        output: Option<&u8>,
    ) -> impl IntoIterator<Item = BTreeSet<u8>> {
        match input {
            BagCall::Put(element) => {
                let mut next = state.clone();
                next.insert(*element);
                vec![next]
            }
            BagCall::Take => {
                let taken = state.iter().filter(|element| output.is_none_or(|output| output == *element));
                taken.map(|taken| state.iter().copied().filter(|element| element != taken).collect()).collect()
            }
            BagCall::Size => {
                let size = state.len() as u8;
                let holds = output.is_none_or(|&output| output == size || output + 1 == size);
                holds.then(|| state.clone()).into_iter().collect()
            }
        }
    }

    fn is_read_only(&self, input: &BagCall) -> bool {
        matches!(input, BagCall::Size)
    }
}

impl Object for Bag {
    type Model = Self;
    type State = BTreeSet<u8>;
    type Input = BagCall;
    type Output = u8;
    const IS_DETERMINISTIC: bool = false;

    fn model(&self) -> &Self {
        self
    }

    fn name(&self) -> &'static str {
        "bag"
    }

    fn input(&self, _thread: u32, random: &mut Random) -> BagCall {
        match random.below(5) {
            0 | 1 => BagCall::Put(random.below(4) as u8),
            2 | 3 => BagCall::Take,
            _ => BagCall::Size,
        }
    }

    fn output(&self, _input: &BagCall, random: &mut Random) -> u8 {
        random.below(4) as u8
    }
}
