//! Random constant expressions of TLA+, as text, for comparing two evaluators.
//!
//! Generation is typed, so that nearly all expressions have a value, although TLA+ is not: [`Type`] is what the
//! generator knows about the value to come. Three rules keep expressions cheap and their values unambiguous:
//!
//! - Types bound the sizes of their sets, sequences and functions: `SUBSET`, `\X` and `[S -> T]` cannot explode.
//! - Numbers stay far below 2^31, TLC's limit: factors are reduced before they are multiplied.
//! - `CHOOSE` has one witness, or chooses the least of some integers: TLC's order of strings is an accident.
//!
//! Bound names are unique within an expression, because TLA+ forbids to reuse a name that is in scope.

mod collections;
mod failing;
mod general;
mod scalars;

use super::random::Random;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// `count` different expressions that (nearly all) have a value, the same for the same `seed`.
pub fn generate(seed: u64, count: usize) -> Vec<String> {
    different(seed, count, |generator| generator.printable())
}

/// `count` different expressions with a mistake somewhere, which an evaluator may or may not run into.
pub fn generate_failing(seed: u64, count: usize) -> Vec<String> {
    different(seed, count, |generator| generator.failing())
}

fn different(seed: u64, count: usize, make: fn(&mut Generator<'_>) -> String) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut seen = HashSet::new();
    std::iter::repeat_with(|| make(&mut Generator::new(&mut random)))
        .filter(|expression| expression.len() <= LONGEST && seen.insert(expression.clone()))
        .take(count)
        .collect()
}

/// The committed table of expressions of a kind, `values` or `mistakes`. Each line is an expression, a tab, and the
/// value as TLC prints it or `error: ` and TLC's words.
pub fn table_path(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expressions").join(kind).with_extension("tsv")
}

/// The rows of a committed table: expressions with what TLC says.
pub fn table(kind: &str) -> Vec<(String, Result<String, String>)> {
    let text = std::fs::read_to_string(table_path(kind)).expect("the table is there");
    text.lines().map(parse_row).collect()
}

fn parse_row(line: &str) -> (String, Result<String, String>) {
    let (expression, said) = line.split_once('\t').unwrap_or_else(|| panic!("two columns, not: {line}"));
    let result = said.strip_prefix("error: ").map_or(Ok(said.to_owned()), |words| Err(words.to_owned()));
    (expression.to_owned(), result)
}

/// What is known about a value. The numbers are the most elements that it may have.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    Int,
    Bool,
    Text,
    Set(Box<Type>, usize),
    Seq(Box<Type>, usize),
    Tuple(Vec<Type>),
    Record(Vec<(&'static str, Type)>),
    Function(Box<Type>, Box<Type>, usize),
    /// A function to positive numbers.
    Bag(Box<Type>, usize),
}

impl Type {
    fn set(element: &Type, most: usize) -> Type {
        Type::Set(Box::new(element.clone()), most)
    }

    fn seq(element: &Type, most: usize) -> Type {
        Type::Seq(Box::new(element.clone()), most)
    }

    fn function(key: &Type, value: &Type, most: usize) -> Type {
        Type::Function(Box::new(key.clone()), Box::new(value.clone()), most)
    }

    /// Whether a value of this type can stand where `wanted` is wanted.
    fn fits(&self, wanted: &Type) -> bool {
        match (self, wanted) {
            (Type::Set(a, n), Type::Set(b, m))
            | (Type::Seq(a, n), Type::Seq(b, m))
            | (Type::Bag(a, n), Type::Bag(b, m)) => n <= m && a.fits(b),
            (Type::Function(k, v, n), Type::Function(l, w, m)) => n <= m && k.fits(l) && v.fits(w),
            (Type::Tuple(a), Type::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.fits(b)),
            (Type::Record(a), Type::Record(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|((f, a), (g, b))| f == g && a.fits(b))
            }
            _ => self == wanted,
        }
    }
}

/// How many elements a collection has at most, unless its type is made for a purpose.
const MOST: usize = 4;

/// Longer expressions are thrown away: they say little more and cannot be read.
const LONGEST: usize = 500;

/// How deep expressions are nested.
const DEPTH: usize = 4;

/// Makes one expression.
struct Generator<'a> {
    random: &'a mut Random,
    /// What can be referred to: its text (a name, or `f[n - 1]` within a recursive function) and its type.
    scope: Vec<(String, Type)>,
    names: usize,
}

impl<'a> Generator<'a> {
    fn new(random: &'a mut Random) -> Self {
        Generator { random, scope: Vec::new(), names: 0 }
    }

    /// An expression whose value is printed in full: TLC prints `SUBSET S` and its like as they are, but not a set made
    /// of their elements.
    fn printable(&mut self) -> String {
        let ty = self.any_type(2);
        let expression = self.expression(&ty, DEPTH);
        if matches!(ty, Type::Set(..)) && self.random.chance(70) {
            format!("{{e : e \\in {expression}}}")
        } else {
            expression
        }
    }

    /// Any type, nested at most `depth` times.
    fn any_type(&mut self, depth: usize) -> Type {
        if depth == 0 {
            return self.scalar_type();
        }
        match self.random.below(12) {
            0..=3 => self.scalar_type(),
            4..=6 => Type::set(&self.any_type(depth - 1), MOST),
            7 => Type::seq(&self.any_type(depth - 1), MOST),
            8 => Type::Tuple((0..2 + self.random.below(2)).map(|_| self.any_type(depth - 1)).collect()),
            9 => Type::Record(
                ["a", "b", "kind"][..2 + self.random.below(2)].iter().map(|f| (*f, self.any_type(depth - 1))).collect(),
            ),
            10 => Type::function(&self.any_type(depth - 1), &self.any_type(depth - 1), MOST),
            _ => Type::Bag(Box::new(self.any_type(depth - 1)), MOST),
        }
    }

    fn scalar_type(&mut self) -> Type {
        self.random.pick(&[Type::Int, Type::Int, Type::Bool, Type::Text]).clone()
    }

    /// An expression of the type, in parentheses where needed, nested at most `depth` times (and a little).
    fn expression(&mut self, ty: &Type, depth: usize) -> String {
        if self.random.chance(30)
            && let Some(known) = self.known(ty)
        {
            return known;
        }
        if depth == 0 {
            return self.literal(ty);
        }
        if self.random.chance(15) {
            return self.general(ty, depth - 1);
        }
        match ty {
            Type::Int => self.integer(depth - 1),
            Type::Bool => self.boolean(depth - 1),
            Type::Text => self.text(depth - 1),
            Type::Set(element, most) => self.set(element, *most, depth - 1),
            Type::Seq(element, most) => self.sequence(element, *most, depth - 1),
            Type::Tuple(parts) => self.tuple(parts, depth - 1),
            Type::Record(fields) => self.record(fields, depth - 1),
            Type::Function(key, value, most) => self.function(key, value, *most, depth - 1),
            Type::Bag(element, most) => self.bag(element, *most, depth - 1),
        }
    }

    /// Something in scope that fits.
    fn known(&mut self, ty: &Type) -> Option<String> {
        let fitting: Vec<&String> = self.scope.iter().filter(|(_, t)| t.fits(ty)).map(|(text, _)| text).collect();
        (!fitting.is_empty()).then(|| (*self.random.pick(&fitting)).clone())
    }

    /// A name that the expression does not have yet.
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    /// What `make` makes while `text` of type `ty` is in scope.
    fn with<R>(&mut self, text: &str, ty: &Type, make: impl FnOnce(&mut Self) -> R) -> R {
        self.scope.push((text.to_owned(), ty.clone()));
        let made = make(self);
        self.scope.pop();
        made
    }

    /// The expression `ty`, written down directly.
    fn literal(&mut self, ty: &Type) -> String {
        match ty {
            Type::Int => {
                (*self.random.pick(&["0", "1", "2", "3", "4", "5", "7", "10", "12", "(-1)", "(-2)", "(-5)"])).to_owned()
            }
            Type::Bool => (*self.random.pick(&["TRUE", "FALSE"])).to_owned(),
            Type::Text => format!("\"{}\"", self.random.pick(&["", "a", "b", "ab", "x y", "kind"])),
            Type::Set(element, most) => format!("{{{}}}", self.literals(element, *most)),
            Type::Seq(element, most) => format!("<<{}>>", self.literals(element, *most)),
            Type::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.literal(part)).collect();
                format!("<<{}>>", parts.join(", "))
            }
            Type::Record(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(field, ty)| format!("{field} |-> {}", self.literal(ty))).collect();
                format!("[{}]", fields.join(", "))
            }
            Type::Function(key, value, most) => {
                let (name, keys) = (self.fresh(), self.literal(&Type::set(key, *most)));
                format!("[{name} \\in {keys} |-> {}]", self.literal(value))
            }
            Type::Bag(element, most) => format!("SetToBag({})", self.literal(&Type::set(element, *most))),
        }
    }

    /// How many elements to write down: seldom none.
    fn size(&mut self, most: usize) -> usize {
        if self.random.chance(10) { 0 } else { most.min(1 + self.random.below(3)) }
    }

    fn literals(&mut self, ty: &Type, most: usize) -> String {
        let count = self.size(most);
        (0..count).map(|_| self.literal(ty)).collect::<Vec<_>>().join(", ")
    }
}
