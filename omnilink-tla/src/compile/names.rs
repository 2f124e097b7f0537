//! Names enter contexts: written there, extended, instantiated; and what happens when two of them are the same.

use super::Compiler;
use super::context::{ContextId, DraftId, Entity, Entry, Order, Origin};
use crate::builtin::{self, BuiltinModule};
use crate::diagnostic::Diagnostic;
use crate::modules::STANDARD;
use crate::source::Span;
use crate::suggest::count;
use crate::symbol::Symbol;
use crate::syntax::ast::Ident;

impl Compiler<'_> {
    /// Makes names of one context known in another one.
    pub(super) fn import(&mut self, to: ContextId, names: Vec<(Symbol, Entry)>, order: Order, local: bool, span: Span) {
        for (name, entry) in names {
            let known = self.contexts[to.0 as usize].names.get(&name).map(|known| (known.entity, known.origin));
            match (known, entry.entity) {
                // Several built-in modules may offer an operator of the same name, or one that another module has.
                (Some(_), _) if matches!(entry.origin, Origin::Builtin(_)) => {}
                (Some((Entity::Definition(known), origin @ Origin::Written(_))), Entity::Definition(new)) => {
                    self.ambiguous(Ident { name, span }, known, origin, new);
                }
                _ => self.insert(to, Ident { name, span }, Entry { order, local, ..entry }),
            }
        }
    }

    /// Two modules have definitions of one name: the first one counts. That they are the same definition, instantiated
    /// twice, is nothing to talk about; nor are theorems, which are of use to proofs alone.
    fn ambiguous(&mut self, name: Ident, known: DraftId, origin: Origin, new: DraftId) {
        let is_same = self.drafts[known.0 as usize].span == self.drafts[new.0 as usize].span;
        if is_same || self.is_theorem(Entity::Definition(new)) {
            return;
        }
        let message = format!("`{}` is known already; this module's is left aside", name.name);
        let warning = Diagnostic::warning(message).at(name.span).label(format!("it has a `{}`, too", name.name));
        let warning = self.beside(warning, origin);
        self.report(warning);
    }

    /// What a context offers to those who extend it.
    pub(super) fn exported(&self, from: ContextId) -> Vec<(Symbol, Entry)> {
        let names = self.contexts[from.0 as usize].names.iter();
        names.filter(|(_, entry)| !entry.local).map(|(name, entry)| (*name, *entry)).collect()
    }

    /// What a context offers to those who instantiate it: its constants and variables have been substituted.
    pub(super) fn offered(&self, from: ContextId) -> Vec<(Symbol, Entry)> {
        let mut names = self.exported(from);
        names.retain(|(_, entry)| !matches!(entry.entity, Entity::Substituted(_)));
        names
    }

    pub(super) fn import_builtin(&mut self, to: ContextId, module: &'static BuiltinModule, order: Order, local: bool) {
        for native in module.operators {
            let name = Symbol::new(native.name);
            let entry = Entry { entity: Entity::Native(native), order, local, origin: Origin::Builtin(module.name) };
            let known = self.contexts[to.0 as usize].names.get(&name);
            // Several built-in modules may offer an operator of the same name: the first one that is extended counts.
            if known.is_none() {
                self.contexts[to.0 as usize].names.insert(name, entry);
            }
        }
        for extended in module.extends.iter().filter_map(|name| builtin::module(name)) {
            self.import_builtin(to, extended, order, local);
        }
    }

    pub(super) fn enter(&mut self, id: ContextId, name: Ident, entity: Entity, order: Order, local: bool) {
        let module = self.contexts[id.0 as usize].module;
        let built_in = self.modules.module(module).built_in;
        let origin = built_in.map_or(Origin::Written(name.span), Origin::Builtin);
        self.insert(id, name, Entry { entity, order, local, origin });
    }

    fn insert(&mut self, id: ContextId, name: Ident, entry: Entry) {
        let known = self.contexts[id.0 as usize].names.get(&name.name).copied();
        let mut entry = entry;
        match known.map(|known| (known, known.entity, known.origin)) {
            None => {}
            Some((known, ..)) if known.entity.is(entry.entity) => return,
            Some((known, Entity::Announced { arity }, _)) => {
                self.fulfilled(arity, name, entry.entity);
                entry.order = known.order;
            }
            Some((_, _, Origin::Builtin(module))) => {
                if matches!(entry.origin, Origin::Builtin(_)) {
                    return;
                }
                let message = format!("`{}` takes the place of the operator of module {module}", name.name);
                let standard = STANDARD.contains(&module);
                let clash = if standard { Diagnostic::error } else { Diagnostic::warning };
                self.report(clash(message).at(name.span).label(format!("module {module} has a `{}`", name.name)));
            }
            Some((_, _, origin)) => {
                self.clash(name, origin);
                return;
            }
        }
        self.contexts[id.0 as usize].names.insert(name.name, entry);
    }

    fn clash(&mut self, name: Ident, origin: Origin) {
        let error =
            Diagnostic::error(format!("`{}` is defined twice", name.name)).at(name.span).label("this name is taken");
        let error = self.beside(error, origin);
        self.report(error);
    }

    /// Says where the other one of two is.
    fn beside(&self, diagnostic: Diagnostic, origin: Origin) -> Diagnostic {
        let Origin::Written(span) = origin else { return diagnostic };
        let (path, place) = self.modules.sources.place(span);
        diagnostic.hint(format!("the other one is at {}:{}:{}", path.display(), place.line, place.column))
    }

    /// A name that was declared `RECURSIVE` is defined now.
    fn fulfilled(&mut self, arity: usize, name: Ident, entity: Entity) {
        let Entity::Definition(draft) = entity else { return self.clash(name, Origin::Written(name.span)) };
        let found = self.drafts[draft.0 as usize].params.len();
        if found != arity {
            let (declared, found) = (count(arity, "parameter"), count(found, "parameter"));
            let message = format!("`{}` is declared RECURSIVE with {declared}, but has {found}", name.name);
            self.report(Diagnostic::error(message).at(name.span));
        }
    }

    pub(super) fn unfulfilled(&mut self, id: ContextId) {
        let announced = self.contexts[id.0 as usize].names.iter().filter_map(|(name, entry)| match entry {
            Entry { entity: Entity::Announced { .. }, origin: Origin::Written(span), .. } => Some((*name, *span)),
            _ => None,
        });
        for (name, span) in announced.collect::<Vec<_>>() {
            self.report(Diagnostic::error(format!("`{name}` is declared RECURSIVE but not defined")).at(span));
        }
    }
}
