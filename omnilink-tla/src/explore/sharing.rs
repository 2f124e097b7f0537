//! Sharing equal values between states (hash consing).
//!
//! A variable takes far fewer values than there are states, but each step makes its own copy. States that share theirs take less
//! memory, and the values that are read again and again stay in the processor's cache.

use crate::spec::{Candidate, State};
use crate::value::{Fingerprint, Value};

/// Values met lately: for each variable a table with one place per fingerprint's low bits, so that it stays small.
pub(super) struct Sharing {
    tables: Vec<Table>,
}

type Table = Box<[Option<(Fingerprint, Value)>]>;

/// How many values of one variable are remembered.
const PLACES: usize = 1 << 12;

impl Sharing {
    pub fn new(variables: usize) -> Self {
        Self { tables: (0..variables).map(|_| vec![None; PLACES].into_boxed_slice()).collect() }
    }

    /// The state, with values that were met lately.
    pub fn state(&mut self, candidate: &Candidate<'_>) -> State {
        let shared = self.tables.iter_mut().zip(candidate.values()).map(|(table, value)| {
            // What is no larger than a pointer is not worth looking up.
            if !matches!(value, Value::Tuple(_) | Value::Function(_) | Value::Set(_)) {
                return value.clone();
            }
            let fingerprint = value.fingerprint();
            match &mut table[fingerprint.0 as usize % PLACES] {
                Some((known, shared)) if *known == fingerprint => shared.clone(),
                place => place.insert((fingerprint, value.clone())).1.clone(),
            }
        });
        State::new(shared)
    }
}
