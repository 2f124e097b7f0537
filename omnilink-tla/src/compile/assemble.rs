//! Putting the program together.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::action::{Finds, Mode};
use super::context::{DraftBody, DraftId, InstanceId};
use super::elaborate::Group;
use super::facts::Facts;
use super::lower::Lowerer;
use super::named::{Behaviour, replaced, set_aside};
use super::specification::{Seen, operator_name};
use super::{Compiler, Options};
use crate::config::{ConfigFile, Named};
use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::{
    Action, ActionKind, CaseArm, Definition, DefinitionId, Expr, ExprKind, Level, Local, NamedFormula, Program,
};
use crate::modules::ModuleId;
use crate::source::Span;
use crate::symbol::Symbol;
use crate::value::Value;

impl<'a> Compiler<'a> {
    pub(super) fn program(mut self, config: &'a ConfigFile, options: &'a Options) -> Result<Program, Vec<Diagnostic>> {
        self.root = self.elaborate(self.modules.root, &mut Group::root());
        self.give_constants(&config.constants, &options.constants);
        self.reach_named(config, options);
        let first = self.check_all();
        self.check_instantiated();
        let facts = Facts::of(&first);
        self.find_aliases(&first);
        let behaviour = self.behaviour(&facts, config, options);
        self.check_named(&facts, config);
        if self.has_errors() {
            return Err(self.diagnostics);
        }
        self.actions_wanted = true;
        loop {
            let late = self.late_params.clone();
            let program = self.write(&facts, config, &behaviour);
            if late == self.late_params {
                return if self.has_errors() { Err(self.diagnostics) } else { Ok(program) };
            }
        }
    }

    /// Goes over all definitions and assumptions for the first time.
    fn check_all(&mut self) -> Vec<Definition> {
        self.reach_all();
        let nothing_known = Facts::default();
        self.assumptions(&nothing_known);
        let mut definitions = Vec::new();
        self.define_all(&nothing_known, &mut definitions);
        definitions
    }

    /// Finds mistakes in modules that are only instantiated, in what is not used of them: each is read for itself.
    fn check_instantiated(&mut self) {
        let extended: BTreeSet<ModuleId> =
            self.contexts.iter().filter(|found| found.is_root).map(|found| found.module).collect();
        for module in self.modules.ids().filter(|id| !extended.contains(id)) {
            let loaded = self.modules.module(module);
            if loaded.enclosing.is_some() || loaded.built_in.is_some() {
                continue;
            }
            let mut alone = Compiler::new(self.modules);
            alone.root = alone.elaborate(module, &mut Group::root());
            alone.check_all();
            let wrong = alone.diagnostics.into_iter().filter(|found| found.severity == Severity::Error);
            wrong.for_each(|diagnostic| self.report(diagnostic));
        }
    }

    /// Reaches every definition of the root and of what it extends, used or not: mistakes in it are mistakes. What is built in
    /// has none.
    fn reach_all(&mut self) {
        let is_checked = |id: &DraftId| {
            let draft = &self.drafts[id.0 as usize];
            let is_assumption = matches!(draft.body, DraftBody::Assumption(_) | DraftBody::Theorem(_));
            let context = &self.contexts[draft.context.0 as usize];
            context.prefix.is_empty() && !is_assumption && self.modules.module(context.module).built_in.is_none()
        };
        let drafts: Vec<DraftId> = (0..self.drafts.len() as u32).map(DraftId).filter(is_checked).collect();
        for draft in drafts {
            self.reach(draft);
        }
        for instance in (0..self.instances.len() as u32).map(InstanceId) {
            self.instance_context(instance);
        }
    }

    /// Goes over all definitions that are not among these yet, those that are reached on the way among them.
    fn define_all(&mut self, facts: &Facts, definitions: &mut Vec<Definition>) {
        while let Some(draft) = self.reached.get(definitions.len()).copied() {
            let body = Lowerer::of_draft(self, facts, draft).body(draft);
            let found = &self.drafts[draft.0 as usize];
            let params = self.contexts[found.context.0 as usize].params.iter().chain(&found.params);
            definitions.push(Definition {
                name: found.name,
                params: params.map(|param| (param.name, param.arity)).collect(),
                span: found.span,
                level: found.id.map_or(Level::Constant, |id| facts.get(id).level),
                body,
                action: None,
                constant: OnceLock::new(),
            });
        }
    }

    /// All definitions, with an action form for those that are run.
    fn run_all(&mut self, facts: &Facts) -> Vec<Definition> {
        let mut definitions = Vec::new();
        self.define_all(facts, &mut definitions);
        let mut done = BTreeSet::new();
        while let Some((id, finds)) =
            self.runs.iter().find(|(id, _)| !done.contains(*id)).map(|(id, finds)| (*id, *finds))
        {
            done.insert(id);
            let draft = self.reached[id.0 as usize];
            let action = Lowerer::of_draft(self, facts, draft).run_body(draft, id, finds);
            self.define_all(facts, &mut definitions);
            definitions[id.0 as usize].action = action;
        }
        definitions
    }

    /// Definitions that are nothing but a variable, or such another definition.
    fn find_aliases(&mut self, definitions: &[Definition]) {
        for (start, id) in definitions.iter().zip(0..).filter(|(definition, _)| definition.params.is_empty()) {
            let mut body = &start.body.kind;
            for _ in 0..definitions.len() {
                match body {
                    ExprKind::Call(id, args) if args.is_empty() => body = &definitions[id.0 as usize].body.kind,
                    _ => break,
                }
            }
            let alias = match body {
                ExprKind::Variable(variable) => ExprKind::Variable(*variable),
                ExprKind::Primed(variable) => ExprKind::Primed(*variable),
                _ => continue,
            };
            self.aliases.insert(DefinitionId(id), alias);
        }
    }

