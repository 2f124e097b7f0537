//! From syntax to expressions of the IR: names become places, spellings become nodes.
//!
//! What is wrong is reported and stands in the result as an expression that cannot be evaluated, so that one run finds
//! all mistakes.

mod apply;
mod args;
mod binders;
mod choose;
mod functions;
mod lets;
mod point_update;

use std::collections::HashSet;

use super::Compiler;
use super::builtin_operator::BuiltinOperator;
use super::context::{DraftBody, DraftId};
use super::facts::{Facts, Frames};
use super::hoist::hoisted;
use super::scope::{View, params};
use crate::diagnostic::Diagnostic;
use crate::ir::{CaseArm, DefinitionId, Expr, ExprKind, Local, PathStep, RecordCode};
use crate::source::Span;
use crate::symbol::Symbol;
use crate::syntax::ast::{self, Ident};
use crate::value::Value;

/// How deep formulas may be nested once instances are written out. The parser allows less; this bounds the stack.
const DEEPEST: usize = 1500;

/// Stands where something is wrong.
pub(super) const MISTAKE: ExprKind = ExprKind::Unevaluable("what could not be compiled");

/// Compiles the formulas of one definition.
pub(super) struct Lowerer<'c, 'a> {
    pub compiler: &'c mut Compiler<'a>,
    /// What earlier goings-over found.
    pub facts: &'c Facts,
    pub view: View<'a>,
    pub frames: Frames,
    /// What the definition at hand is called, for the model values that it may introduce.
    pub definition: Symbol,
    /// Whether unknown names are model values.
    pub lenient: bool,
    /// The innermost `@`: its frame, and whether it was used.
    pub old: Option<(usize, bool)>,
    /// The definition at hand, if it is compiled as an action.
    pub running: Option<DefinitionId>,
    /// Definitions of `LET`s, by frame and index, whose value depends on the state that is being found.
    pub later_locals: HashSet<(u32, u32)>,
    /// Definitions of `LET`s, by frame and index, that were met where they are run as actions.
    pub run_locals: HashSet<(u32, u32)>,
    /// How actions are read at the moment.
    pub mode: super::action::Mode,
    /// How deep we are in formulas, and in operands of `ENABLED`.
    pub depth: usize,
    pub enabled_depth: usize,
}

impl<'c, 'a> Lowerer<'c, 'a> {
    /// For formulas that are seen from a place outside of every definition.
    pub fn new(compiler: &'c mut Compiler<'a>, facts: &'c Facts, view: View<'a>, definition: Symbol) -> Self {
        Self {
            compiler,
            facts,
            view,
            frames: Frames::below_parameters(),
            definition,
            lenient: false,
            old: None,
            running: None,
            later_locals: HashSet::new(),
            run_locals: HashSet::new(),
            mode: super::action::Mode::default(),
            depth: 0,
            enabled_depth: 0,
        }
    }

    /// For the body of a definition.
    pub fn of_draft(compiler: &'c mut Compiler<'a>, facts: &'c Facts, draft: DraftId) -> Self {
        let draft = &compiler.drafts[draft.0 as usize];
        let first = compiler.contexts[draft.context.0 as usize].params.len();
        let locals = params(&draft.params, first).collect();
        let view = View { context: draft.context, order: draft.order, locals };
        let lenient = matches!(draft.body, DraftBody::Given(_));
        let definition = draft.name;
        Self { lenient, ..Self::new(compiler, facts, view, definition) }
    }

    pub fn exprs(&mut self, exprs: impl IntoIterator<Item = &'a ast::Expr>) -> Box<[Expr]> {
        exprs.into_iter().map(|expr| self.expr(expr)).collect()
    }

