//! The modules that come with TLA+ and the CommunityModules people use, written natively.
//!
//! Each module is a table of [`Native`]s, one file per module. The evaluator knows nothing of them but how to call one;
//! the compiler finds them by module and name. Operators that belong to no module (`\cup`, `SUBSET`, …) are found by
//! [`core`].
//!
//! Standard modules compute what TLC computes, also where TLC goes beyond the definitions: strings are sequences of
//! one-character strings to the operators of `Sequences`. CommunityModules compute what their definitions say; where a
//! definition leaves an order open (`FoldSet`), elements are taken in the order of [`crate::value`], the least first.
//! What cannot be computed here has an entry that fails and says so; nothing is silently something else. Modules whose operators
//! need no native are [written](WrittenModule) in TLA+.
//!
//! A native is a function of its arguments, unless its [`Run`] says otherwise: only those variants hand it the world outside,
//! and they note what it takes from there. So it is known what else a kept conclusion depends on.

mod bags;
mod bags_ext;
mod bitwise;
mod combinatorics;
mod core;
mod csv;
mod entries;
mod finite_sets;
mod finite_sets_ext;
mod folds;
mod format;
mod functions;
mod graph_search;
mod integers;
mod io_utils;
mod json;
mod naturals;
mod randomization;
mod reals;
mod relation;
mod sequences;
mod sequences_ext;
mod svg;
#[cfg(test)]
mod tests;
mod tlaps;
mod tlc;
mod tlc_ext;
mod unavailable;
mod vector_clocks;
mod written;

use std::fmt;

pub(crate) use core::UNION_OF_LISTED;
pub(crate) use naturals::two_integers;
pub use written::{WrittenModule, all as written_modules, written};

use crate::eval::{Failure, Host, World};
use crate::value::{Value, ValueError};

/// What most natives return.
type Outcome = Result<Value, ValueError>;

/// A module of natives.
#[derive(Debug)]
pub struct BuiltinModule {
    /// `Sequences`
    pub name: &'static str,
    /// Whether it comes with TLA+ itself: then no file of the same name replaces it.
    pub standard: bool,
    /// Modules whose operators come with it.
    pub extends: &'static [&'static str],
    /// Its operators.
    pub operators: &'static [Native],
}

impl BuiltinModule {
    /// An operator of this module; not of those that it extends.
    pub fn operator(&self, name: &str) -> Option<&'static Native> {
        find(self.operators, name)
    }
}

/// For a parameter of a [`Run::Higher`]: a value that is evaluated only when the native asks for it.
pub const LAZY: usize = usize::MAX;

/// An operator that is computed natively.
#[derive(Debug)]
pub struct Native {
    /// Its name: `Append`, `+`, `-.`
    pub name: &'static str,
    /// For each parameter, how many arguments it takes itself: 0 for a value; [`LAZY`] for one that is evaluated when it is
    /// asked for.
    pub params: &'static [usize],
    /// How it is computed.
    pub run: Run,
}

