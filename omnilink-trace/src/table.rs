//! The table of a lane: what the numbers in its records stand for.

use std::collections::HashSet;

use crate::error::Problem;
use crate::event::{Candidates, NameId, Vocabulary};
use crate::layout;

/// What the numbers in a lane's records stand for.
#[derive(Debug, Default)]
pub(crate) struct Table {
    entries: Vec<Entry>,
}

/// An action, or a choice between actions.
#[derive(Debug)]
pub(crate) struct Entry {
    pub candidates: Candidates,
    /// Parameters of the candidates, in order of first appearance.
    pub params: Vec<NameId>,
}

impl Table {
    /// The entry with this number.
    #[inline]
    pub fn entry(&self, number: u64) -> Result<&Entry, Problem> {
        usize::try_from(number)
            .ok()
            .and_then(|number| self.entries.get(number))
            .ok_or(Problem::NoSuchEntry { entry: number, entries: self.entries.len() })
    }

    /// Adds an action.
    pub fn define_action(&mut self, vocabulary: &mut Vocabulary, name: &str, params: &[&str]) -> Result<(), Problem> {
        check_params(name, params)?;
        let action = vocabulary.intern_action(name, params);
        let params = vocabulary.action(action).params.clone();
        self.define(Entry { candidates: Candidates::One(action), params })
    }

    /// Adds a choice between actions that the table has already.
    pub fn define_choice(&mut self, vocabulary: &Vocabulary, numbers: &[u64]) -> Result<(), Problem> {
        let mut actions = Vec::with_capacity(numbers.len());
        let mut seen = HashSet::new();
        for &number in numbers {
            match self.entry(number)?.candidates {
                Candidates::One(action) if seen.insert(action) => actions.push(action),
                Candidates::One(_) => {}
                Candidates::Several(_) => return Err(Problem::NestedChoice(number)),
            }
        }
        let params = vocabulary.union_of_params(&actions);
        self.define(Entry { candidates: Candidates::Several(actions.into()), params })
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds an entry.
    pub fn define(&mut self, entry: Entry) -> Result<(), Problem> {
        check_count(entry.params.len())?;
        if self.entries.len() == layout::MAX_ENTRIES {
            let found = self.entries.len() + 1;
            return Err(Problem::TooMany { what: "table entries", found, limit: layout::MAX_ENTRIES });
        }
        self.entries.push(entry);
        Ok(())
    }
}

/// Refuses parameters that an action cannot have.
pub(crate) fn check_params<S: AsRef<str>>(action: &str, params: &[S]) -> Result<(), Problem> {
    check_count(params.len())?;
    for (i, param) in params.iter().enumerate() {
        if params[..i].iter().any(|earlier| earlier.as_ref() == param.as_ref()) {
            return Err(Problem::DuplicateParameter { action: action.into(), param: param.as_ref().into() });
        }
    }
    Ok(())
}

fn check_count(found: usize) -> Result<(), Problem> {
    if found > layout::MAX_PARAMS {
        return Err(Problem::TooMany { what: "parameters", found, limit: layout::MAX_PARAMS });
    }
    Ok(())
}
