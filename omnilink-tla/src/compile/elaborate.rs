//! Modules become contexts: every declaration and definition gets its row.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::context::{Context, ContextId, Draft, DraftBody, DraftId, END, Entity, InstanceDraft, InstanceId};
use super::context::{Order, Param, Site, SubstituteWith, Substitution, SubstitutionId};
use super::{Compiler, ConstantDraft};
use crate::builtin::{self, BuiltinModule};
use crate::diagnostic::Diagnostic;
use crate::ir::{Variable, VariableId};
use crate::modules::{ModuleId, ModuleRef};
use crate::suggest::did_you_mean;
use crate::symbol::Symbol;
use crate::syntax::ast::{Body, Definition, Ident, Instance, OpDecl, Unit};

/// What is common to the contexts of one instance: a module and all that it extends.
pub(super) struct Group<'a> {
    /// Diamonds of `EXTENDS` end in one context.
    contexts: HashMap<ModuleId, ContextId>,
    params: Rc<[Param]>,
    prefix: Rc<str>,
    /// None for the root.
    instance: Option<(&'a Instance, Rc<Site>)>,
}

impl<'a> Group<'a> {
    /// The group of the root module.
    pub fn root() -> Self {
        Self { contexts: HashMap::new(), params: Rc::new([]), prefix: "".into(), instance: None }
    }
}

impl<'a> Compiler<'a> {
    /// The context of a module in a group.
    pub(super) fn elaborate(&mut self, module: ModuleId, group: &mut Group<'a>) -> ContextId {
        if let Some(known) = group.contexts.get(&module) {
            return *known;
        }
        let id = ContextId(self.contexts.len() as u32);
        group.contexts.insert(module, id);
        self.contexts.push(Context {
            module,
            is_root: group.instance.is_none(),
            names: BTreeMap::new(),
            extended: Vec::new(),
            enclosing: self.enclosing(module, group),
            nested: BTreeMap::new(),
            params: group.params.clone(),
            prefix: group.prefix.clone(),
        });
        let loaded = self.modules.module(module);
        if let Some(natives) = loaded.built_in.and_then(builtin::module) {
            self.import_builtin(id, natives, 0, false);
        }
        for ident in &loaded.syntax.extends {
            match loaded.names.get(&ident.name) {
                Some(ModuleRef::Builtin(builtin)) => self.import_builtin(id, builtin, 0, false),
                Some(ModuleRef::Loaded(extended)) => {
                    let extended = self.elaborate(*extended, group);
                    self.contexts[id.0 as usize].extended.push(extended);
                    self.import(id, self.exported(extended), 0, false, ident.span);
                }
                None => {}
            }
        }
        for (unit, order) in loaded.syntax.units.iter().zip(1..) {
            self.unit(id, unit, order, group);
        }
        self.unfulfilled(id);
        id
    }

    /// For a nested module: the context of the module around it, seen from where the instance stands.
    fn enclosing(&self, module: ModuleId, group: &Group<'a>) -> Option<(ContextId, Order)> {
        let loaded = self.modules.module(module);
        let outer = loaded.enclosing?;
        let (_, site) = group.instance.as_ref()?;
        let context = self.find_context(site.context, outer)?;
        let order = self.contexts[context.0 as usize].nested.get(&loaded.syntax.name.name).copied();
        Some((context, order.unwrap_or(END)))
    }

    fn find_context(&self, from: ContextId, module: ModuleId) -> Option<ContextId> {
        let context = &self.contexts[from.0 as usize];
        if context.module == module {
            return Some(from);
        }
        let outer = context.enclosing.map(|(outer, _)| outer);
        context.extended.iter().copied().chain(outer).find_map(|next| self.find_context(next, module))
    }