/// How a native is computed.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// A constant such as `Nat`.
    Constant(fn() -> Value),
    /// Of one value.
    One(fn(&Value) -> Result<Value, ValueError>),
    /// Of one value, of which it is a part: where that lies, if it lies there as such, and how it is computed otherwise.
    Part(fn(&Value) -> Option<&Value>, fn(&Value) -> Result<Value, ValueError>),
    /// Of two values.
    Two(fn(&Value, &Value) -> Result<Value, ValueError>),
    /// Of two integers: whether they compare so, and what to say of others than integers.
    Compare(fn(i64, i64) -> bool, &'static str),
    /// Of any number of values.
    Many(fn(&[Value]) -> Result<Value, ValueError>),
    /// Of values and operators.
    Higher(fn(&[NativeArg<'_>]) -> Result<Value, Failure>),
    /// Of values and of what is outside, which is taken to be the same for as long as a specification is loaded: files, the
    /// environment. The world notes what is read.
    Reads(fn(&World, &[Value]) -> Result<Value, ValueError>),
    /// Of values alone, and it shows something: printing.
    Shows(fn(&dyn Host, &[Value]) -> Result<Value, Failure>),
    /// Of values, with an effect or a cause outside of them: registers, randomness, the time, writing files. That it was used
    /// is noted, whatever it does.
    Hosted(fn(&dyn Host, &[Value]) -> Result<Value, Failure>),
    /// It cannot be computed here, and why.
    Refused(&'static str),
}

impl Run {
    /// Whether evaluating it does something, or may give another value each time: then it is evaluated wherever it is met.
    pub fn is_hosted(self) -> bool {
        matches!(self, Self::Shows(_) | Self::Hosted(_))
    }

    /// Whether its value may come from outside of the specification, or its effect goes there.
    pub fn asks_outside(self) -> bool {
        matches!(self, Self::Reads(_) | Self::Hosted(_))
    }
}

/// An argument of a [`Run::Higher`].
pub enum NativeArg<'a> {
    /// A value.
    Value(Value),
    /// An operator to be called.
    Operator(&'a dyn Fn(&[Value]) -> Result<Value, Failure>),
}

impl fmt::Debug for NativeArg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => write!(f, "{value}"),
            Self::Operator(_) => f.write_str("operator"),
        }
    }
}

impl NativeArg<'_> {
    fn value(&self) -> Result<&Value, Failure> {
        match self {
            Self::Value(value) => Ok(value),
            Self::Operator(_) => Err(Failure::unplaced("an operator was passed where a value is needed")),
        }
    }

    fn call(&self, arguments: &[Value]) -> Result<Value, Failure> {
        match self {
            Self::Value(_) => Err(Failure::unplaced("a value was passed where an operator is needed")),
            Self::Operator(operator) => operator(arguments),
        }
    }

    /// The value of a [`LAZY`] argument.
    fn evaluate(&self) -> Result<Value, Failure> {
        match self {
            Self::Value(value) => Ok(value.clone()),
            Self::Operator(operator) => operator(&[Value::Bool(true)]),
        }
    }

    /// Whether a predicate holds.
    fn holds(&self, arguments: &[Value], doing: &'static str) -> Result<bool, Failure> {
        Ok(self.call(arguments)?.expect_bool(doing)?)
    }
}

impl Native {
    /// Whether it draws lots: another value each time it is evaluated, but none that depends on a state.
    pub fn draws(&self) -> bool {
        ["RandomElement", "RandomSubset", "RandomSetOfSubsets", "TestRandomSetOfSubsets"].contains(&self.name)
    }

    const fn constant(name: &'static str, value: fn() -> Value) -> Self {
        Self { name, params: &[], run: Run::Constant(value) }
    }

    const fn one(name: &'static str, run: fn(&Value) -> Outcome) -> Self {
        Self { name, params: &[0], run: Run::One(run) }
    }

    const fn part(name: &'static str, find: fn(&Value) -> Option<&Value>, run: fn(&Value) -> Outcome) -> Self {
        Self { name, params: &[0], run: Run::Part(find, run) }
    }

    const fn two(name: &'static str, run: fn(&Value, &Value) -> Outcome) -> Self {
        Self { name, params: &[0, 0], run: Run::Two(run) }
    }

    const fn compare(name: &'static str, test: fn(i64, i64) -> bool, doing: &'static str) -> Self {
        Self { name, params: &[0, 0], run: Run::Compare(test, doing) }
    }

    /// Takes values only, `params` of them.
    const fn many(name: &'static str, params: &'static [usize], run: fn(&[Value]) -> Outcome) -> Self {
        Self { name, params, run: Run::Many(run) }
    }