    fn write(&mut self, facts: &Facts, config: &ConfigFile, behaviour: &Behaviour<'a>) -> Program {
        let init = self.run_named(facts, behaviour.init_call, &behaviour.init, Finds::Initial);
        let next = self.run_named(facts, behaviour.next_call, &behaviour.next, Finds::Next);
        let next_name = behaviour.next_call.map(|name| name.name);
        let next_name = next_name.or_else(|| operator_name(behaviour.next.first()?.formula));
        let assumptions = self.assumptions(facts);
        let constants = self.finished_constants();
        let [invariants, constraints, action_constraints] =
            [&config.invariants, &config.constraints, &config.action_constraints]
                .map(|names| names.iter().filter_map(|name| self.named_formula(*name)).collect());
        let view = config.view.and_then(|name| self.named_formula(name));
        let symmetry = config.symmetry.and_then(|name| self.named_formula(name));
        let properties = config.properties.iter().filter_map(|name| self.property(facts, *name)).collect();
        let definitions = self.run_all(facts);
        Program {
            sources: self.modules.sources.clone(),
            module: self.modules.module(self.modules.root).syntax.name.name,
            variables: self.variables.clone(),
            constants,
            definitions,
            init,
            next: next.map(|action| (next_name.unwrap_or(Symbol::new("Next")), action)),
            assumptions,
            invariants,
            constraints,
            action_constraints,
            view,
            symmetry,
            properties,
            check_deadlock: config.check_deadlock,
            set_aside: set_aside(config),
            replaced: replaced(config),
            warnings: self.diagnostics.iter().filter(|found| found.severity == Severity::Warning).cloned().collect(),
        }
    }
    /// What is run to find states, if there is anything.
    fn run_named(&mut self, facts: &Facts, call: Option<Named>, parts: &[Seen<'a>], finds: Finds) -> Option<Action> {
        if let Some(name) = call {
            let NamedFormula { expr: Expr { span, kind }, .. } = self.named_formula(name)?;
            let kind = match kind {
                ExprKind::Call(id, args) => ActionKind::Call(self.run_form(id, finds), args),
                kind => ActionKind::Guard(Expr { span, kind }),
            };
            return Some(Action { span, kind });
        }
        let mut actions: Vec<Action> = Vec::new();
        for Seen { formula, view } in parts {
            let mut lowerer = Lowerer::new(self, facts, view.clone(), Symbol::new("Spec"));
            lowerer.mode = Mode::to_find(finds);
            actions.push(lowerer.action(formula));
        }
        match actions.len() {
            0 | 1 => actions.pop(),
            _ => {
                let span = actions.first()?.span;
                Some(Action { span, kind: ActionKind::And(actions.into()) })
            }
        }
    }

    fn assumptions(&mut self, facts: &Facts) -> Vec<NamedFormula> {
        let drafts = self.assumptions.clone();
        let formula = |draft: DraftId| {
            let name = self.drafts[draft.0 as usize].name;
            NamedFormula { name, expr: Lowerer::of_draft(self, facts, draft).body(draft) }
        };
        drafts.into_iter().map(formula).collect()
    }
}

impl<'a> Lowerer<'_, 'a> {
    /// The body of a definition as a value.
    fn body(&mut self, draft: DraftId) -> Expr {
        let span = self.compiler.drafts[draft.0 as usize].span;
        match self.compiler.drafts[draft.0 as usize].body.clone() {
            DraftBody::Operator(definition, body) => {
                self.check_params(&definition.params);
                self.expr(body)
            }
            DraftBody::Function { name, bounds, value } => {
                Expr { span: name.span.to(value.span), kind: self.function(bounds, value, Some(name)) }
            }
            DraftBody::Assumption(body) | DraftBody::Theorem(Some(body)) | DraftBody::Given(body) => self.expr(body),
            DraftBody::Theorem(None) => Expr { span, kind: ExprKind::Unevaluable("ASSUME … PROVE …") },
            DraftBody::Part { lets, expr } => self.within_lets(&lets, expr),
            DraftBody::Table(entries) => Expr { span, kind: table(&entries, span) },
        }
    }

    /// The body of a definition as an action.
    fn run_body(&mut self, draft: DraftId, id: DefinitionId, finds: Finds) -> Option<Action> {
        self.running = Some(id);
        self.mode = Mode::to_find(finds);
        match self.compiler.drafts[draft.0 as usize].body.clone() {
            DraftBody::Operator(_, body) | DraftBody::Assumption(body) | DraftBody::Theorem(Some(body)) => {
                Some(self.action(body))
            }
            DraftBody::Part { lets, expr } => Some(self.action_within_lets(&lets, expr)),
            DraftBody::Theorem(None) | DraftBody::Function { .. } | DraftBody::Given(_) | DraftBody::Table(_) => None,
        }
    }
}

/// An operator constant that is given by a table: `Op(1, 2) = 3`.
fn table(entries: &[(Vec<Value>, Value)], span: Span) -> ExprKind {
    let expr = |kind| Expr { span, kind };
    let is = |(index, value): (usize, &Value)| {
        let param = expr(ExprKind::Local(Local { depth: 0, index: index as u32 }));
        expr(ExprKind::Equal(Box::new(param), Box::new(expr(ExprKind::Value(value.clone())))))
    };
    let arms = entries.iter().map(|(arguments, result)| CaseArm {
        condition: expr(ExprKind::And(arguments.iter().enumerate().map(is).collect())),
        body: expr(ExprKind::Value(result.clone())),
    });
    ExprKind::Case { arms: arms.collect(), other: None }
}
