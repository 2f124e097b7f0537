//! What a compiled action with known arguments reads and changes: the independence relation of partial-order reduction.

use super::cells::{Cell, Change};
use super::reader::Reader;
use super::scopes::Scopes;
use super::{ActionTree, Entry, Node};
use crate::eval::env::Env;
use crate::eval::expr::let_frame;
use crate::eval::{Context, Evaluator};
use crate::ir::VariableId;
use crate::value::Value;

/// What an action with known arguments reads and changes, in whatever state it is run.
///
/// Some of it is true only where certain sequences are not empty: `Append` leaves the front of a sequence alone if there is one.
#[derive(Debug)]
pub struct Footprint {
    /// What its steps depend on.
    reads: Vec<Cell>,
    /// What its steps change. What becomes of each depends on what it reads and on what was there.
    changes: Vec<Change>,
    /// The conditions that may refuse it: it has no step where one of them is false.
    pub refusals: Vec<Refusal>,
}

/// A condition that may refuse an action.
#[derive(Debug)]
pub struct Refusal {
    /// The condition.
    pub at: Entry,
    /// What decides whether a run gets to the condition, and whether it is false.
    cells: Vec<Cell>,
}

/// A part of a variable's value that an action reads or changes.
#[derive(Debug, Clone, Copy)]
pub struct Touch<'f> {
    /// The variable.
    pub variable: VariableId,
    /// The point of a function, or the element of a set; none for any part of it.
    pub at: Option<&'f Value>,
    /// Whether it may change.
    pub changes: bool,
}

impl Refusal {
    /// Whether it depends on no variable.
    pub fn is_final(&self) -> bool {
        self.cells.is_empty()
    }

    /// The sequences whose fronts decide on it.
    pub fn fronts(&self) -> impl Iterator<Item = VariableId> {
        self.cells.iter().filter_map(Cell::front_of)
    }
}

impl Footprint {
    /// Whether its steps may change a refusal, if none of the [sequences](Refusal::fronts) is empty before.
    pub fn may_change(&self, refusal: &Refusal) -> bool {
        self.may_change_cells(&refusal.cells)
    }

    /// Whether the order of its steps and another's may matter, if none of its [sequences](Self::fronts) is empty before.
    pub fn depends_on(&self, other: &Self) -> bool {
        other.may_change_cells(&self.reads)
            || self.changes.iter().any(|change| other.reads.iter().any(|cell| change.affects(cell)))
            || other.changes.iter().any(|before| self.changes.iter().any(|change| before.interferes(change)))
    }

    /// The sequences whose fronts it reads or removes.
    pub fn fronts(&self) -> impl Iterator<Item = VariableId> {
        self.reads.iter().filter_map(Cell::front_of).chain(self.changes.iter().filter_map(Change::pops))
    }

    /// Every part of a variable that it reads or changes, whatever sequences are empty. What is at other points than these
    /// neither affects it nor is affected by it.
    pub fn touches(&self) -> impl Iterator<Item = Touch<'_>> {
        let reads = self.reads.iter().map(|cell| Touch { variable: cell.variable, at: cell.point(), changes: false });
        let changes = self.changes.iter();
        reads.chain(changes.map(|change| Touch { variable: change.variable, at: change.point(), changes: true }))
    }

    fn may_change_cells(&self, cells: &[Cell]) -> bool {
        self.changes.iter().any(|change| cells.iter().any(|cell| change.affects_filled(cell)))
    }
}

impl ActionTree<'_> {
    /// The footprint of a run with these arguments, given where to [begin](Self::entry); nothing if it is not known.
    pub fn footprint(&self, evaluator: &Evaluator<'_>, entry: Entry, args: &[Option<Value>]) -> Option<Footprint> {
        let mut walk = Walk { tree: self, evaluator, reader: Reader::new(evaluator), reads: vec![], refusals: vec![] };
        if entry == Self::NEVER {
            walk.refusals.push(Refusal { at: entry, cells: Vec::new() });
        }
        walk.node(entry, &Scopes::of(args), Some(&[]))?;
        Some(Footprint { reads: walk.reads, changes: walk.reader.changes, refusals: walk.refusals })
    }

    /// The condition that refuses a run in a state, if it is one of the footprint's.
    #[inline]
    pub fn refusal(
        &self,
        evaluator: &Evaluator<'_>,
        (entry, args): (Entry, &[Option<Value>]),
        cx: Context<'_>,
    ) -> Option<Entry> {
        let scopes = Scopes::of(args);
        let mut entry = entry;
        loop {
            entry = match self.node(entry) {
                Node::Guard(condition, then) if condition.holds(evaluator, &scopes, cx).ok()? => *then,
                Node::Guard(..) | Node::Never => return Some(entry),
                Node::If(condition, then, _) if condition.holds(evaluator, &scopes, cx).ok()? => *then,
                Node::If(_, _, otherwise) => *otherwise,
                _ => return None,
            }
        }
    }
}

struct Walk<'w> {
    tree: &'w ActionTree<'w>,
    evaluator: &'w Evaluator<'w>,
    reader: Reader<'w>,
    reads: Vec<Cell>,
    refusals: Vec<Refusal>,
}

impl Walk<'_> {
    /// Adds all that a node leads to. `decisive`: what decides whether a run gets there, as long as nothing but conditions in the
    /// arguments' scope came before.
    fn node(&mut self, entry: Entry, scopes: &Scopes<'_>, decisive: Option<&[Cell]>) -> Option<()> {
        match self.tree.node(entry) {
            Node::Guard(condition, then) => {
                let mut cells = decisive.unwrap_or_default().to_vec();
                self.reader.read(condition.expr, &scopes.env(condition.outer), &mut cells)?;
                self.reads.extend_from_slice(&cells);
                if decisive.is_some() {
                    self.refusals.push(Refusal { at: entry, cells });
                }
                self.node(*then, scopes, decisive)
            }
            Node::If(condition, then, otherwise) => {
                let mut cells = decisive.unwrap_or_default().to_vec();
                self.reader.read(condition.expr, &scopes.env(condition.outer), &mut cells)?;
                self.reads.extend_from_slice(&cells);
                let decisive = decisive.map(|_| cells.as_slice());
                self.node(*then, scopes, decisive)?;
                self.node(*otherwise, scopes, decisive)
            }
            Node::Assign(variable, value, then) => {
                self.reader.assign(*variable, value.expr, &scopes.env(value.outer), &mut self.reads)?;
                self.node(*then, scopes, None)
            }
            Node::Unchanged(_, then) => self.node(*then, scopes, None),
            Node::Branch(branches) => branches.iter().try_for_each(|branch| self.node(*branch, scopes, None)),
            Node::Call(args, outer, then) => {
                let env = scopes.env(*outer);
                let frame = self.evaluator.bind_open(args, &env, Context::CONSTANT);
                self.node(*then, &scopes.enter(Env { bindings: &frame, up: None }), None)
            }
            Node::Let(group, outer, then) => {
                let (frame, env) = (let_frame(group, Context::CONSTANT), scopes.env(*outer));
                self.node(*then, &scopes.enter(env.enter(&frame)), None)
            }
            Node::Run(_) => None,
            Node::Found | Node::Never => Some(()),
        }
    }
}
