//! From modules to a program: names resolved to places, instances and replacements worked in, formulas in both forms.
//!
//! ```text
//!  modules ──► elaborate ──► contexts: what each name means, per module and instance
//!  config ───► constants ──┘     │
//!                                ▼
//!                    lower ──► expressions ──► facts: levels, who branches
//!                                                 │
//!       specification: Init, Next ──► action ◄────┘ ──► Program
//! ```
//!
//! Definitions are compiled in several passes: first to find mistakes, then, with the facts about all of them, to write
//! their code. Nothing is changed once it is written; facts that a pass finds are used by the next.

mod action;
mod assemble;
mod builtin_operator;
mod constants;
mod context;
mod elaborate;
mod facts;
mod hoist;
mod late;
mod lower;
mod named;
mod names;
mod parts;
mod property;
mod resolve;
mod same;
mod scope;
mod specification;

use std::collections::{BTreeMap, HashMap, HashSet};

use self::action::Finds;
pub use self::constants::{GivenConstant, constant};
use self::context::Substitution;
use self::context::{Context, ContextId, Draft, DraftBody, DraftId, Entity, InstanceDraft, InstanceId, Replaceable};
use self::late::LateParams;
use crate::config::ConfigFile;
use crate::diagnostic::{Diagnostic, Severity};
use crate::eval::{STACK, with_stack};
use crate::ir::{DefinitionId, ExprKind, Program, Variable};
use crate::modules::Modules;
use crate::source::{FileId, Span};
use crate::symbol::Symbol;
use crate::syntax::ast;
use crate::value::Value;

/// What is asked for besides a configuration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The initial predicate, instead of the configuration's.
    pub init: Option<Symbol>,
    /// The next-state relation, instead of the configuration's.
    pub next: Option<Symbol>,
    /// Constants, which take precedence over the configuration's.
    pub constants: Vec<GivenConstant>,
}

/// Compiles a specification. The configuration must have been read from a file of the modules' sources.
///
/// Without `INIT`, `NEXT` and `SPECIFICATION`, definitions called `Init` and `Next` are taken, or one called `Spec`.
/// If there are none of these either, the program has no initial predicate and no next-state relation.
pub fn compile(modules: &Modules, config: &ConfigFile, options: &Options) -> Result<Program, Vec<Diagnostic>> {
    // Formulas are compiled by recursion: this is enough for the deepest ones that the parser lets through, instances written out.
    let work = || Compiler::new(modules).program(config, options);
    with_stack(STACK, work)
        .unwrap_or_else(|error| Err(vec![Diagnostic::error(format!("cannot start a thread: {error}"))]))
}

/// What has been read, and what is known of it.
struct Compiler<'a> {
    modules: &'a Modules,
    root: ContextId,
    contexts: Vec<Context>,
    drafts: Vec<Draft<'a>>,
    instances: Vec<InstanceDraft<'a>>,
    substitutions: Vec<Substitution<'a>>,
    variables: Vec<Variable>,
    constants: Vec<ConstantDraft>,
    /// Values that the configuration gives.
    values: Vec<Value>,
    replacements: HashMap<Replaceable, Entity>,
    /// `N <-[Mod] Def`, by module.
    module_replacements: HashMap<Symbol, Vec<(Symbol, Entity)>>,
    /// `ASSUME`s that are to be checked.
    assumptions: Vec<DraftId>,
    /// Instances in `LET`s, by where they are written and in which context they are read.
    let_instances: HashMap<(*const ast::Instance, ContextId), InstanceId>,
    /// What each definition is made from: all that were reached so far.
    reached: Vec<DraftId>,
    /// Parts of definitions that are used by name.
    parts: HashMap<(DraftId, Symbol), DraftId>,
    /// Definitions that are run, by what they find. One that is run both ways has two forms.
    run_forms: BTreeMap<(DefinitionId, Finds), DefinitionId>,
    /// Which way a definition is run.
    runs: BTreeMap<DefinitionId, Finds>,
    late_params: LateParams,
    /// Definitions of nothing but a variable, primed or not.
    aliases: HashMap<DefinitionId, ExprKind>,
    /// Model values that stand for `CHOOSE v : v \notin S`, by where that is written.
    fresh_values: HashMap<Span, Symbol>,
    /// Whether operands of `ENABLED` are compiled as actions yet.
    actions_wanted: bool,
    /// Where unknown names are used, by file.
    unknown_names: HashMap<(Symbol, FileId), Vec<Span>>,
    diagnostics: Vec<Diagnostic>,
}

/// A constant of the root module or of what it extends.
struct ConstantDraft {
    name: Symbol,
    span: Span,
    arity: usize,
    given: Option<Entity>,
}