    fn unit(&mut self, id: ContextId, unit: &'a Unit, order: Order, group: &Group<'a>) {
        match unit {
            Unit::Constants(declared) => {
                for OpDecl { name, arity } in declared {
                    let entity = self.constant(*name, *arity, group);
                    self.enter(id, *name, entity, order, false);
                }
            }
            Unit::Variables(declared) => {
                for name in declared {
                    let entity = self.variable(*name, group);
                    self.enter(id, *name, entity, order, false);
                }
            }
            Unit::Recursive(declared) => {
                for OpDecl { name, arity } in declared {
                    self.enter(id, *name, Entity::Announced { arity: *arity }, order, false);
                }
            }
            Unit::Definition(definition) => {
                let entity = self.define(id, definition, order);
                self.enter(id, definition.name, entity, order, definition.local);
            }
            Unit::Instance { local, instance } => {
                self.import_instance(id, instance, order, *local);
            }
            Unit::Assume { name, expr, span } => {
                let ident = name.unwrap_or(Ident { name: Symbol::new("ASSUME"), span: *span });
                let draft = self.draft(id, ident, order, Vec::new(), DraftBody::Assumption(expr));
                if group.instance.is_none() {
                    self.assumptions.push(draft);
                }
                if let Some(name) = name {
                    self.enter(id, *name, Entity::Definition(draft), order, false);
                }
            }
            Unit::Theorem { name: Some(name), statement, .. } => {
                let draft = self.draft(id, *name, order, Vec::new(), DraftBody::Theorem(statement.as_ref()));
                self.enter(id, *name, Entity::Definition(draft), order, false);
            }
            Unit::Theorem { name: None, .. } => {}
            Unit::Module(module) => {
                self.contexts[id.0 as usize].nested.insert(module.name.name, order);
            }
        }
    }

    fn define(&mut self, id: ContextId, definition: &'a Definition, order: Order) -> Entity {
        let params = definition.params.iter().map(Param::from).collect();
        let body = match &definition.body {
            Body::Operator(body) => DraftBody::Operator(definition, body),
            Body::Function { bounds, value } => DraftBody::Function { name: definition.name, bounds, value },
            Body::Instance(syntax) => {
                return self.instance(definition.name.name, syntax, id, order, Vec::new(), params);
            }
        };
        Entity::Definition(self.draft(id, definition.name, order, params, body))
    }

    pub(super) fn draft(
        &mut self,
        context: ContextId,
        name: Ident,
        order: Order,
        params: Vec<Param>,
        body: DraftBody<'a>,
    ) -> DraftId {
        let prefix = &self.contexts[context.0 as usize].prefix;
        let shown = if prefix.is_empty() { name.name } else { Symbol::new(&format!("{prefix}{}", name.name)) };
        self.drafts.push(Draft { name: shown, span: name.span, context, order, params, body, id: None });
        DraftId(self.drafts.len() as u32 - 1)
    }

    fn constant(&mut self, name: Ident, arity: usize, group: &Group<'a>) -> Entity {
        if let Some((instance, site)) = &group.instance {
            return self.substitute(name, "constant", instance, site);
        }
        self.constants.push(ConstantDraft { name: name.name, span: name.span, arity, given: None });
        Entity::Constant(self.constants.len() as u32 - 1)
    }

    fn variable(&mut self, name: Ident, group: &Group<'a>) -> Entity {
        if let Some((instance, site)) = &group.instance {
            return self.substitute(name, "variable", instance, site);
        }
        self.variables.push(Variable { name: name.name, span: name.span });
        Entity::Variable(VariableId(self.variables.len() as u32 - 1))
    }

    /// What takes the place of a constant or variable of an instantiated module.
    fn substitute(&mut self, name: Ident, what: &str, instance: &'a Instance, site: &Rc<Site>) -> Entity {
        let explicit = instance.substitutions.iter().find(|(ident, _)| ident.name == name.name);
        let with = match explicit {
            Some((_, expr)) => SubstituteWith::Expr(expr),
            None => {
                let ident = Ident { name: name.name, span: instance.module.span };
                let known = site.params.iter().any(|param| param.name == name.name)
                    || self.lookup(site.context, site.order, name.name).is_some();
                if !known {
                    let module = instance.module.name;
                    let message = format!("nothing is substituted for the {what} `{}` of module `{module}`", name.name);
                    let label = format!("no `WITH {0} <- …`, and no `{0}` is known here", name.name);
                    self.report(Diagnostic::error(message).at(instance.span).label(label));
                }
                SubstituteWith::SameName(ident)
            }
        };
        self.substitutions.push(Substitution { with, site: site.clone() });
        Entity::Substituted(SubstitutionId(self.substitutions.len() as u32 - 1))
    }

