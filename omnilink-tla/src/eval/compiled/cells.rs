//! Parts of a state, and changes of them, that can be distinguished without a look at the state.
//!
//! `kv[3]` and `kv[4]` are different cells of `kv`: an action that changes one leaves the other as it is. `Append` and `Tail`
//! change different ends of a sequence. Where two parts cannot be distinguished, they are taken for the same.

use crate::ir::VariableId;
use crate::value::Value;

/// A part of a variable's value that something depends on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cell {
    pub(super) variable: VariableId,
    pub(super) part: Part,
}

/// Which part.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    Whole,
    /// The first element of a sequence, or that there is none.
    Front,
    /// The value of a function at a point, or that there is none; whether something is an element of a set.
    At(Value),
}

/// A way to change a variable's value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    pub(super) variable: VariableId,
    pub(super) kind: Kind,
}

/// Which way.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Any,
    /// Something is appended to a sequence.
    Push,
    /// The first element of a sequence is removed.
    Pop,
    /// A function is changed at a point, or an element is put into a set or taken out of it.
    At(Value),
}

impl Cell {
    /// The point that it is, if it is one.
    pub fn point(&self) -> Option<&Value> {
        match &self.part {
            Part::At(point) => Some(point),
            Part::Whole | Part::Front => None,
        }
    }

    /// The sequence whose front it is, if it is one.
    pub fn front_of(&self) -> Option<VariableId> {
        matches!(self.part, Part::Front).then_some(self.variable)
    }
}

impl Change {
    /// The only point that it changes, if it is so.
    pub fn point(&self) -> Option<&Value> {
        match &self.kind {
            Kind::At(point) => Some(point),
            Kind::Any | Kind::Push | Kind::Pop => None,
        }
    }

    /// Whether it may make a cell different.
    pub fn affects(&self, cell: &Cell) -> bool {
        self.variable == cell.variable
            && match (&self.kind, &cell.part) {
                (Kind::At(here), Part::At(there)) => may_be_one(here, there),
                _ => true,
            }
    }

    /// Whether it may make a cell different, if there is something in every sequence whose front matters.
    pub fn affects_filled(&self, cell: &Cell) -> bool {
        self.affects(cell) && !matches!((&self.kind, &cell.part), (Kind::Push, Part::Front))
    }

    /// Whether it may matter which of two comes first, if there is something in every sequence that the second removes from.
    pub fn interferes(&self, second: &Self) -> bool {
        self.variable == second.variable
            && match (&self.kind, &second.kind) {
                (Kind::At(here), Kind::At(there)) => may_be_one(here, there),
                (Kind::Push, Kind::Pop) => false,
                _ => true,
            }
    }

    /// The sequence that it removes from, if it does.
    pub fn pops(&self) -> Option<VariableId> {
        matches!(self.kind, Kind::Pop).then_some(self.variable)
    }
}

/// Whether two points are one, or cannot be compared: with one of them in a set, asking it for the other fails.
fn may_be_one(here: &Value, there: &Value) -> bool {
    here.equals(there).unwrap_or(true)
}