impl<'a> Compiler<'a> {
    fn new(modules: &'a Modules) -> Self {
        Self {
            modules,
            root: ContextId(0),
            contexts: Vec::new(),
            drafts: Vec::new(),
            instances: Vec::new(),
            substitutions: Vec::new(),
            variables: Vec::new(),
            constants: Vec::new(),
            values: Vec::new(),
            replacements: HashMap::new(),
            module_replacements: HashMap::new(),
            assumptions: Vec::new(),
            let_instances: HashMap::new(),
            reached: Vec::new(),
            parts: HashMap::new(),
            run_forms: BTreeMap::new(),
            runs: BTreeMap::new(),
            late_params: LateParams::new(),
            aliases: HashMap::new(),
            fresh_values: HashMap::new(),
            actions_wanted: false,
            unknown_names: HashMap::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Notes what is wrong, once.
    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Notes that a name is unknown: once, with all the places where it is used.
    fn report_unknown(&mut self, name: ast::Ident, diagnostic: Diagnostic) {
        let uses = self.unknown_names.entry((name.name, name.span.file)).or_default();
        if uses.contains(&name.span) {
            return;
        }
        uses.push(name.span);
        let (first, others) = (uses[0], &uses[1..]);
        let Some(reported) = self.diagnostics.iter_mut().find(|known| known.span == Some(first)) else {
            return self.report(diagnostic);
        };
        let mut lines: Vec<u32> = others.iter().map(|span| self.modules.sources.place(*span).1.line).collect();
        lines.sort_unstable();
        lines.dedup();
        let shown: Vec<String> = lines.iter().take(5).map(u32::to_string).collect();
        let more = if lines.len() > 5 { ", …" } else { "" };
        let what = if lines.len() == 1 { "line" } else { "lines" };
        let label = diagnostic.label.unwrap_or_default();
        reported.label = Some(format!("{label} (it is used in {what} {}{more}, too)", shown.join(", ")));
    }

    fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// A definition's number, given when it is first met, and the arities of its own parameters.
    fn reach(&mut self, draft: DraftId) -> (DefinitionId, Vec<usize>) {
        let next = DefinitionId(self.reached.len() as u32);
        let found = &mut self.drafts[draft.0 as usize];
        let id = *found.id.get_or_insert(next);
        if id == next {
            self.reached.push(draft);
        }
        (id, found.params.iter().map(|param| param.arity).collect())
    }

    /// The form of a definition that is run to find such states. The first way that a definition is met is its own; for
    /// the other one there is a copy.
    fn run_form(&mut self, id: DefinitionId, finds: Finds) -> DefinitionId {
        if let Some(form) = self.run_forms.get(&(id, finds)) {
            return *form;
        }
        let form = match self.runs.get(&id) {
            Some(other) if *other != finds => {
                self.reached.push(self.reached[id.0 as usize]);
                DefinitionId(self.reached.len() as u32 - 1)
            }
            _ => id,
        };
        self.runs.insert(form, finds);
        self.run_forms.insert((id, finds), form);
        form
    }

    fn all_params_late(&mut self, id: DefinitionId) {
        let draft = &self.drafts[self.reached[id.0 as usize].0 as usize];
        let params = self.contexts[draft.context.0 as usize].params.len() + draft.params.len();
        self.late_params.extend((0..params).map(|at| (id, at)));
    }

    /// Whether a definition is a formula that may be run: not a function, not a value from a configuration.
    fn has_formula(&self, draft: DraftId) -> bool {
        matches!(
            self.drafts[draft.0 as usize].body,
            DraftBody::Operator(..) | DraftBody::Assumption(_) | DraftBody::Theorem(Some(_)) | DraftBody::Part { .. }
        )
    }

    fn is_theorem(&self, entity: Entity) -> bool {
        matches!(entity, Entity::Definition(draft)
            if matches!(self.drafts[draft.0 as usize].body, DraftBody::Theorem(_)))
    }

    /// Whether a definition takes parameters of its instance.
    fn takes_prefix(&self, draft: DraftId) -> bool {
        !self.contexts[self.drafts[draft.0 as usize].context.0 as usize].params.is_empty()
    }

    /// The variable that a definition is nothing but another name for.
    fn alias(&self, id: DefinitionId) -> Option<ExprKind> {
        match self.aliases.get(&id)? {
            ExprKind::Variable(variable) => Some(ExprKind::Variable(*variable)),
            ExprKind::Primed(variable) => Some(ExprKind::Primed(*variable)),
            _ => None,
        }
    }

    /// The model value that stands for a `CHOOSE` in a definition. Definitions of one name in several instances of a
    /// module share it.
    fn fresh_value(&mut self, definition: Symbol, span: Span) -> Symbol {
        if let Some(known) = self.fresh_values.get(&span) {
            return *known;
        }
        let plain = definition.as_str().rsplit('!').next().unwrap_or_default().to_owned();
        let mut taken: HashSet<Symbol> = HashSet::new();
        self.values.iter().for_each(|value| model_values(value, &mut taken));
        let in_same = |known: &Span| known.file == span.file;
        taken.extend(self.fresh_values.iter().filter(|(known, _)| in_same(known)).map(|(_, name)| *name));
        let numbered = (2..).map(|number| format!("{plain}_{number}"));
        let free = std::iter::once(plain.clone()).chain(numbered).map(|name| Symbol::new(&name));
        let name = free.into_iter().find(|name| !taken.contains(name)).unwrap_or(definition);
        self.fresh_values.insert(span, name);
        name
    }
}

/// The model values in a value.
fn model_values(value: &Value, found: &mut HashSet<Symbol>) {
    match value {
        Value::Model(name) => {
            found.insert(*name);
        }
        Value::Set(set) => set.iter().for_each(|element| model_values(&element, found)),
        _ => {}
    }
}
