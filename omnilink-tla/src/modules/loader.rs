//! Reading a root module and, through it, every module that it needs.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::walk::{Part, expr_parts, unit_parts};
use super::{LoadedModule, ModuleId, ModuleRef, Modules, STANDARD};
use crate::builtin;
use crate::diagnostic::{Diagnostic, TlaError};
use crate::source::{BUILT_IN, FileId, Sources};
use crate::suggest::did_you_mean;
use crate::symbol::Symbol;
use crate::syntax::ast::{Ident, Module, Unit};
use crate::syntax::{parse_later_module, parse_module};

/// Reads the module of a file and all that it extends or instantiates. Files are added to `sources`.
pub fn load(sources: Sources, root: &Path, module_path: &[PathBuf]) -> Result<Modules, Box<TlaError>> {
    let root_directory = root.parent().unwrap_or(Path::new("")).to_owned();
    let mut loader = Loader {
        sources,
        root_directory,
        module_path,
        modules: Vec::new(),
        ends: Vec::new(),
        files: HashMap::new(),
        open: Vec::new(),
        diagnostics: Vec::new(),
    };
    let root = loader.file(root, None);
    let Loader { sources, modules, diagnostics, .. } = loader;
    match root {
        Some(root) if diagnostics.is_empty() => Ok(Modules { sources, root, modules }),
        _ => Err(Box::new(TlaError { diagnostics, sources })),
    }
}

/// Where a module comes from, which decides where those that it mentions are looked for.
#[derive(Clone, Copy)]
enum Home<'a> {
    Directory(&'a Path),
    BuiltIn(&'static str),
}

struct Loader<'p> {
    sources: Sources,
    root_directory: PathBuf,
    module_path: &'p [PathBuf],
    modules: Vec<LoadedModule>,
    /// Where the first module of each file ends that was read.
    ends: Vec<(FileId, u32)>,
    /// What was read from each file; `None` if it could not be.
    files: HashMap<PathBuf, Option<ModuleId>>,
    /// The files being read: a module that is met again on the way down would need itself.
    open: Vec<PathBuf>,
    diagnostics: Vec<Diagnostic>,
}