    const fn higher(
        name: &'static str,
        params: &'static [usize],
        run: fn(&[NativeArg<'_>]) -> Result<Value, Failure>,
    ) -> Self {
        Self { name, params, run: Run::Higher(run) }
    }

    /// Cannot be computed here, and why.
    const fn refused(name: &'static str, params: &'static [usize], why: &'static str) -> Self {
        Self { name, params, run: Run::Refused(why) }
    }

    const fn reads(
        name: &'static str,
        params: &'static [usize],
        run: fn(&World, &[Value]) -> Result<Value, ValueError>,
    ) -> Self {
        Self { name, params, run: Run::Reads(run) }
    }

    const fn shows(
        name: &'static str,
        params: &'static [usize],
        run: fn(&dyn Host, &[Value]) -> Result<Value, Failure>,
    ) -> Self {
        Self { name, params, run: Run::Shows(run) }
    }

    const fn hosted(
        name: &'static str,
        params: &'static [usize],
        run: fn(&dyn Host, &[Value]) -> Result<Value, Failure>,
    ) -> Self {
        Self { name, params, run: Run::Hosted(run) }
    }
}

/// What is said where an operator is used that cannot be computed here.
pub(crate) fn refusal(native: &Native, why: &str) -> ValueError {
    ValueError::rule(format!("cannot evaluate {}: {why}", native.name))
}

/// The arguments, which are as many as the table says: the compiler sees to that.
fn exactly<T, const N: usize>(arguments: &[T]) -> &[T; N] {
    arguments.try_into().expect("a call passes as many arguments as the native has parameters")
}

static ALL: &[&BuiltinModule] = &[
    &naturals::MODULE,
    &integers::MODULE,
    &reals::MODULE,
    &finite_sets::MODULE,
    &sequences::MODULE,
    &bags::MODULE,
    &tlc::MODULE,
    &tlc_ext::MODULE,
    &bags_ext::MODULE,
    &bitwise::MODULE,
    &finite_sets_ext::MODULE,
    &folds::MODULE,
    &functions::MODULE,
    &io_utils::MODULE,
    &json::MODULE,
    &relation::MODULE,
    &sequences_ext::MODULE,
    &tlaps::MODULE,
    &combinatorics::MODULE,
    &csv::MODULE,
    &graph_search::MODULE,
    &randomization::MODULE,
    &svg::MODULE,
    &vector_clocks::MODULE,
    &unavailable::APALACHE,
    &unavailable::CBOR,
    &unavailable::DIFFERENTIAL_EQUATIONS,
    &unavailable::GRAPH_VIZ,
    &unavailable::SHI_VIZ,
    &unavailable::STATISTICS,
    &unavailable::TOOLBOX,
];

/// Modules that are there to write and to draw lots, and perhaps to read what was written.
const EFFECTS: [&str; 4] = ["CBOR", "CSV", "SVG", "Randomization"];

/// All modules with natives.
pub fn modules() -> impl Iterator<Item = &'static BuiltinModule> {
    ALL.iter().copied()
}

/// Whether a word of a specification may stand for what is outside of it, here or in TLC: the name of an operator that asks
/// for it, or of a module that is there to read and write.
pub fn names_outside(word: &str) -> bool {
    let reads = |module: &&BuiltinModule| module.operators.iter().any(|native| matches!(native.run, Run::Reads(_)));
    EFFECTS.contains(&word)
        || module(word).as_ref().is_some_and(reads)
        || modules().filter_map(|module| module.operator(word)).any(|native| native.run.asks_outside())
}

/// The names of all modules that are built in and meant for users.
pub fn module_names() -> impl Iterator<Item = &'static str> {
    let names = modules().map(|module| module.name).chain(written_modules().map(|module| module.name));
    names.filter(|name| !name.starts_with('_'))
}

/// The natives of the module of that name, if it has any.
pub fn module(name: &str) -> Option<&'static BuiltinModule> {
    modules().find(|module| module.name == name)
}

/// An operator that TLA+ has without any module.
pub fn core(name: &str) -> Option<&'static Native> {
    find(core::OPERATORS, name)
}

fn find(operators: &'static [Native], name: &str) -> Option<&'static Native> {
    operators.iter().find(|operator| operator.name == name)
}
