//! Values as TLA+ that reads back as an equal value.
//!
//! Functions and sets given by rules are printed by their table or list if it has been computed, and by what their rule
//! says of itself otherwise: printing never evaluates.

use std::fmt::{self, Display, Formatter, Write as _};

use omnilink_budget::poll;

use super::{Function, Lambda, Set, Shape, Symbolic, Tuple, Value};
use crate::symbol::Symbol;

/// Intervals of at most this many elements are printed element by element.
const SHORT_INTERVAL: usize = 16;

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(true) => f.write_str("TRUE"),
            Self::Bool(false) => f.write_str("FALSE"),
            Self::Int(number) => write!(f, "{number}"),
            Self::Str(text) => write_string(f, *text),
            Self::Model(name) => write!(f, "{name}"),
            Self::Tuple(tuple) => tuple.fmt(f),
            Self::Function(function) => function.fmt(f),
            Self::Set(set) => set.fmt(f),
            Self::Symbolic(symbolic) => symbolic.fmt(f),
            Self::Lambda(lambda) => lambda.fmt(f),
        }
    }
}

/// Whoever debugs wants to see the value, not how it is represented.
macro_rules! debug_as_display {
    ($($type:ty),*) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                Display::fmt(self, f)
            }
        }
    )*};
}

debug_as_display!(Value, Tuple, Function, Set, Symbolic, Lambda);

impl Display for Tuple {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_list(f, "<<", self, ", ", ">>")
    }
}

fn write_list<T: Display>(
    f: &mut Formatter<'_>,
    open: &str,
    items: impl IntoIterator<Item = T>,
    between: &str,
    close: &str,
) -> fmt::Result {
    f.write_str(open)?;
    for (index, item) in items.into_iter().enumerate() {
        poll();
        if index > 0 {
            f.write_str(between)?;
        }
        write!(f, "{item}")?;
    }
    f.write_str(close)
}

fn write_string(f: &mut Formatter<'_>, text: Symbol) -> fmt::Result {
    f.write_char('"')?;
    for c in text.as_str().chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            '\u{c}' => f.write_str("\\f")?,
            other => f.write_char(other)?,
        }
    }
    f.write_char('"')
}

impl Display for Set {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.bounds() {
            Some((lo, hi)) if self.len() > SHORT_INTERVAL => write!(f, "{lo}..{hi}"),
            _ => write_list(f, "{", self, ", ", "}"),
        }
    }
}

/// A part of a larger expression, in parentheses where it needs them.
struct Operand<'a>(&'a Value);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bare = match self.0 {
            Value::Int(number) => *number >= 0,
            Value::Set(set) => set.len() <= SHORT_INTERVAL || set.bounds().is_none(),
            Value::Symbolic(symbolic) => symbolic.computed().is_some() || !symbolic.is_operator(),
            _ => true,
        };
        if bare { write!(f, "{}", self.0) } else { write!(f, "({})", self.0) }
    }
}

/// `name |-> value` or `name: set`
struct Field<'a>(Symbol, &'static str, &'a Value);

impl Display for Field<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.0, self.1, self.2)
    }
}

/// `key :> value`
struct Entry<'a>(Value, &'a Value);

impl Display for Entry<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} :> {}", Operand(&self.0), Operand(self.1))
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.iter().all(|(key, _)| key.as_str().is_some_and(is_identifier)) {
            let fields = self.iter().filter_map(|(key, value)| Some(Field(key.as_str()?, " |-> ", value)));
            return write_list(f, "[", fields, ", ", "]");
        }
        write_list(f, "(", self.iter().map(|(key, value)| Entry(key, value)), " @@ ", ")")
    }
}

/// Whether the text can be a field's name.
fn is_identifier(name: Symbol) -> bool {
    let text = name.as_str();
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && text.chars().any(|c| c.is_ascii_alphabetic())
}

impl Display for Lambda {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.computed() {
            Some(table) => table.fmt(f),
            None => write!(f, "[x \\in {} |-> {}]", self.domain(), self.rule().describe()),
        }
    }
}

impl Symbolic {
    /// Whether it is printed as an operator with operands.
    fn is_operator(&self) -> bool {
        matches!(
            self.shape(),
            Shape::Subsets(_) | Shape::Product(_) | Shape::Cup(..) | Shape::Cap(..) | Shape::Minus(..)
        )
    }
}

impl Display for Symbolic {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(listed) = self.computed() {
            return listed.fmt(f);
        }
        match self.shape() {
            Shape::Nat => f.write_str("Nat"),
            Shape::Int => f.write_str("Int"),
            Shape::Real => f.write_str("Real"),
            Shape::Strings => f.write_str("STRING"),
            Shape::Any => f.write_str("Any"),
            Shape::Seq(base) => write!(f, "Seq({base})"),
            Shape::Functions { domain, range } => write!(f, "[{domain} -> {range}]"),
            Shape::Records(fields) => {
                write_list(f, "[", fields.iter().map(|(name, range)| Field(*name, ": ", range)), ", ", "]")
            }
            Shape::Subsets(base) => write!(f, "SUBSET {}", Operand(base)),
            Shape::Product(factors) => write_list(f, "", factors.iter().map(Operand), " \\X ", ""),
            Shape::Cup(left, right) => write!(f, "{} \\cup {}", Operand(left), Operand(right)),
            Shape::Cap(left, right) => write!(f, "{} \\cap {}", Operand(left), Operand(right)),
            Shape::Minus(left, right) => write!(f, "{} \\ {}", Operand(left), Operand(right)),
            Shape::Filter { base, predicate } => write!(f, "{{x \\in {base} : {}}}", predicate.describe()),
        }
    }
}