    pub fn boxed(&mut self, expr: &'a ast::Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    /// An expression.
    pub fn expr(&mut self, expr: &'a ast::Expr) -> Expr {
        let kind = self.deeper(expr.span, |this| this.kind(expr)).unwrap_or(MISTAKE);
        let expr = Expr { span: expr.span, kind };
        if self.compiler.actions_wanted { hoisted(expr, self.facts) } else { expr }
    }

    /// Goes one level down, unless that is too deep.
    pub fn deeper<T>(&mut self, span: Span, then: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth == DEEPEST {
            self.compiler.report(Diagnostic::error("formulas are nested too deeply").at(span));
            return None;
        }
        self.depth += 1;
        let result = then(self);
        self.depth -= 1;
        Some(result)
    }

    fn kind(&mut self, expr: &'a ast::Expr) -> ExprKind {
        match &*expr.kind {
            ast::ExprKind::Int(number) => ExprKind::Value(Value::Int(*number)),
            ast::ExprKind::Str(text) => ExprKind::Value(Value::Str(*text)),
            ast::ExprKind::Decimal(_) => ExprKind::Unevaluable("a decimal number"),
            ast::ExprKind::Name { path, name } => self.apply(path, *name, &[], expr.span),
            ast::ExprKind::Apply { path, op, args } => self.apply(path, *op, args, expr.span),
            ast::ExprKind::Junction { conjunction, items } => self.junction(*conjunction, items),
            ast::ExprKind::Lambda { .. } => self.mistake(
                Diagnostic::error("a LAMBDA stands where a value is expected")
                    .at(expr.span)
                    .label("an operator can only be an argument for an operator parameter"),
            ),
            ast::ExprKind::Quantifier { universal, bounds, body } => {
                let quantifier = if *universal { ExprKind::ForAll } else { ExprKind::Exists };
                let (bounds, body) = self.bounded(bounds, |this| this.boxed(body));
                quantifier(bounds, body)
            }
            ast::ExprKind::UnboundedQuantifier { quantifier, names, body } => {
                self.unbounded_quantifier(*quantifier, names, body)
            }
            ast::ExprKind::Choose { pattern, set, body } => self.choose(pattern, set.as_ref(), body, expr.span),
            ast::ExprKind::SetEnum(items) if items.is_empty() => ExprKind::Value(Value::empty_set()),
            ast::ExprKind::SetEnum(items) => ExprKind::SetEnum(self.exprs(items)),
            ast::ExprKind::SetFilter { bound, condition } => self.set_filter(bound, condition),
            ast::ExprKind::SetMap { value, bounds } => {
                let (bounds, value) = self.bounded(bounds, |this| this.boxed(value));
                ExprKind::SetMap(bounds, value)
            }
            ast::ExprKind::Function { bounds, value } => self.function(bounds, value, None),
            ast::ExprKind::FunctionSet { domain, range } => {
                ExprKind::FunctionSet(self.boxed(domain), self.boxed(range))
            }
            ast::ExprKind::Record(fields) => ExprKind::Record(Box::new(RecordCode::new(self.fields(fields)))),
            ast::ExprKind::RecordSet(fields) => ExprKind::RecordSet(self.fields(fields)),
            ast::ExprKind::Except { function, updates } => self.except(function, updates),
            ast::ExprKind::At => self.at(expr.span),
            ast::ExprKind::Index { function, args } => {
                let function = self.boxed(function);
                ExprKind::Apply(function, Box::new(self.index(args)))
            }
            ast::ExprKind::Field { record, field } => ExprKind::Field(self.boxed(record), field.name),
            ast::ExprKind::Tuple(items) if items.is_empty() => empty_tuple(),
            ast::ExprKind::Tuple(items) => ExprKind::Tuple(self.exprs(items)),
            ast::ExprKind::If { condition, then, otherwise } => {
                ExprKind::If(self.boxed(condition), self.boxed(then), self.boxed(otherwise))
            }
            ast::ExprKind::Case { arms, other } => {
                let arm = |(condition, body): &'a (ast::Expr, ast::Expr)| CaseArm {
                    condition: self.expr(condition),
                    body: self.expr(body),
                };
                let arms = arms.iter().map(arm).collect();
                ExprKind::Case { arms, other: other.as_ref().map(|other| self.boxed(other)) }
            }
            ast::ExprKind::Let { units, body } => self.let_expr(units, body),
            ast::ExprKind::Stuttering { stutters, action, subscript } => self.stuttering(*stutters, action, subscript),
            ast::ExprKind::Fairness { strong, subscript, action } => {
                self.exprs([subscript, action]);
                ExprKind::Temporal(if *strong { "strong fairness (SF_)" } else { "weak fairness (WF_)" })
            }
            ast::ExprKind::Label { expr, .. } | ast::ExprKind::Parens(expr) => self.expr(expr).kind,
        }
    }

    /// Reports a mistake, and stands in for what could not be compiled.
    pub fn mistake(&mut self, diagnostic: Diagnostic) -> ExprKind {
        self.compiler.report(diagnostic);
        MISTAKE
    }

