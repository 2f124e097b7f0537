//! `TLAPS`: the proof system's module. It only names provers, and proofs are not read: nothing of it is needed.

use super::BuiltinModule;

pub(super) static MODULE: BuiltinModule =
    BuiltinModule { name: "TLAPS", standard: false, extends: &[], operators: &[] };
