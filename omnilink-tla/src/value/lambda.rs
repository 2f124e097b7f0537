//! Functions given by a domain and a rule.

use std::sync::{Arc, OnceLock};

use super::error::{Problem, ValueError};
use super::fingerprint::{self, Fingerprint, Kind};
use super::nesting::Nesting;
use super::{Function, Value};

/// How a function's value follows from its argument.
pub trait Rule: Send + Sync {
    /// The function's value at an argument of its domain.
    fn apply(&self, argument: &Value) -> Result<Value, ValueError>;

    /// The values that the rule holds: they count as parts of the function.
    fn held(&self) -> Vec<&Value> {
        Vec::new()
    }

    /// The rule as messages show it, after `|->`.
    fn describe(&self) -> String {
        "...".to_owned()
    }
}

/// A function that is not tabulated: its domain may be infinite, its values may depend on itself, or computing them all
/// may fail where computing one does not.
pub struct Lambda {
    domain: Value,
    rule: Arc<dyn Rule>,
    nesting: Nesting,
    table: OnceLock<Value>,
}

/// `[function EXCEPT ![key] = value]` of a function that cannot be tabulated.
struct Changed {
    function: Value,
    key: Value,
    value: Value,
}

impl Rule for Changed {
    fn apply(&self, argument: &Value) -> Result<Value, ValueError> {
        if argument.equals(&self.key)? { Ok(self.value.clone()) } else { self.function.apply(argument) }
    }

    fn held(&self) -> Vec<&Value> {
        vec![&self.function, &self.key, &self.value]
    }
}

impl Value {
    /// The function with this domain and rule.
    pub fn lambda(domain: Self, rule: Arc<dyn Rule>) -> Result<Self, ValueError> {
        if !domain.is_set() {
            return Err(ValueError::not_a(super::KIND_OF_SET, &domain, "make a function with this domain"));
        }
        let nesting = Nesting { normal: false, ..Nesting::around(rule.held().into_iter().chain([&domain]))? };
        Ok(Self::Lambda(Arc::new(Lambda { domain, rule, nesting, table: OnceLock::new() })))
    }
}

impl Lambda {
    /// The domain.
    pub fn domain(&self) -> &Value {
        &self.domain
    }

    /// How values follow from arguments.
    pub fn rule(&self) -> &Arc<dyn Rule> {
        &self.rule
    }

    pub(super) fn nesting(&self) -> Nesting {
        self.nesting
    }

    /// The value at an argument.
    pub(super) fn apply(self: &Arc<Self>, argument: &Value) -> Result<Value, ValueError> {
        if !argument.member(&self.domain)? {
            let function = Value::Lambda(self.clone());
            return Err(Problem::NotInDomain { key: argument.clone(), function }.into());
        }
        self.rule.apply(argument)
    }

    /// The function with another value at one argument.
    pub(super) fn changed(self: &Arc<Self>, key: Value, value: Value) -> Result<Value, ValueError> {
        Value::lambda(self.domain.clone(), Arc::new(Changed { function: Value::Lambda(self.clone()), key, value }))
    }

    /// The function with all its values computed, once; an error if the domain is infinite or a value cannot be
    /// computed.
    pub fn to_function(&self) -> Result<&Value, ValueError> {
        if let Some(table) = self.table.get() {
            return Ok(table);
        }
        let domain = self.domain.to_set("tabulate a function")?;
        domain.check_listable("tabulate a function")?;
        let values = domain.iter().map(|argument| self.rule.apply(&argument)).collect::<Result<_, _>>()?;
        let table = Function::over(&domain, values)?;
        Ok(self.table.get_or_init(|| table))
    }

    /// The function with all its values, if they can be computed.
    pub(super) fn explicit(&self) -> Option<&Value> {
        self.to_function().ok()
    }

    /// The function with all its values, if they have been computed.
    pub(super) fn computed(&self) -> Option<&Value> {
        self.table.get()
    }

    pub(super) fn fingerprint(&self) -> Fingerprint {
        match self.explicit() {
            Some(table) => table.fingerprint(),
            None => fingerprint::of_word(Kind::Lambda, std::ptr::from_ref(self).addr() as u64),
        }
    }
}
