//! Applying functions and changing them at a point.

use super::entries::Entries;
use super::error::{Problem, ValueError};
use super::{Function, KIND_OF_FUNCTION, Value};
use crate::symbol::Symbol;

impl Value {
    /// `self[argument]`
    pub fn apply(&self, argument: &Self) -> Result<Self, ValueError> {
        let value = match self {
            Self::Tuple(tuple) => argument.as_int().and_then(|key| tuple.at(key)),
            Self::Function(function) => function.get(argument),
            Self::Lambda(lambda) => return lambda.apply(argument),
            _ => return Err(ValueError::not_a(KIND_OF_FUNCTION, self, "apply a function")),
        };
        value.cloned().ok_or_else(|| self.not_in_domain(argument))
    }

    /// `self.name`
    pub fn field(&self, name: Symbol) -> Result<Self, ValueError> {
        match self {
            Self::Function(function) => {
                function.field(name).cloned().ok_or_else(|| self.not_in_domain(&Self::Str(name)))
            }
            Self::Tuple(_) | Self::Lambda(_) => self.apply(&Self::Str(name)),
            _ => Err(ValueError::not_a("a record", self, "select a field")),
        }
    }

    /// `DOMAIN self`
    pub fn domain(&self) -> Result<Self, ValueError> {
        match self {
            Self::Tuple(tuple) => Ok(Self::Set(tuple.domain())),
            Self::Function(function) => Ok(Self::Set(function.domain())),
            Self::Lambda(lambda) => Ok(lambda.domain().clone()),
            _ => Err(ValueError::not_a(KIND_OF_FUNCTION, self, "apply DOMAIN")),
        }
    }

    /// `key \in DOMAIN self`, without making the domain.
    pub fn has_key(&self, key: &Self) -> Result<bool, ValueError> {
        match self {
            Self::Tuple(tuple) => match key {
                Self::Int(key) => Ok(tuple.at(*key).is_some()),
                _ => key.member(&Self::Set(tuple.domain())),
            },
            Self::Function(function) => Ok(function.get(key).is_some() || key.member(&Self::Set(function.domain()))?),
            Self::Lambda(lambda) => key.member(lambda.domain()),
            _ => Err(ValueError::not_a(KIND_OF_FUNCTION, self, "apply DOMAIN")),
        }
    }

    /// `[self EXCEPT ![k1][k2]… = change(@)]`. A path that leaves a domain changes nothing, and `change` is not called.
    pub fn except_at<E: From<ValueError>>(
        &self,
        path: &[Self],
        change: impl FnOnce(&Self) -> Result<Self, E>,
    ) -> Result<Self, E> {
        let Some((key, rest)) = path.split_first() else { return change(self) };
        match (self, key) {
            (Self::Tuple(tuple), Self::Int(number)) => match tuple.at(*number) {
                Some(old) => Ok(Self::Tuple(tuple.with_at(*number as usize - 1, old.except_at(rest, change)?)?)),
                None => Ok(self.clone()),
            },
            (Self::Tuple(tuple), _) if tuple.is_empty() => Ok(self.clone()),
            (Self::Tuple(_), _) => Err(ValueError::not_a("an integer", key, "change an element of a tuple").into()),
            (Self::Function(function), _) => match function.except(key, |old| old.except_at(rest, change))? {
                Some(changed) => Ok(Self::Function(changed)),
                None => {
                    let _: bool = function.domain().contains(key)?;
                    Ok(self.clone())
                }
            },
            (Self::Lambda(lambda), _) if !lambda.domain().is_finite()? => {
                if !key.member(lambda.domain())? {
                    return Ok(self.clone());
                }
                let value = lambda.apply(key)?.except_at(rest, change)?;
                Ok(lambda.changed(key.clone(), value)?)
            }
            (Self::Lambda(lambda), _) => lambda.to_function()?.except_at(path, change),
            _ => Err(ValueError::not_a(KIND_OF_FUNCTION, self, "apply EXCEPT").into()),
        }
    }

    /// The function with one entry replaced or added: `(key :> value) @@ self`.
    pub fn with(&self, key: Self, value: Self) -> Result<Self, ValueError> {
        let key = key.normalize()?;
        match self {
            Self::Tuple(tuple) => match key {
                Self::Int(number) if tuple.at(number).is_some() => {
                    Ok(Self::Tuple(tuple.with_at(number as usize - 1, value)?))
                }
                Self::Int(number) if number == tuple.len() as i64 + 1 => Ok(Self::Tuple(tuple.append(value)?)),
                _ => Function::from_entries(std::iter::once((key, value)).chain(self.owned_entries()).collect()),
            },
            Self::Function(function) => function.with(key, value),
            Self::Lambda(lambda) => lambda.to_function()?.with(key, value),
            _ => Err(ValueError::not_a(KIND_OF_FUNCTION, self, "extend a function")),
        }
    }

    /// The function without one entry: `[k \in DOMAIN self \ {key} |-> self[k]]`.
    pub fn without(&self, key: &Self) -> Result<Self, ValueError> {
        if !key.is_normal() {
            return self.without(&key.clone().normalize()?);
        }
        match self {
            Self::Tuple(tuple) => match key {
                Self::Int(number) if tuple.at(*number).is_none() => Ok(self.clone()),
                Self::Int(number) if *number == tuple.len() as i64 => Ok(Self::Tuple(tuple.front()?)),
                Self::Int(_) => {
                    Function::from_entries(self.owned_entries().filter(|(other, _)| other != key).collect())
                }
                _ => tuple.domain().contains(key).map(|_| self.clone()),
            },
            Self::Function(function) => function.without(key),
            Self::Lambda(lambda) => lambda.to_function()?.without(key),
            _ => Err(ValueError::not_a(KIND_OF_FUNCTION, self, "restrict a function")),
        }
    }

    /// `self @@ other`: where both are defined, `self` counts.
    pub fn merge(&self, other: &Self) -> Result<Self, ValueError> {
        let doing = "evaluate @@";
        let (left, right) = (self.tabulated(doing)?, other.tabulated(doing)?);
        let (few, many) = (left.entry_count(), right.entry_count());
        if few <= many / 8 || few == 1 {
            return left.owned_entries().try_fold(right.clone(), |function, (key, value)| function.with(key, value));
        }
        if many <= few / 8 || many == 1 {
            return right.owned_entries().try_fold(left.clone(), |function, (key, value)| {
                if function.has_key(&key)? { Ok(function) } else { function.with(key, value) }
            });
        }
        Function::from_entries(left.owned_entries().chain(right.owned_entries()).collect())
    }

    /// The function as a tuple or table.
    fn tabulated(&self, doing: &'static str) -> Result<&Self, ValueError> {
        match self {
            Self::Tuple(_) | Self::Function(_) => Ok(self),
            Self::Lambda(lambda) => lambda.to_function(),
            _ => Err(ValueError::not_a(KIND_OF_FUNCTION, self, doing)),
        }
    }

    fn entry_count(&self) -> usize {
        Entries::of(self).map_or(0, |entries| entries.len())
    }

    fn owned_entries(&self) -> impl Iterator<Item = (Self, Self)> {
        Entries::of(self).into_iter().flatten().map(|(key, value)| (key, value.clone()))
    }

    fn not_in_domain(&self, key: &Self) -> ValueError {
        Problem::NotInDomain { key: key.clone(), function: self.clone() }.into()
    }
}
