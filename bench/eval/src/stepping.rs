//! Single actions: how many `step` calls a second, and how that grows with the size of what they change.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use omnilink_tla::spec::{ActionId, Options, State};
use omnilink_tla::{Spec, Value};

use crate::{Outcome, median};

/// How many calls a round has.
pub const CALLS: usize = 200_000;
const ROUNDS: usize = 9;

/// Measures and prints.
pub fn measure(calls: usize) -> Outcome<()> {
    println!("step calls per second, all arguments known (medians of {ROUNDS} rounds of {calls})");
    println!("{:20} {:>12}", "20 keys, mixed", format!("{:.0}", mixed(20, calls)?));
    println!("{:20} {:>12} {:>12} {:>12}", "", "8 keys", "64 keys", "512 keys");
    for action in ["Insert", "InsertIfAbsent", "Erase", "Contains"] {
        let rates: Vec<String> = [8, 64, 512]
            .into_iter()
            .map(|keys| Ok(format!("{:.0}", single(action, keys, calls)?)))
            .collect::<Outcome<_>>()?;
        println!("{action:20} {:>12} {:>12} {:>12}", rates[0], rates[1], rates[2]);
    }
    Ok(())
}

/// A dictionary with every other key present.
struct Dictionary {
    spec: Spec,
    keys: i64,
    state: State,
}

impl Dictionary {
    fn new(keys: i64) -> Outcome<Self> {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../omnilink-tla/tests/specs/Dictionary.tla");
        let constants = vec![format!("Keys = 1..{keys}"), "Values = 0..1000".to_owned()];
        let options = Options { constants, ..Options::default() };
        let spec = Spec::load(file, &options)?;
        let mut state = None;
        spec.init_states(&mut |found| {
            state = Some(found);
            ControlFlow::Break(())
        })?;
        let mut dictionary = Self { spec, keys, state: state.ok_or("no initial state")? };
        for key in (1..=keys).step_by(2) {
            dictionary.take("Insert", &[Value::Int(key), Value::Int(key)])?;
        }
        Ok(dictionary)
    }

    fn action(&self, name: &str) -> Outcome<ActionId> {
        Ok(self.spec.action(name).ok_or_else(|| format!("the dictionary has no {name}"))?)
    }

    fn take(&mut self, name: &str, args: &[Value]) -> Outcome<()> {
        let args: Vec<_> = args.iter().cloned().map(Some).collect();
        let steps = self.spec.step(&self.state, self.action(name)?, &args)?;
        self.state = steps.into_iter().next().ok_or_else(|| format!("{name} cannot happen"))?.next;
        Ok(())
    }

    fn has(&self, key: i64) -> bool {
        key % 2 == 1
    }

    /// Arguments with which an action can happen in the state as it is.
    fn args(&self, action: &str, key: i64) -> Vec<Option<Value>> {
        let key_value = Value::Int(key);
        let args = match action {
            "Insert" => vec![key_value, Value::Int(key % 1000)],
            "InsertIfAbsent" => vec![key_value, Value::Int(7), Value::Bool(!self.has(key))],
            "Erase" | "Contains" => vec![key_value, Value::Bool(self.has(key))],
            _ => {
                let (low, high) = (key.min(self.keys - 4), key.min(self.keys - 4) + 4);
                let count = (low..=high).filter(|key| self.has(*key)).count() as i64;
                vec![Value::Int(low), Value::Int(high), Value::Int(count)]
            }
        };
        args.into_iter().map(Some).collect()
    }

    /// The rate of calls from one state, through a list of actions with all keys in turn.
    fn rate(&self, actions: &[&str], count: usize) -> Outcome<f64> {
        let mut calls = Vec::new();
        for (at, key) in (0..count).zip((1..=self.keys).cycle()) {
            let name = actions[at % actions.len()];
            calls.push((self.action(name)?, self.args(name, key)));
        }
        let mut rates = Vec::new();
        for _ in 0..ROUNDS {
            let begin = Instant::now();
            for (action, args) in &calls {
                let steps = self.spec.step(&self.state, *action, args)?;
                if steps.len() != 1 {
                    return Err("a call has not exactly one outcome".into());
                }
            }
            rates.push(count as f64 / begin.elapsed().as_secs_f64());
        }
        Ok(median(rates))
    }
}

fn mixed(keys: i64, calls: usize) -> Outcome<f64> {
    Dictionary::new(keys)?
        .rate(&["Insert", "InsertIfAbsent", "Erase", "Contains", "RangeCount", "Contains", "Insert"], calls)
}

fn single(action: &str, keys: i64, calls: usize) -> Outcome<f64> {
    Dictionary::new(keys)?.rate(&[action], calls)
}
