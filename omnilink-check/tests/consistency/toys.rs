//! Small objects: with one result per state or several, with calls that are not always possible, with calls that only read.

use omnilink_check::model::Model;

use crate::random::Random;

/// An object whose states are lists of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toy {
    Register,
    Queue,
    Set,
    Counter,
    /// Takes any element, and may lose one when another is put.
    Bag,
    /// Can be acquired only while it is free, and looked at only while it is held.
    Lock,
}

pub const TOYS: [Toy; 6] = [Toy::Register, Toy::Queue, Toy::Set, Toy::Counter, Toy::Bag, Toy::Lock];

/// An operation and an argument.
pub type Input = (&'static str, i64);

impl Toy {
    fn operations(self) -> &'static [&'static str] {
        match self {
            Self::Register => &["Write", "Read", "Swap"],
            Self::Queue => &["Enqueue", "Dequeue", "Size"],
            Self::Set => &["Add", "Remove", "Has", "Size"],
            Self::Counter => &["Add", "Get"],
            Self::Bag => &["Put", "Take", "Size"],
            Self::Lock => &["Acquire", "Release", "IsHeld", "Holder"],
        }
    }

    pub fn input(self, random: &mut Random) -> Input {
        let operations = self.operations();
        (operations[random.below(operations.len())], 1 + random.below(2) as i64)
    }

    /// The states after a call, each with its result.
    pub fn outcomes(self, state: &[i64], (operation, argument): Input) -> Vec<(Vec<i64>, i64)> {
        let same = |result: i64| vec![(state.to_vec(), result)];
        let with = |element: i64| [state, &[element]].concat();
        let without = |at: usize| [&state[..at], &state[at + 1..]].concat();
        let has = state.contains(&argument);
        match (self, operation) {
            (Self::Register, "Write") => vec![(vec![argument], 0)],
            (Self::Register, "Swap") => vec![(vec![argument], state.first().copied().unwrap_or(0))],
            (Self::Register, _) => same(state.first().copied().unwrap_or(0)),
            (_, "Size") => same(state.len() as i64),
            (Self::Queue, "Enqueue") => vec![(with(argument), 0)],
            (Self::Queue, _) if state.is_empty() => same(0),
            (Self::Queue, _) => vec![(without(0), state[0])],
            (Self::Set, "Add") if has => same(0),
            (Self::Set, "Add") => {
                let mut next = with(argument);
                next.sort_unstable();
                vec![(next, 1)]
            }
            (Self::Set, "Remove") => match state.iter().position(|element| *element == argument) {
                Some(at) => vec![(without(at), 1)],
                None => same(0),
            },
            (Self::Set, _) => same(i64::from(has)),
            (Self::Counter, "Add") => vec![(vec![state.first().copied().unwrap_or(0) + argument], 0)],
            (Self::Counter, _) => same(state.first().copied().unwrap_or(0)),
            (Self::Bag, "Put") => {
                let mut next = with(argument);
                next.sort_unstable();
                let mut all = vec![(next, 0)];
                all.extend((!state.is_empty()).then(|| (without(0), 0)));
                all
            }
            (Self::Bag, _) if state.is_empty() => same(0),
            (Self::Bag, _) => (0..state.len()).map(|at| (without(at), state[at])).collect(),
            (Self::Lock, "Acquire") if state.is_empty() => vec![(vec![argument], 0)],
            (Self::Lock, "Release") if !state.is_empty() => vec![(Vec::new(), 0)],
            (Self::Lock, "IsHeld") => same(i64::from(!state.is_empty())),
            (Self::Lock, "Holder") if !state.is_empty() => same(state[0]),
            (Self::Lock, _) => Vec::new(),
        }
    }
}

impl Model for Toy {
    type State = Vec<i64>;
    type Input = Input;
    type Output = i64;
    type Key = ();

    fn init(&self) -> Vec<i64> {
        Vec::new()
    }

    fn step(&self, state: &Vec<i64>, input: &Input, output: Option<&i64>) -> impl IntoIterator<Item = Vec<i64>> {
        let outcomes = self.outcomes(state, *input).into_iter();
        outcomes
            .filter(move |(_, result)| output.is_none_or(|output| output == result))
            .map(|(next, _)| next)
            .collect::<Vec<_>>()
    }

    fn is_read_only(&self, input: &Input) -> bool {
        ["Read", "Size", "Has", "Get", "IsHeld", "Holder"].contains(&input.0)
    }

    fn operation(&self, input: &Input) -> &str {
        input.0
    }
}