    /// Notes a named instance; its context is made when it is needed.
    pub(super) fn instance(
        &mut self,
        name: Symbol,
        syntax: &'a Instance,
        context: ContextId,
        order: Order,
        captured: Vec<Param>,
        params: Vec<Param>,
    ) -> Entity {
        self.instances.push(InstanceDraft { name, syntax, context, order, captured, params, made: None });
        Entity::Instance(InstanceId(self.instances.len() as u32 - 1))
    }

    /// The context of a named instance; none for one of a built-in module or one that could not be read.
    pub(super) fn instance_context(&mut self, id: InstanceId) -> ContextId {
        let draft = &self.instances[id.0 as usize];
        if let Some(made) = draft.made {
            return made;
        }
        let (syntax, context, order) = (draft.syntax, draft.context, draft.order);
        let prefix = format!("{}{}!", self.contexts[context.0 as usize].prefix, draft.name);
        let params = draft.captured.iter().chain(&draft.params).copied().collect();
        let made = self.instantiate(syntax, context, order, params, &prefix);
        self.instances[id.0 as usize].made = Some(made);
        made
    }

    /// A new context for an instantiated module, seen from where the `INSTANCE` stands.
    pub(super) fn instantiate(
        &mut self,
        instance: &'a Instance,
        context: ContextId,
        order: Order,
        params: Vec<Param>,
        prefix: &str,
    ) -> ContextId {
        let outer = self.contexts[context.0 as usize].params.clone();
        let all: Rc<[Param]> = outer.iter().chain(&params).copied().collect();
        let site = Rc::new(Site { context, order, params, first: outer.len() });
        let from = self.contexts[context.0 as usize].module;
        let made = match self.modules.module(from).names.get(&instance.module.name) {
            Some(ModuleRef::Loaded(module)) => {
                let instance = Some((instance, site));
                let mut group = Group { contexts: HashMap::new(), params: all, prefix: prefix.into(), instance };
                self.elaborate(*module, &mut group)
            }
            found => {
                let builtin = match found {
                    Some(ModuleRef::Builtin(builtin)) => Some(*builtin),
                    _ => None,
                };
                self.builtin_context(builtin, from, all, prefix)
            }
        };
        self.unknown_substitutions(made, instance);
        self.replace_in_module(made);
        made
    }

    fn builtin_context(
        &mut self,
        builtin: Option<&'static BuiltinModule>,
        module: ModuleId,
        params: Rc<[Param]>,
        prefix: &str,
    ) -> ContextId {
        let id = ContextId(self.contexts.len() as u32);
        let (names, nested) = (BTreeMap::new(), BTreeMap::new());
        let (extended, prefix) = (Vec::new(), prefix.into());
        self.contexts.push(Context {
            module,
            is_root: false,
            names,
            extended,
            enclosing: None,
            nested,
            params,
            prefix,
        });
        if let Some(builtin) = builtin {
            self.import_builtin(id, builtin, 0, false);
        }
        id
    }

    fn unknown_substitutions(&mut self, made: ContextId, instance: &'a Instance) {
        for (ident, _) in &instance.substitutions {
            let entry = self.contexts[made.0 as usize].names.get(&ident.name);
            if !entry.is_some_and(|entry| matches!(entry.entity, Entity::Substituted(_))) {
                let module = instance.module.name;
                let message = format!("module `{module}` has no constant or variable `{}`", ident.name);
                let declared = self.contexts[made.0 as usize].names.iter();
                let declared = declared.filter(|(_, entry)| matches!(entry.entity, Entity::Substituted(_)));
                let hint = did_you_mean(ident.name.as_str(), declared.map(|(name, _)| name.as_str()));
                let mut diagnostic = Diagnostic::error(message).at(ident.span).label("nothing to substitute for");
                diagnostic.hint = hint;
                self.report(diagnostic);
            }
        }
    }

    /// `INSTANCE M` without a name: its definitions become the module's own.
    fn import_instance(&mut self, id: ContextId, instance: &'a Instance, order: Order, local: bool) {
        let prefix = self.contexts[id.0 as usize].prefix.clone();
        let made = self.instantiate(instance, id, order, Vec::new(), &prefix);
        self.import(id, self.offered(made), order, local, instance.module.span);
    }
}
