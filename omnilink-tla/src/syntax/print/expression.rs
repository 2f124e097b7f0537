//! Expressions as text.

use super::layout::Layout;
use crate::syntax::ast::{Bound, Expr, ExprKind, Ident, OpDecl, Pattern, Selector, Step, Unit, Update};
use crate::syntax::operators::{Fixity, by_spelling};

impl Layout {
    pub(super) fn expr(&mut self, expr: &Expr) {
        match &*expr.kind {
            ExprKind::Int(value) => self.put(&value.to_string()),
            ExprKind::Decimal(text) => self.put(text.as_str()),
            ExprKind::Str(text) => self.put(&quoted(text.as_str())),
            ExprKind::Name { path, name } => self.name(path, *name),
            ExprKind::Apply { path, op, args } => self.application(path, *op, args),
            ExprKind::Junction { conjunction, items } => self.junction(*conjunction, items),
            ExprKind::Lambda { params, body } => self.lambda(params, body),
            ExprKind::Quantifier { universal, bounds, body } => {
                self.put(if *universal { "\\A " } else { "\\E " });
                self.bounds(bounds);
                self.body(body);
            }
            ExprKind::UnboundedQuantifier { quantifier, names, body } => {
                self.parts([quantifier.as_str(), " "]);
                self.idents(names);
                self.body(body);
            }
            ExprKind::Choose { pattern, set, body } => self.choose(pattern, set.as_ref(), body),
            ExprKind::SetEnum(items) => self.between("{", "}", |layout| layout.exprs(items)),
            ExprKind::SetFilter { bound, condition } => self.between("{", "}", |layout| {
                layout.bound(bound);
                layout.body(condition);
            }),
            ExprKind::SetMap { value, bounds } => self.between("{", "}", |layout| {
                layout.expr(value);
                layout.put(" : ");
                layout.bounds(bounds);
            }),
            ExprKind::Function { bounds, value } => self.between("[", "]", |layout| {
                layout.bounds(bounds);
                layout.put(" |-> ");
                layout.expr(value);
            }),
            ExprKind::FunctionSet { domain, range } => self.between("[", "]", |layout| {
                layout.expr(domain);
                layout.put(" -> ");
                layout.expr(range);
            }),
            ExprKind::Record(fields) => self.between("[", "]", |layout| layout.fields(" |-> ", fields)),
            ExprKind::RecordSet(fields) => self.between("[", "]", |layout| layout.fields(" : ", fields)),
            ExprKind::Except { function, updates } => self.between("[", "]", |layout| {
                layout.expr(function);
                layout.put(" EXCEPT ");
                layout.commas(updates, Self::update);
            }),
            ExprKind::At => self.put("@"),
            ExprKind::Index { function, args } => {
                self.expr(function);
                self.index(args);
            }
            ExprKind::Field { record, field } => {
                self.expr(record);
                self.field(*field);
            }
            ExprKind::Tuple(items) => self.between("<<", ">>", |layout| layout.exprs(items)),
            ExprKind::If { condition, then, otherwise } => {
                for (word, part) in [("IF ", condition), (" THEN ", then), (" ELSE ", otherwise)] {
                    self.put(word);
                    self.expr(part);
                }
            }
            ExprKind::Case { arms, other } => self.case(arms, other.as_ref()),
            ExprKind::Let { units, body } => self.let_in(units, body),
            ExprKind::Stuttering { stutters, action, subscript } => {
                let (open, close) = if *stutters { ("[", "]_") } else { ("<<", ">>_") };
                self.between(open, close, |layout| layout.expr(action));
                self.expr(subscript);
            }
            ExprKind::Fairness { strong, subscript, action } => {
                self.put(if *strong { "SF_" } else { "WF_" });
                self.expr(subscript);
                self.between("(", ")", |layout| layout.expr(action));
            }
            ExprKind::Label { name, params, expr } => self.label(*name, params, expr),
            ExprKind::Parens(inner) => self.between("(", ")", |layout| layout.expr(inner)),
        }
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        self.commas(exprs, Self::expr);
    }

    fn between(&mut self, open: &str, close: &str, inside: impl FnOnce(&mut Self)) {
        self.put(open);
        inside(self);
        self.put(close);
    }

    fn index(&mut self, args: &[Expr]) {
        self.between("[", "]", |layout| layout.exprs(args));
    }

    fn field(&mut self, field: Ident) {
        self.put(".");
        self.put(field.name.as_str());
    }

    fn fields(&mut self, sign: &str, fields: &[(Ident, Expr)]) {
        self.commas(fields, |layout, (name, value)| {
            layout.put(name.name.as_str());
            layout.put(sign);
            layout.expr(value);
        });
    }

