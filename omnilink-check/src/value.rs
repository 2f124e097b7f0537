//! Values of traces as values of specifications.
//!
//! They are the same values in two representations, but for *model values*: a configuration may declare `k1 = k1`, which is
//! equal to nothing but itself and is no string. Programs can only record strings. So a recorded string that is the name of
//! a model value stands for that.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashSet};

use omnilink_tla::Value;
use omnilink_tla::value::ValueError;
use omnilink_trace::Value as Recorded;

/// Turns recorded values into those of a specification.
#[derive(Debug, Default)]
pub struct Translation {
    models: HashSet<String>,
    taken: RefCell<BTreeSet<String>>,
}

impl Translation {
    /// A translation for a specification with these model values.
    pub fn new(models: impl IntoIterator<Item = String>) -> Self {
        Self { models: models.into_iter().collect(), taken: RefCell::default() }
    }

    /// The value.
    ///
    /// # Errors
    /// If it is nested too deeply to be one, or is a set of values that TLA+ cannot compare.
    pub fn value(&self, recorded: &Recorded) -> Result<Value, ValueError> {
        Ok(match recorded {
            Recorded::Bool(value) => Value::from(*value),
            Recorded::Int(value) => Value::from(*value),
            Recorded::Str(text) => self.text(text),
            Recorded::Tuple(values) => Value::tuple(self.values(values)?)?,
            Recorded::Set(values) => Value::set(self.values(values)?)?,
            Recorded::Function(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| Ok((self.value(key)?, self.value(value)?)));
                Value::function(pairs.collect::<Result<Vec<_>, ValueError>>()?)?
            }
        })
    }

    /// The names of the model values that recorded strings were taken for.
    pub fn taken(&self) -> Vec<String> {
        self.taken.borrow().iter().cloned().collect()
    }

    fn values(&self, recorded: &[Recorded]) -> Result<Vec<Value>, ValueError> {
        recorded.iter().map(|value| self.value(value)).collect()
    }

    fn text(&self, text: &str) -> Value {
        if !self.models.contains(text) {
            return Value::string(text);
        }
        if !self.taken.borrow().contains(text) {
            self.taken.borrow_mut().insert(text.to_owned());
        }
        Value::model(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_that_name_model_values_are_those() {
        let translation = Translation::new(["k1".to_owned()]);
        let recorded = Recorded::Tuple(vec![Recorded::from("k1"), Recorded::from("k2"), Recorded::Int(3)]);
        let expected = Value::tuple([Value::model("k1"), Value::string("k2"), Value::from(3)]).unwrap();
        assert_eq!(translation.value(&recorded).unwrap(), expected);
        assert_eq!(translation.taken(), ["k1"]);
    }

    #[test]
    fn a_function_over_one_to_n_is_a_tuple() {
        let translation = Translation::default();
        let recorded = Recorded::function([(Recorded::Int(2), true.into()), (Recorded::Int(1), false.into())]).unwrap();
        assert_eq!(translation.value(&recorded).unwrap().to_string(), "<<FALSE, TRUE>>");
    }
}