    fn junction(&mut self, conjunction: bool, items: &'a [ast::Expr]) -> ExprKind {
        let operator = if conjunction { BuiltinOperator::And } else { BuiltinOperator::Or };
        let mut flat = Vec::new();
        self.flatten_into(operator, items, &mut flat);
        let mut exprs: Vec<Expr> = flat.into_iter().map(|item| self.expr(item)).collect();
        match exprs.len() {
            1 => exprs.remove(0).kind,
            _ => operator.node(exprs),
        }
    }

    /// The items of a conjunction or disjunction, those of nested ones of the same kind among them.
    pub fn flatten(&self, operator: BuiltinOperator, expr: &'a ast::Expr) -> Vec<&'a ast::Expr> {
        let mut flat = Vec::new();
        self.flatten_into(operator, std::slice::from_ref(expr), &mut flat);
        flat
    }

    fn flatten_into(&self, operator: BuiltinOperator, items: &'a [ast::Expr], flat: &mut Vec<&'a ast::Expr>) {
        let mut pending: Vec<&'a ast::Expr> = items.iter().rev().collect();
        while let Some(item) = pending.pop() {
            match &*super::resolve::without_parens(item).kind {
                ast::ExprKind::Junction { conjunction, items }
                    if *conjunction == (operator == BuiltinOperator::And) =>
                {
                    pending.extend(items.iter().rev());
                }
                ast::ExprKind::Apply { path, op, args }
                    if path.is_empty() && BuiltinOperator::named(op.name.as_str()) == Some(operator) =>
                {
                    pending.extend(args.iter().rev());
                }
                _ => flat.push(item),
            }
        }
    }

    fn fields(&mut self, fields: &'a [(Ident, ast::Expr)]) -> Box<[(Symbol, Expr)]> {
        let mut lowered: Vec<(Symbol, Expr)> = Vec::new();
        for (field, value) in fields {
            if lowered.iter().any(|(name, _)| *name == field.name) {
                let message = format!("the field `{}` is given twice", field.name);
                self.compiler.report(Diagnostic::error(message).at(field.span));
            }
            let value = self.expr(value);
            lowered.push((field.name, value));
        }
        lowered.sort_by_key(|(name, _)| *name);
        lowered.into()
    }

    /// `f[a, b]`: several arguments are a tuple.
    fn index(&mut self, args: &'a [ast::Expr]) -> Expr {
        match args {
            [only] => self.expr(only),
            [first, .., last] => Expr { span: first.span.to(last.span), kind: ExprKind::Tuple(self.exprs(args)) },
            [] => unreachable!("the parser reads at least one argument between brackets"),
        }
    }

    fn except(&mut self, function: &'a ast::Expr, updates: &'a [ast::Update]) -> ExprKind {
        let function = self.boxed(function);
        let clauses = updates.iter().map(|update| {
            let step = |step: &'a ast::Step| match step {
                ast::Step::Field(field) => PathStep::Field(field.name),
                ast::Step::Index(args) => PathStep::Index(self.index(args)),
            };
            let path = update.path.iter().map(step).collect();
            self.frames.push();
            let outer = self.old.replace((self.frames.len() - 1, false));
            let value = self.expr(&update.value);
            let uses_old = std::mem::replace(&mut self.old, outer).is_some_and(|(_, used)| used);
            self.frames.pop();
            crate::ir::ExceptClause { path, value, uses_old }
        });
        let clauses = clauses.collect();
        ExprKind::Except(function, clauses)
    }

    fn at(&mut self, span: Span) -> ExprKind {
        let Some((frame, used)) = &mut self.old else {
            return self.mistake(Diagnostic::error("`@` stands outside of an EXCEPT").at(span));
        };
        *used = true;
        ExprKind::Local(Local { depth: (self.frames.len() - 1 - *frame) as u32, index: 0 })
    }

    /// `[A]_v` and `<<A>>_v` as values.
    fn stuttering(&mut self, stutters: bool, action: &'a ast::Expr, subscript: &'a ast::Expr) -> ExprKind {
        let action = self.expr(action);
        let unchanged = Expr { span: subscript.span, kind: ExprKind::Unchanged(self.boxed(subscript)) };
        if stutters {
            return ExprKind::Or([action, unchanged].into());
        }
        let changed = Expr { span: subscript.span, kind: ExprKind::Not(Box::new(unchanged)) };
        ExprKind::And([action, changed].into())
    }
}

fn empty_tuple() -> ExprKind {
    Value::tuple([]).map_or(ExprKind::Tuple([].into()), ExprKind::Value)
}
