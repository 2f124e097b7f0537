//! Values of definitions without parameters, kept while one state is looked at.
//!
//! A definition like `Alive == {p \in Procs : ~crashed[p]}` is used many times on the way to all successors of a state, and has the same value each
//! time. TLC evaluates it again; here it is evaluated once per state, if it goes through sets, and only if it
//! depends on nothing but the state.

use std::cell::OnceCell;

use super::Context;
use crate::ir::{DefinitionId, Level, Program, Reads};
use crate::value::Value;

/// Which definitions are kept.
pub struct Keeping {
    /// The place of each definition among those that are kept.
    places: Vec<Option<u32>>,
    count: usize,
}

impl Keeping {
    /// The definitions of a program whose value is worth keeping and the same as long as the state is.
    pub fn of(program: &Program) -> Self {
        let mut count = 0;
        let mut place = |pays: bool| {
            pays.then(|| {
                count += 1;
                count - 1
            })
        };
        let pays = |definition: &crate::ir::Definition| {
            if definition.level != Level::State || !definition.params.is_empty() {
                return false;
            }
            let reads = Reads::of(&definition.body, program);
            reads.has_loops && !reads.looks_ahead && !reads.asks_outside
        };
        let places = program.definitions.iter().map(|definition| place(pays(definition))).collect();
        Self { places, count: count as usize }
    }

    /// Nothing is known yet of a state.
    pub fn begin<'s>(&'s self, state: &'s [Value]) -> Option<Kept<'s>> {
        let values = || vec![OnceCell::new(); self.count];
        (self.count > 0).then(|| Kept { keeping: self, state, values: values() })
    }
}

/// What was evaluated in one state.
pub struct Kept<'s> {
    keeping: &'s Keeping,
    state: &'s [Value],
    values: Vec<OnceCell<Value>>,
}

impl Kept<'_> {
    /// Where the value of a definition is kept, if it is and this is the state. While the state is borrowed here, no
    /// other one has its address.
    #[inline]
    pub fn place(&self, id: DefinitionId, cx: Context<'_>) -> Option<&OnceCell<Value>> {
        let is_here = !cx.primed && std::ptr::eq(self.state, cx.state);
        let place = self.keeping.places.get(id.0 as usize).copied().flatten().filter(|_| is_here)?;
        self.values.get(place as usize)
    }
}
