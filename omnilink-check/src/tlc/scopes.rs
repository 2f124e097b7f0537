//! The modules that disjuncts lead through: the root, and those of instances.
//!
//! What is written about an instance's definitions must be read as they are, by the names and substitutions of the
//! instance. So a module of our own extends the instance's, and is instantiated in the same way:
//!
//! ```text
//!  Inner == INSTANCE Clients WITH held <- taken          the user's
//!
//!  ---- MODULE OmniLinkIn1_Clients ----                   ours: has the disjuncts that lead through definitions of Clients
//!  EXTENDS Clients, OmniLinkRecorded
//!
//!  OmniLinkIn1 == INSTANCE OmniLinkIn1_Clients WITH held <- taken
//! ```

use std::fmt::Write as _;

use omnilink_tla::internal::syntax::ast::Selector;
use omnilink_tla::symbol::Symbol;

use super::definitions::Definitions;

/// Which scope.
pub(super) type ScopeId = usize;

/// The scopes; the first is the root.
pub(super) struct Scopes {
    all: Vec<Scope>,
}

/// What is written where the names of one module have their meaning.
struct Scope {
    module: Symbol,
    /// What stands before its names where they are named from the root: `I!J!`.
    prefix: String,
    /// Definitions.
    written: String,
    /// The instances in it that were entered.
    entered: Vec<(Symbol, ScopeId)>,
}

impl Scope {
    fn new(module: Symbol, prefix: String, definitions: &Definitions) -> Self {
        Self { module, prefix, written: definitions.locals(module), entered: Vec::new() }
    }
}

impl Scopes {
    /// The root alone.
    pub(super) const ROOT: ScopeId = 0;

    /// Those of a specification with this root.
    pub fn new(root: Symbol, definitions: &Definitions) -> Self {
        Self { all: vec![Scope::new(root, String::new(), definitions)] }
    }

    /// The module whose names are meant.
    pub fn module(&self, scope: ScopeId) -> Symbol {
        self.all[scope].module
    }

    /// A name of a scope as the specification's actions are named.
    pub fn full_name(&self, scope: ScopeId, name: Symbol) -> Symbol {
        Symbol::new(&format!("{}{name}", self.all[scope].prefix))
    }

    /// Writes an operator.
    pub fn define(&mut self, scope: ScopeId, head: &str, body: &str) {
        let _ = writeln!(self.all[scope].written, "\n{head} ==\n    {body}");
    }

    /// The scopes that selectors lead through; none if one of them cannot be instantiated again.
    pub fn enter(&mut self, from: ScopeId, path: &[Selector], definitions: &Definitions) -> Option<Vec<ScopeId>> {
        let mut at = from;
        let enter = |selector: &Selector| {
            at = self.enter_one(at, selector, definitions)?;
            Some(at)
        };
        path.iter().map(enter).collect()
    }

    fn enter_one(&mut self, from: ScopeId, selector: &Selector, definitions: &Definitions) -> Option<ScopeId> {
        let name = selector.name.name;
        if !selector.args.is_empty() {
            return None;
        }
        if let Some((_, known)) = self.all[from].entered.iter().find(|(entered, _)| *entered == name) {
            return Some(*known);
        }
        let instance = definitions.instance(self.all[from].module, name)?;
        let substitutions: Vec<_> =
            instance.substitutions.iter().map(|(name, value)| format!("{} <- {value}", name.name)).collect();
        // A list by bullets would have to keep its columns.
        if substitutions.iter().any(|substitution| substitution.contains('\n')) {
            return None;
        }
        let with = if substitutions.is_empty() { "" } else { " WITH " };
        let (scope, module) = (self.all.len(), instance.module.name);
        let prefix = format!("{}{name}!", self.all[from].prefix);
        let body = format!("INSTANCE {}{with}{}", module_name(scope, module), substitutions.join(", "));
        self.define(from, &instance_name(scope), &body);
        self.all[from].entered.push((name, scope));
        self.all.push(Scope::new(module, prefix, definitions));
        Some(scope)
    }

    /// What was written in the root, and the other modules by name, which extend these.
    pub fn finish(self, extended: &str) -> (String, Vec<(String, String)>) {
        let mut scopes = self.all.into_iter().enumerate();
        let root = scopes.next().map_or_else(String::new, |(_, root)| root.written);
        let module = |(at, scope): (ScopeId, Scope)| {
            let Scope { module, written, .. } = scope;
            let name = module_name(at, module);
            let text = format!(
                "---- MODULE {name} ----\n\\* The disjuncts that lead through definitions of {module}.\n\
                 EXTENDS {module}, {extended}\n{written}====\n"
            );
            (name, text)
        };
        (root, scopes.map(module).collect())
    }
}

/// What the instance of a scope is called where it was entered.
pub(super) fn instance_name(scope: ScopeId) -> String {
    format!("OmniLinkIn{scope}")
}

fn module_name(scope: ScopeId, module: Symbol) -> String {
    format!("{}_{module}", instance_name(scope))
}