impl Loader<'_> {
    /// The module of a file. What is wrong is noted once, and then there is none.
    fn file(&mut self, path: &Path, mentioned: Option<Ident>) -> Option<ModuleId> {
        if self.open.iter().any(|open| open == path) {
            self.cycle(path, mentioned);
            return None;
        }
        if let Some(known) = self.files.get(path) {
            return *known;
        }
        self.open.push(path.to_owned());
        let module = match self.read(path) {
            Ok(syntax) => {
                let home = Home::Directory(path.parent().unwrap_or(Path::new("")));
                Some(self.add(syntax, None, home))
            }
            Err(diagnostic) => {
                let unplaced = mentioned.filter(|_| diagnostic.span.is_none());
                self.diagnostics.push(unplaced.map_or(diagnostic.clone(), |ident| diagnostic.at(ident.span)));
                None
            }
        };
        self.open.pop();
        self.files.insert(path.to_owned(), module);
        module
    }

    fn read(&mut self, path: &Path) -> Result<Module, Diagnostic> {
        let cannot =
            |error: &dyn std::fmt::Display| Diagnostic::error(format!("cannot read {}: {error}", path.display()));
        let bytes = fs::read(path).map_err(|error| cannot(&error))?;
        if u32::try_from(bytes.len()).is_err() {
            return Err(cannot(&"it is larger than 4 GiB"));
        }
        let text = String::from_utf8(bytes).map_err(|_| cannot(&"it is not UTF-8 text"))?;
        let file = self.sources.add(path, text);
        let module = parse_module(&self.sources, file)?;
        self.ends.push((file, module.span.end));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if *stem != *module.name.name.as_str() {
            let message = format!("the file {} holds module `{}`", path.display(), module.name.name);
            return Err(Diagnostic::error(message)
                .at(module.name.span)
                .label("the file must be named like its module")
                .hint(format!("rename the file to `{}.tla`, or the module to `{stem}`", module.name.name)));
        }
        Ok(module)
    }

    fn cycle(&mut self, path: &Path, mentioned: Option<Ident>) {
        let from = self.open.iter().position(|open| open == path).unwrap_or(0);
        let names = self.open[from..].iter().chain([&self.open[from]]).map(|path| path.file_stem().unwrap_or_default());
        let way = names.map(|name| name.to_string_lossy()).collect::<Vec<_>>().join(" → ");
        let diagnostic = Diagnostic::error(format!("modules need each other: {way}"));
        let place = |ident: Ident| diagnostic.clone().at(ident.span).label("this module is still being read");
        self.diagnostics.push(mentioned.map_or(diagnostic.clone(), place));
    }

    /// Adds a module, those nested in it, and those that it mentions.
    fn add(&mut self, syntax: Module, enclosing: Option<ModuleId>, home: Home<'_>) -> ModuleId {
        let id = ModuleId(self.modules.len() as u32);
        let extended = syntax.extends.clone();
        let nested: Vec<Module> = syntax.units.iter().filter_map(nested_module).cloned().collect();
        let instantiated = instantiated(&syntax);
        let built_in = match home {
            Home::Directory(_) => None,
            Home::BuiltIn(name) => Some(name),
        };
        self.modules.push(LoadedModule { syntax, enclosing, names: HashMap::new(), built_in });
        for ident in extended {
            self.resolve(id, ident, home);
            self.adopt_nested(id, ident.name);
        }
        for module in nested {
            let name = module.name.name;
            let nested = self.add(module, Some(id), home);
            self.modules[id.0 as usize].names.insert(name, ModuleRef::Loaded(nested));
        }
        for ident in instantiated {
            self.resolve(id, ident, home);
        }
        id
    }

    /// Makes modules that are nested in an extended one known by name.
    fn adopt_nested(&mut self, id: ModuleId, extended: Symbol) {
        let Some(ModuleRef::Loaded(from)) = self.modules[id.0 as usize].names.get(&extended).copied() else { return };
        let is_nested = |target: &ModuleRef| match target {
            ModuleRef::Loaded(module) => self.modules[module.0 as usize].enclosing.is_some(),
            ModuleRef::Builtin(_) => false,
        };
        let names = &self.modules[from.0 as usize].names;
        let adopted: Vec<_> =
            names.iter().filter(|(_, target)| is_nested(target)).map(|(name, to)| (*name, *to)).collect();
        for (name, target) in adopted {
            self.modules[id.0 as usize].names.entry(name).or_insert(target);
        }
    }

    fn resolve(&mut self, id: ModuleId, ident: Ident, home: Home<'_>) {
        if self.modules[id.0 as usize].names.contains_key(&ident.name) {
            return;
        }
        if let Some(target) = self.in_scope(id, ident.name).or_else(|| self.search(ident, home)) {
            self.modules[id.0 as usize].names.insert(ident.name, target);
        }
    }

    /// A module that is nested in one of those around this one.
    fn in_scope(&self, id: ModuleId, name: Symbol) -> Option<ModuleRef> {
        let mut outer = self.modules[id.0 as usize].enclosing;
        while let Some(module) = outer {
            let module = &self.modules[module.0 as usize];
            if let Some(target) = module.names.get(&name) {
                return Some(*target);
            }
            outer = module.enclosing;
        }
        None
    }

    fn search(&mut self, ident: Ident, home: Home<'_>) -> Option<ModuleRef> {
        let name = ident.name.as_str();
        let directory = match home {
            Home::Directory(directory) if !STANDARD.contains(&name) => directory,
            _ => return self.built_in(ident),
        };
        let mut directories = vec![directory.to_owned()];
        for next in std::iter::once(&self.root_directory).chain(self.module_path) {
            if !directories.contains(next) {
                directories.push(next.clone());
            }
        }
        let file =
            directories.iter().map(|directory| directory.join(format!("{name}.tla"))).find(|path| path.is_file());
        if let Some(path) = file {
            return self.file(&path, Some(ident)).map(ModuleRef::Loaded);
        }
        let module = self.behind_another(ident, home).or_else(|| self.built_in(ident));
        if module.is_none() {
            let missing = self.missing(ident, &directories);
            self.diagnostics.push(missing);
        }
        module
    }

    /// A module that stands in a file that was read, behind the module of the file's name.
    fn behind_another(&mut self, ident: Ident, home: Home<'_>) -> Option<ModuleRef> {
        for (file, end) in self.ends.clone() {
            let Some(found) = parse_later_module(&self.sources, file, end, ident.name.as_str()) else { continue };
            let key = PathBuf::from(format!("{}: {}", self.sources.file(file).path.display(), ident.name));
            if self.open.contains(&key) {
                self.cycle(&key, Some(ident));
                return None;
            }
            if let Some(known) = self.files.get(&key) {
                return known.map(ModuleRef::Loaded);
            }
            self.open.push(key.clone());
            let module = match found {
                Ok(syntax) => Some(self.add(syntax, None, home)),
                Err(diagnostic) => {
                    self.diagnostics.push(diagnostic);
                    None
                }
            };
            self.open.pop();
            self.files.insert(key, module);
            return module.map(ModuleRef::Loaded);
        }
        None
    }

    /// A built-in module: its text, if it has one, else its natives.
    fn built_in(&mut self, ident: Ident) -> Option<ModuleRef> {
        let Some(written) = builtin::written(ident.name.as_str()) else {
            return builtin::module(ident.name.as_str()).map(ModuleRef::Builtin);
        };
        let path = PathBuf::from(format!("{BUILT_IN}{}", written.name));
        if let Some(known) = self.files.get(&path) {
            return known.map(ModuleRef::Loaded);
        }
        let file = self.sources.add(&path, written.text());
        let module = match parse_module(&self.sources, file) {
            Ok(syntax) => Some(self.add(syntax, None, Home::BuiltIn(written.name))),
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                None
            }
        };
        self.files.insert(path, module);
        module.map(ModuleRef::Loaded)
    }

    fn missing(&self, ident: Ident, directories: &[PathBuf]) -> Diagnostic {
        let shown =
            |path: &PathBuf| if path.as_os_str().is_empty() { ".".to_owned() } else { path.display().to_string() };
        let places = directories.iter().map(shown).collect::<Vec<_>>().join(", ");
        let mut known: Vec<String> = builtin::module_names().map(str::to_owned).collect();
        for directory in directories {
            let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
            let entries = fs::read_dir(directory).into_iter().flatten().flatten();
            let files =
                entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|end| end == "tla"));
            known.extend(files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())));
        }
        let hint = did_you_mean(ident.name.as_str(), known.iter().map(String::as_str)).unwrap_or_else(|| {
            "put its file beside the specification, or name its directory with --module-path".to_owned()
        });
        Diagnostic::error(format!("module `{}` is not found", ident.name))
            .at(ident.span)
            .label(format!("no built-in module, and no `{}.tla` in: {places}", ident.name))
            .hint(hint)
    }
}

fn nested_module(unit: &Unit) -> Option<&Module> {
    match unit {
        Unit::Module(module) => Some(module),
        _ => None,
    }
}

/// The modules that a module instantiates, those nested in it aside.
fn instantiated(module: &Module) -> Vec<Ident> {
    let mut found = Vec::new();
    let mut pending: Vec<Part<'_>> = module.units.iter().rev().map(Part::Unit).collect();
    while let Some(part) = pending.pop() {
        match part {
            Part::Expr(expr) => expr_parts(expr, &mut |part| pending.push(part)),
            Part::Unit(Unit::Module(_)) | Part::Name(_) => {}
            Part::Unit(unit) => unit_parts(unit, &mut |part| pending.push(part)),
            Part::Instance(instance) => found.push(instance.module),
        }
    }
    found
}
