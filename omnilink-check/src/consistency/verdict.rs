//! What came of a check.

use super::bits::Bits;
use crate::search::{Progress, Stopped};

/// What came of a check. Calls are numbers.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The answer.
    pub verdict: Verdict,
    /// What it took.
    pub progress: Progress,
}

/// Whether a history satisfies a criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// It does: a linearization and a visibility.
    Satisfied(Witness),
    /// It does not: linearizations that got far, all of them if none got further.
    Violated(Vec<Unexplained>),
    /// The model contradicts itself: this call changes the state, though [`Model::is_read_only`](crate::model::Model::is_read_only) says that it never does.
    Contradiction {
        /// Its number.
        call: usize,
    },
    /// The search was stopped.
    Unknown(Stopped),
}

/// A linearization, with what its calls see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// The calls that took effect, in the order of lin.
    pub order: Vec<Seeing>,
}

/// The witness that a search found, with other numbers of calls.
pub(super) fn witness(order: &[(usize, Option<Bits>)], number: impl Fn(usize) -> usize) -> Witness {
    let seen = |place: usize, sees: &Bits| {
        let before = order[..place].iter().filter(|(call, _)| sees.contains(*call));
        before.map(|(call, _)| number(*call)).collect()
    };
    let seeing = |(place, (call, sees)): (usize, &(usize, Option<Bits>))| Seeing {
        call: number(*call),
        sees: sees.as_ref().map(|sees| seen(place, sees)),
    };
    Witness { order: order.iter().enumerate().map(seeing).collect() }
}

/// A call of a linearization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeing {
    /// Its number.
    pub call: usize,
    /// The calls that it sees, in the order of lin; none if it sees all calls before it and its criterion demands that.
    pub sees: Option<Vec<usize>>,
}

/// A linearization that cannot go on: no allowed set of visible calls explains the result of the call that comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unexplained {
    /// The calls before it, in the order of lin; the last of them, if the search kept no more.
    pub order: Vec<usize>,
    /// The call.
    pub call: usize,
    /// What it has to see, in the order of lin; none if it has to see all calls before it.
    pub must_see: Option<Vec<usize>>,
    /// It is not its result that is unexplained: calls that see all calls before them see it, too, and it is not possible there, whatever its result.
    pub impossible: bool,
}
