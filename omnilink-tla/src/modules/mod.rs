//! Modules: which there are, which of them is meant by a name, and where they are found.
//!
//! ```text
//!  Queue.tla ──► Loader ──► Modules { root, every module it extends or instantiates, each with what its names mean }
//! ```
//!
//! A name of a module means, in this order: a module nested in scope; a standard module (always the built-in one); a
//! file `NAME.tla` beside the file that mentions it, beside the root, or in a directory of the module path; a module
//! that stands in a file behind the module of the file's name; another module that is built in, natively or as text. What a built-in text mentions is built in.

mod loader;
pub(crate) mod walk;

use std::collections::HashMap;

pub use loader::load;

use crate::builtin::BuiltinModule;
use crate::source::Sources;
use crate::symbol::Symbol;
use crate::syntax::ast;

/// The modules that are part of TLA+ and TLC: no file may take their place.
pub(crate) const STANDARD: &[&str] =
    &["Naturals", "Integers", "Reals", "FiniteSets", "Sequences", "Bags", "TLC", "TLCExt", "RealTime", "Randomization"];

/// Which module of [`Modules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ModuleId(pub u32);

/// What a module's name means.
#[derive(Clone, Copy, Debug)]
pub enum ModuleRef {
    /// One that was read.
    Loaded(ModuleId),
    /// One that is built in.
    Builtin(&'static BuiltinModule),
}

/// A module that was read.
#[derive(Debug)]
pub struct LoadedModule {
    /// Its text, parsed.
    pub syntax: ast::Module,
    /// The module that it is nested in.
    pub enclosing: Option<ModuleId>,
    /// What the names of modules in it mean: of those it extends or instantiates and of those nested in it.
    pub names: HashMap<Symbol, ModuleRef>,
    /// If it is built in, what it is called.
    pub built_in: Option<&'static str>,
}

/// A root module with all that it needs.
#[derive(Debug)]
pub struct Modules {
    /// The files that were read.
    pub sources: Sources,
    /// The root.
    pub root: ModuleId,
    modules: Vec<LoadedModule>,
}

impl Modules {
    /// A module.
    pub fn module(&self, id: ModuleId) -> &LoadedModule {
        &self.modules[id.0 as usize]
    }

    /// All modules, with the root.
    pub fn ids(&self) -> impl Iterator<Item = ModuleId> + use<> {
        (0..self.modules.len() as u32).map(ModuleId)
    }
}