    fn update(&mut self, update: &Update) {
        self.put("!");
        for step in &update.path {
            match step {
                Step::Field(field) => self.field(*field),
                Step::Index(args) => self.index(args),
            }
        }
        self.put(" = ");
        self.expr(&update.value);
    }

    fn lambda(&mut self, params: &[OpDecl], body: &Expr) {
        self.put("LAMBDA ");
        self.commas(params, Self::declaration);
        self.body(body);
    }

    fn choose(&mut self, pattern: &Pattern, set: Option<&Expr>, body: &Expr) {
        self.put("CHOOSE ");
        self.pattern(pattern);
        if let Some(set) = set {
            self.put(" \\in ");
            self.expr(set);
        }
        self.body(body);
    }

    fn let_in(&mut self, units: &[Unit], body: &Expr) {
        let column = self.column();
        for (position, unit) in units.iter().enumerate() {
            match position {
                0 => self.put("LET "),
                _ => self.new_line(column + 4),
            }
            self.unit(unit);
        }
        self.new_line(column);
        self.put("IN ");
        self.expr(body);
    }

    fn label(&mut self, name: Ident, params: &[Ident], expr: &Expr) {
        self.put(name.name.as_str());
        if !params.is_empty() {
            self.between("(", ")", |layout| layout.idents(params));
        }
        self.put(" :: ");
        self.expr(expr);
    }

    fn body(&mut self, body: &Expr) {
        self.put(" : ");
        self.expr(body);
    }

    fn case(&mut self, arms: &[(Expr, Expr)], other: Option<&Expr>) {
        for (position, (condition, value)) in arms.iter().enumerate() {
            self.put(if position == 0 { "CASE " } else { " [] " });
            self.expr(condition);
            self.put(" -> ");
            self.expr(value);
        }
        if let Some(value) = other {
            self.put(" [] OTHER -> ");
            self.expr(value);
        }
    }

    fn junction(&mut self, conjunction: bool, items: &[Expr]) {
        let column = self.column();
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                self.new_line(column);
            }
            self.put(if conjunction { "/\\ " } else { "\\/ " });
            self.expr(item);
        }
        self.end_list(column);
    }

    /// `I!J(x)!Op`
    fn name(&mut self, path: &[Selector], name: Ident) {
        for (position, Selector { name, args }) in path.iter().enumerate() {
            self.selected(*name, position > 0);
            if !args.is_empty() {
                self.between("(", ")", |layout| layout.exprs(args));
            }
            self.put("!");
        }
        self.selected(name, !path.is_empty());
    }

    /// A name; behind `!`, what stands for arguments alone is not written.
    fn selected(&mut self, name: Ident, behind_bang: bool) {
        if !behind_bang || name.name.as_str() != "()" {
            self.put(name.name.as_str());
        }
    }

    fn application(&mut self, path: &[Selector], op: Ident, args: &[Expr]) {
        let symbol = op.name.as_str();
        let fixity = by_spelling(symbol).filter(|_| path.is_empty()).map(|operator| operator.fixity);
        match (fixity, args) {
            (Some(Fixity::Prefix), [operand]) => {
                let word = symbol.ends_with(|c: char| c.is_ascii_alphabetic());
                self.put(if symbol == "-." { "-" } else { symbol });
                self.put(if word { " " } else { "" });
                self.expr(operand);
            }
            (Some(Fixity::Postfix), [operand]) => {
                self.expr(operand);
                self.put(symbol);
            }
            (Some(Fixity::Infix), [first, rest @ ..]) => {
                self.expr(first);
                for operand in rest {
                    self.infix(symbol);
                    self.expr(operand);
                }
            }
            _ => {
                self.name(path, op);
                self.between("(", ")", |layout| layout.exprs(args));
            }
        }
    }

    /// An infix operator; behind a list one that is no bullet.
    fn infix(&mut self, symbol: &str) {
        let symbol = match symbol {
            "/\\" if self.is_behind_list() => "\\land",
            "\\/" if self.is_behind_list() => "\\lor",
            _ => symbol,
        };
        self.parts([" ", symbol, " "]);
    }

    pub(super) fn idents(&mut self, idents: &[Ident]) {
        self.commas(idents, |layout, ident| layout.put(ident.name.as_str()));
    }

    pub(super) fn bounds(&mut self, bounds: &[Bound]) {
        self.commas(bounds, Self::bound);
    }

    fn bound(&mut self, bound: &Bound) {
        self.pattern(&bound.pattern);
        self.put(" \\in ");
        self.expr(&bound.set);
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Names(names) => self.idents(names),
            Pattern::Tuple(names) => self.between("<<", ">>", |layout| layout.idents(names)),
        }
    }
}

/// A string with its quotes and escapes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{c}' => quoted.push_str("\\f"),
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
