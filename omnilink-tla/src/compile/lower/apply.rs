//! Names and operators with arguments.

use std::sync::Arc;

use super::{Lowerer, MISTAKE};
use crate::builtin::{self, Native, Run};
use crate::compile::builtin_operator::BuiltinOperator;
use crate::compile::context::Entity;
use crate::compile::parts::PartCall;
use crate::compile::resolve::{Meaning, Prefix, without_parens};
use crate::compile::scope::{LocalKind, LocalName};
use crate::diagnostic::Diagnostic;
use crate::ir::{Action, ActionKind, Arg, DefinitionId, Expr, ExprKind, LetDef, LetGroup, Level};
use crate::source::Span;
use crate::syntax::ast::{self, Ident, Selector};
use crate::value::Value;

impl<'a> Lowerer<'_, 'a> {
    /// A name with its arguments, as a value.
    pub(super) fn apply(&mut self, path: &'a [Selector], name: Ident, args: &'a [ast::Expr], span: Span) -> ExprKind {
        if self.lenient && path.is_empty() && args.is_empty() && !self.is_known(name) {
            return ExprKind::Value(Value::Model(name.name));
        }
        if let Some(part) = self.part(path, name, args) {
            let Ok(PartCall { draft, prefix, args }) = part else { return MISTAKE };
            let (id, arities) = self.compiler.reach(draft);
            return ExprKind::Call(id, self.call_args(&prefix, &arities, name, args, id));
        }
        match self.meaning(path, name) {
            Some(meaning) => self.apply_meaning(meaning, name, args, span),
            None => {
                self.exprs(args);
                MISTAKE
            }
        }
    }

    fn is_known(&self, name: Ident) -> bool {
        self.view.local(name.name).is_some()
            || self.compiler.lookup(self.view.context, self.view.order, name.name).is_some()
            || crate::builtin::core(name.name.as_str()).is_some()
    }

    fn apply_meaning(&mut self, meaning: Meaning<'a>, name: Ident, args: &'a [ast::Expr], span: Span) -> ExprKind {
        match meaning {
            Meaning::Local(local) => self.apply_local(local, name, args),
            Meaning::Entity(entity, prefix) => self.apply_entity(entity, &prefix, name, args),
            Meaning::Builtin(operator) => self.apply_builtin(operator, name, args),
            Meaning::Substituted(expr, view) => match &*without_parens(expr).kind {
                ast::ExprKind::Lambda { params, .. } => {
                    let name = Ident { span, ..name };
                    if !self.right_arity(name, params.len(), args) {
                        return MISTAKE;
                    }
                    let arities: Vec<usize> = params.iter().map(|param| param.arity).collect();
                    self.frames.push_let();
                    let lambda = self.seen_by((*view).clone(), |this| this.lambda(without_parens(expr)));
                    let args = self.args(&arities, args, None);
                    self.frames.pop();
                    let call = Expr { span, kind: ExprKind::CallLocal(crate::ir::Local { depth: 0, index: 0 }, args) };
                    let definition = LetDef { name: name.name, lambda, keep: true };
                    ExprKind::Let(Arc::new(LetGroup { definitions: [definition].into() }), Box::new(call))
                }
                _ if self.right_arity(name, 0, args) => self.seen_by((*view).clone(), |this| this.expr(expr).kind),
                _ => MISTAKE,
            },
        }
    }

    fn apply_local(&mut self, local: LocalName<'a>, name: Ident, args: &'a [ast::Expr]) -> ExprKind {
        if !self.right_arity(name, local.arity(), args) {
            return MISTAKE;
        }
        let place = local.seen_from(self.frames.len());
        match local.kind {
            LocalKind::Bound | LocalKind::Param { arity: 0 } | LocalKind::Let([]) => ExprKind::Local(place),
            _ => ExprKind::CallLocal(place, self.args(&local.arities(), args, None)),
        }
    }

    fn apply_entity(&mut self, entity: Entity, prefix: &[Prefix<'a>], name: Ident, args: &'a [ast::Expr]) -> ExprKind {
        match entity {
            Entity::Definition(draft) => {
                let (id, arities) = self.compiler.reach(draft);
                if !self.right_arity(name, arities.len(), args) {
                    return MISTAKE;
                }
                ExprKind::Call(id, self.call_args(prefix, &arities, name, args, id))
            }
            Entity::Native(native) => self.apply_native(native, name, args),
            Entity::Constant(constant) => {
                let constant = &self.compiler.constants[constant as usize];
                let (symbol, arity) = (constant.name, constant.arity);
                if !self.right_arity(name, arity, args) {
                    return MISTAKE;
                }
                self.exprs(args);
                ExprKind::UnassignedConstant(symbol)
            }
            Entity::Variable(_) | Entity::Value(_) if !self.right_arity(name, 0, args) => MISTAKE,
            Entity::Variable(variable) => ExprKind::Variable(variable),
            Entity::Value(value) => ExprKind::Value(self.compiler.values[value as usize].clone()),
            Entity::Instance(_) | Entity::Substituted(_) | Entity::Announced { .. } => {
                let message = format!("`{}` is {}, not an operator", name.name, entity.describe());
                let hint = format!("name what is meant of it: `{}!…`", name.name);
                self.mistake(Diagnostic::error(message).at(name.span).hint(hint))
            }
        }
    }

    /// The arguments of a definition: those of the instance first.
    pub(in crate::compile) fn call_args(
        &mut self,
        prefix: &[Prefix<'a>],
        arities: &[usize],
        name: Ident,
        args: impl IntoIterator<Item = &'a ast::Expr>,
        callee: DefinitionId,
    ) -> Box<[Arg]> {
        let mut all: Vec<Arg> = prefix.iter().map(|given| self.prefix_arg(given, name.span)).collect();
        all.extend(self.args(arities, args, Some(callee)));
        all.into()
    }

    fn apply_native(&mut self, native: &'static Native, name: Ident, args: &'a [ast::Expr]) -> ExprKind {
        if !self.right_arity(name, native.params.len(), args) {
            return MISTAKE;
        }
        if let Run::Constant(value) = native.run {
            return ExprKind::Value(value());
        }
        if let Some(update) = self.recognise_native(native, args) {
            return update;
        }
        if let Some(union) = self.listed_union(native, args) {
            return union;
        }
        ExprKind::Native(native, self.native_args(native.params, args))
    }

    /// `UNION {S, T}`: the sets may be infinite, so no set of them is made.
    fn listed_union(&mut self, native: &'static Native, args: &'a [ast::Expr]) -> Option<ExprKind> {
        let [set] = args else { return None };
        let ast::ExprKind::SetEnum(items) = &*without_parens(set).kind else { return None };
        if native.name != "UNION" {
            return None;
        }
        let sets = Expr { span: set.span, kind: ExprKind::Tuple(self.exprs(items)) };
        Some(ExprKind::Native(&builtin::UNION_OF_LISTED, [Arg::Eager(sets)].into()))
    }

    fn apply_builtin(&mut self, operator: BuiltinOperator, name: Ident, args: &'a [ast::Expr]) -> ExprKind {
        let arity = if operator == BuiltinOperator::Product { args.len().max(2) } else { operator.arity() };
        if !self.right_arity(name, arity, args) {
            return MISTAKE;
        }
        match operator {
            BuiltinOperator::And | BuiltinOperator::Or => {
                let flat = args.iter().flat_map(|arg| self.flatten(operator, arg)).collect::<Vec<_>>();
                operator.node(flat.into_iter().map(|item| self.expr(item)).collect())
            }
            BuiltinOperator::Enabled => {
                let operand = &args[0];
                let action = if self.compiler.actions_wanted {
                    self.enabled_operand(operand)
                } else {
                    Action { span: operand.span, kind: ActionKind::Guard(self.expr(operand)) }
                };
                ExprKind::Enabled(Arc::new(action))
            }
            _ => {
                let lowered = self.exprs(args).into_vec();
                if matches!(operator, BuiltinOperator::Prime | BuiltinOperator::Unchanged) {
                    self.check_unprimed(&lowered);
                }
                operator.node(lowered)
            }
        }
    }

    /// What is primed, or unchanged, is of one state.
    fn check_unprimed(&mut self, args: &[Expr]) {
        let facts = self.facts;
        for arg in args {
            let level = facts.look(arg, &mut self.frames).level;
            if level >= Level::Action {
                let message = if level == Level::Action {
                    "what is primed or UNCHANGED has a prime in it already"
                } else {
                    "a temporal formula cannot be primed"
                };
                self.compiler.report(Diagnostic::error(message).at(arg.span));
            }
        }
    }

    /// Whether the number of arguments is right; if not, that is reported.
    pub(in crate::compile) fn right_arity(&mut self, name: Ident, takes: usize, args: &'a [ast::Expr]) -> bool {
        if takes == args.len() {
            return true;
        }
        self.wrong_arity(name, takes, args.len());
        self.exprs(args);
        false
    }
}
