//! Modules that are written in TLA+: those of the CommunityModules whose operators need no native, what Apalache's annotations
//! mean without Apalache, and the operators of TLAPS's library.
//!
//! Their files are part of the program. If there is a native module of the same name, its operators belong to the module, too.
//! Theorems are left out: only proofs use them, and proofs are not read.

/// A module that is written in TLA+.
#[derive(Debug)]
pub struct WrittenModule {
    /// `Graphs`
    pub name: &'static str,
    /// Its text, unless it only extends others.
    text: Option<&'static str>,
    extends: &'static str,
}

impl WrittenModule {
    const fn of(name: &'static str, text: &'static str) -> Self {
        Self { name, text: Some(text), extends: "" }
    }

    /// Has only theorems of its own.
    const fn theorems(name: &'static str, extends: &'static str) -> Self {
        Self { name, text: None, extends }
    }

    /// The module as a file has it.
    pub fn text(&self) -> String {
        match self.text {
            Some(text) => text.to_owned(),
            None => format!("---- MODULE {} ----\nEXTENDS {}\n====\n", self.name, self.extends),
        }
    }
}

static ALL: &[WrittenModule] = &[
    WrittenModule::of("Apalache", include_str!("written/Apalache.tla")),
    WrittenModule::of("BagsTheorems", include_str!("written/BagsTheorems.tla")),
    WrittenModule::of("Combinatorics", include_str!("written/Combinatorics.tla")),
    WrittenModule::of("DyadicRationals", include_str!("written/DyadicRationals.tla")),
    WrittenModule::of("FiniteSetTheorems", include_str!("written/FiniteSetTheorems.tla")),
    WrittenModule::of("Graphs", include_str!("written/Graphs.tla")),
    WrittenModule::of("NaturalsInduction", include_str!("written/NaturalsInduction.tla")),
    WrittenModule::of("Option", include_str!("written/Option.tla")),
    WrittenModule::of("Quorum", include_str!("written/Quorum.tla")),
    WrittenModule::of("RealTime", include_str!("written/RealTime.tla")),
    WrittenModule::of("SequencesExtTheorems", include_str!("written/SequencesExtTheorems.tla")),
    WrittenModule::of("Toolbox", include_str!("written/Toolbox.tla")),
    WrittenModule::of("UndirectedGraphs", include_str!("written/UndirectedGraphs.tla")),
    WrittenModule::of("Variants", include_str!("written/Variants.tla")),
    WrittenModule::of("WellFoundedInduction", include_str!("written/WellFoundedInduction.tla")),
    WrittenModule::theorems("FiniteSetsExtTheorems", "FiniteSetsExt, FiniteSets, Naturals"),
    WrittenModule::theorems("FiniteSetsExt_theorems", "FiniteSetsExt, FiniteSets, Naturals"),
    WrittenModule::theorems("FoldsTheorems", "Folds, FiniteSets"),
    WrittenModule::theorems("FunctionForkTheorems", "Functions, Integers"),
    WrittenModule::theorems("FunctionTheorems", "Functions, Integers"),
    WrittenModule::theorems("FunctionsFork", "Functions"),
    WrittenModule::theorems("GraphTheorems", "Graphs"),
    WrittenModule::theorems("QuorumTheorems", "Quorum, FiniteSets, Integers"),
    WrittenModule::theorems("SequenceOps", "Sequences, Integers, Functions, SequencesExt"),
    WrittenModule::theorems("SequenceOpTheorems", "SequenceOps"),
    WrittenModule::theorems("SequenceTheorems", "Sequences, Functions"),
    WrittenModule::theorems("SequencesExtFork", "SequencesExt"),
    WrittenModule::theorems("SequencesExtForkTheorems", "SequencesExtTheorems"),
];

/// What the names of modules end in that prove the theorems of others.
const PROOFS: &str = "_proofs";

/// The module of that name, if it is built in. One that proves the theorems of another is that other one.
pub fn written(name: &str) -> Option<&'static WrittenModule> {
    all().find(|module| module.name == name.strip_suffix(PROOFS).unwrap_or(name))
}

/// All of them.
pub fn all() -> impl Iterator<Item = &'static WrittenModule> {
    ALL.iter()
}
