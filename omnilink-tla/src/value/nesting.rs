//! What a compound value knows about its parts: how deep they are nested and whether they are normal.
//!
//! Dropping, comparing and printing values recurse into their parts. A bound on the depth, checked whenever a compound
//! value is made, keeps them from exhausting the stack.

use super::Value;
use super::error::{Problem, ValueError};

/// How deep values may be nested. Even without optimisation, comparing such values takes about half of the two
/// megabytes of stack that a thread has by default.
pub const MAX_DEPTH: u16 = 250;

/// Depth, and whether the value is normal: no set or function in it is given by a rule only.
#[derive(Clone, Copy)]
pub(super) struct Nesting {
    pub(super) depth: u16,
    pub(super) normal: bool,
}

impl Nesting {
    /// Of a value without parts.
    pub(super) const FLAT: Self = Self { depth: 0, normal: true };

    /// Of what contains this.
    fn enclosed(self) -> Result<Self, ValueError> {
        if self.depth >= MAX_DEPTH {
            return Err(Problem::TooDeep { limit: MAX_DEPTH }.into());
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }

    /// Of what contains the parts of both.
    pub(super) fn beside(self, other: Self) -> Self {
        Self { depth: self.depth.max(other.depth), normal: self.normal && other.normal }
    }

    /// Of a value with these parts.
    pub(super) fn around<'a>(parts: impl IntoIterator<Item = &'a Value>) -> Result<Self, ValueError> {
        parts.into_iter().fold(Self::FLAT, |nesting, part| nesting.beside(part.nesting())).enclosed()
    }

    /// Of a compound value that gained a part. One that lost a part keeps its nesting: it may be overestimated.
    pub(super) fn and(self, part: &Value) -> Result<Self, ValueError> {
        Ok(self.beside(part.nesting().enclosed()?))
    }
}
