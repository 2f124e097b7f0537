//! Formulas put together from parts of others. They have the spans of what they stand for.

use omnilink_tla::internal::syntax::ast::{Expr, ExprKind, Ident, Selector};
use omnilink_tla::source::Span;
use omnilink_tla::symbol::Symbol;

fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind: Box::new(kind), span }
}

fn ident(name: Symbol, span: Span) -> Ident {
    Ident { name, span }
}

/// A name.
pub(super) fn name(name: Symbol, span: Span) -> Expr {
    expr(ExprKind::Name { path: Vec::new(), name: ident(name, span) }, span)
}

/// A name that may be one of an instance: `I!J!Next`.
pub(super) fn named(full: Symbol, span: Span) -> Expr {
    let mut path: Vec<&str> = full.as_str().split('!').collect();
    let last = path.pop().map_or(full, Symbol::new);
    let path = selectors(path.into_iter().map(str::to_owned), span);
    expr(ExprKind::Name { path, name: ident(last, span) }, span)
}

/// The way into instances without parameters.
pub(super) fn selectors(names: impl Iterator<Item = String>, span: Span) -> Vec<Selector> {
    names.map(|name| Selector { name: ident(Symbol::new(&name), span), args: Vec::new() }).collect()
}

/// A string.
pub(super) fn text(text: Symbol, span: Span) -> Expr {
    expr(ExprKind::Str(text), span)
}

/// FALSE.
pub(super) fn falsehood(span: Span) -> Expr {
    name(Symbol::new("FALSE"), span)
}

/// An operator with arguments.
pub(super) fn apply(operator: &str, args: Vec<Expr>, span: Span) -> Expr {
    apply_in(Vec::new(), operator, args, span)
}

/// An operator of an instance with arguments.
pub(super) fn apply_in(path: Vec<Selector>, operator: &str, args: Vec<Expr>, span: Span) -> Expr {
    expr(ExprKind::Apply { path, op: ident(Symbol::new(operator), span), args }, span)
}

/// A conjunction; one formula is itself.
pub(super) fn conjunction(mut items: Vec<Expr>, span: Span) -> Expr {
    match items.len() {
        1 => items.remove(0),
        _ => expr(ExprKind::Junction { conjunction: true, items }, span),
    }
}

/// A record; an empty one is an empty sequence, which has no fields either and can be written.
pub(super) fn record(fields: impl Iterator<Item = (Symbol, Expr)>, span: Span) -> Expr {
    let fields: Vec<_> = fields.map(|(name, value)| (ident(name, span), value)).collect();
    let kind = if fields.is_empty() { ExprKind::Tuple(Vec::new()) } else { ExprKind::Record(fields) };
    expr(kind, span)
}

/// A formula in parentheses.
pub(super) fn parens(inner: Expr) -> Expr {
    let span = inner.span;
    expr(ExprKind::Parens(inner), span)
}

/// What is inside of parentheses.
pub(super) fn without_parens(expr: &Expr) -> &Expr {
    match &*expr.kind {
        ExprKind::Parens(inner) => without_parens(inner),
        _ => expr,
    }
}
