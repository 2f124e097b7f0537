//! The search for an order.
//!
//! A *configuration* is a position in every lane (`placement`) and a state of the specification. From it, the next event of each
//! lane that is *viable* can be moved behind the position in some ways (`moves`): it happens, it takes an inner step, it had
//! no effect. An order is a sequence of moves from the beginning to a configuration with all events behind the positions that
//! have to be.
//!
//! The modules are layers: none uses one that stands above it.
//!
//! | layer | modules | |
//! | --- | --- | --- |
//! | whole searches | `run` | from every initial state |
//! | threads | `parallel` | several threads on one search |
//! | searches | `depth_first` | the search for an order |
//! | | `frontier` | breadth first: exactly the configurations that are possible after so many changes |
//! | strategies | `backjump` | leaving many frames at once where the search is stuck |
//! | | `reduction` | dead-end detection and partial-order reduction |
//! | | `work_queue` | subtrees that threads give each other |
//! | stack | `stack` | the path to where the search is: push, pop, jump back, resume |
//! | problems | `specification`, `compiled` | the problem of a specification; choices that can be tried without a look at the next-state relation |
//! | | `problem` | what a search is asked: which moves a configuration has, and where they lead |
//! | configurations | `placement` | positions, viability, the key of a configuration |
//! | | `moves`, `arguments` | what is done with an event; what is known about arguments that were not recorded |
//! | memories | `seen`, `event_cache` | configurations that were seen; facts about events |
//! | reports | `control`, `failures`, `deepest` | limits and progress; evaluation errors; the configurations that got furthest |
//!
//! The layers above the problems use only the trait `Problem`: a search knows nothing else of what it is
//! asked about. The problem of a Rust model is in `crate::model`.
//!
//! **The read-only rule.** An event that can be seen, from its arguments alone, never to change a variable happens as soon as
//! it can, without a choice. That it changes nothing *in this state* would not be enough: a write that is moved to an earlier
//! place may be overwritten before the read that needs it.

mod arguments;
mod backjump;
mod compiled;
mod control;
mod deepest;
mod depth_first;
mod event_cache;
mod failures;
mod frontier;
#[cfg(test)]
mod layers;
mod moves;
mod parallel;
mod placement;
mod problem;
mod reduction;
mod run;
mod seen;
mod specification;
mod stack;
mod work_queue;

pub(crate) use arguments::{ArgumentTable, ArgumentsId};
pub use control::{Control, Limits, Progress, Stopped};
pub use deepest::{Became, Begun, DeadEnd, Deepest, Stride};
pub(crate) use depth_first::{DepthFirst, Ended};
pub(crate) use failures::Failures;
pub(crate) use frontier::{Configuration, Frontier};
pub(crate) use moves::{Kind, Move, Placed};
pub(crate) use placement::{Bound, Placement};
pub(crate) use problem::{Problem, Reached, Step};
pub(crate) use run::{Aside, AsideAnswer, Outcome, run};
pub(crate) use seen::KeyHasher;
pub(crate) use specification::SpecProblem;
