//! Operators that are part of the language rather than of a module.

use crate::ir::Expr;
use crate::ir::ExprKind;

/// An operator that has an IR node of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BuiltinOperator {
    And,
    Or,
    Not,
    Implies,
    Equivalent,
    Equal,
    NotEqual,
    In,
    NotIn,
    Domain,
    Unchanged,
    Enabled,
    Prime,
    Product,
    /// `[]`, `<>`, `~>`, `-+->`: what it is called.
    Temporal(&'static str, usize),
    /// `\cdot`
    Composition,
}

impl BuiltinOperator {
    /// The operator of that name, as the parser spells it.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "/\\" => Self::And,
            "\\/" => Self::Or,
            "~" => Self::Not,
            "=>" => Self::Implies,
            "<=>" => Self::Equivalent,
            "=" => Self::Equal,
            "#" => Self::NotEqual,
            "\\in" => Self::In,
            "\\notin" => Self::NotIn,
            "DOMAIN" => Self::Domain,
            "UNCHANGED" => Self::Unchanged,
            "ENABLED" => Self::Enabled,
            "'" => Self::Prime,
            "\\X" => Self::Product,
            "[]" => Self::Temporal("a formula with []", 1),
            "<>" => Self::Temporal("a formula with <>", 1),
            "~>" => Self::Temporal("a formula with ~>", 2),
            "-+->" => Self::Temporal("a formula with -+->", 2),
            "\\cdot" => Self::Composition,
            _ => return None,
        })
    }

    /// How many arguments it takes. (`\X` may be given more.)
    pub fn arity(self) -> usize {
        match self {
            Self::Not | Self::Domain | Self::Unchanged | Self::Enabled | Self::Prime => 1,
            Self::Temporal(_, arity) => arity,
            Self::And
            | Self::Or
            | Self::Implies
            | Self::Equivalent
            | Self::Equal
            | Self::NotEqual
            | Self::In
            | Self::NotIn
            | Self::Product
            | Self::Composition => 2,
        }
    }

    /// The node for these arguments, whose number is right. `ENABLED` is made elsewhere: its operand is an action.
    pub fn node(self, args: Vec<Expr>) -> ExprKind {
        let many = match self {
            Self::And => ExprKind::And,
            Self::Or => ExprKind::Or,
            Self::Product => ExprKind::Product,
            Self::Temporal(what, _) => return ExprKind::Temporal(what),
            Self::Composition => return ExprKind::Unevaluable("a composition of actions (\\cdot)"),
            _ => return self.fixed_node(args),
        };
        many(args.into())
    }

    fn fixed_node(self, args: Vec<Expr>) -> ExprKind {
        let mut args = args.into_iter().map(Box::new);
        match (args.next(), args.next()) {
            (Some(only), None) => match self {
                Self::Not => ExprKind::Not(only),
                Self::Domain => ExprKind::Domain(only),
                Self::Unchanged => ExprKind::Unchanged(only),
                Self::Prime => match only.kind {
                    ExprKind::Variable(variable) => ExprKind::Primed(variable),
                    // A value is the same in every state.
                    ExprKind::Value(value) => ExprKind::Value(value),
                    _ => ExprKind::Prime(only),
                },
                _ => ExprKind::Unevaluable("ENABLED as an operator"),
            },
            (Some(left), Some(right)) => match self {
                Self::Implies => ExprKind::Implies(left, right),
                Self::Equivalent => ExprKind::Equivalent(left, right),
                Self::Equal => ExprKind::Equal(left, right),
                Self::NotEqual => ExprKind::NotEqual(left, right),
                Self::In => ExprKind::In(left, right),
                Self::NotIn => ExprKind::NotIn(left, right),
                _ => unreachable!("the other operators take one argument, or any number"),
            },
            (None, _) => unreachable!("every operator of the language takes an argument"),
        }
    }
}
