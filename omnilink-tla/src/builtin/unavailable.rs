//! Operators that a specification may mention and that nothing here computes: drawing, statistics, other programs' formats.

use super::{BuiltinModule, Native};

pub(super) static APALACHE: BuiltinModule = BuiltinModule {
    name: "Apalache",
    standard: false,
    extends: &[],
    operators: &[Native::refused("Gen", &[0], "only Apalache finds such values, by solving constraints")],
};

pub(super) static TOOLBOX: BuiltinModule = BuiltinModule {
    name: "Toolbox",
    standard: false,
    extends: &[],
    operators: &[Native::refused("_TETrace", &[], "there is no trace of the Toolbox here")],
};

pub(super) static GRAPH_VIZ: BuiltinModule = BuiltinModule {
    name: "GraphViz",
    standard: false,
    extends: &[],
    operators: &[Native::refused("DotDiGraph", &[0, 1, 1], "it names nodes by fingerprints of TLC")],
};

pub(super) static SHI_VIZ: BuiltinModule = BuiltinModule {
    name: "ShiViz",
    standard: false,
    extends: &["Toolbox"],
    operators: &[
        Native::refused("Host", &[], "there is no trace of the Toolbox here"),
        Native::refused("Clock", &[], "there is no trace of the Toolbox here"),
    ],
};

pub(super) static STATISTICS: BuiltinModule = BuiltinModule {
    name: "Statistics",
    standard: false,
    extends: &["Naturals"],
    operators: &[Native::refused("ChiSquare", &[0, 0, 0], "statistical tests are not computed here")],
};

pub(super) static DIFFERENTIAL_EQUATIONS: BuiltinModule = BuiltinModule {
    name: "DifferentialEquations",
    standard: false,
    extends: &[],
    operators: &[Native::refused("Integrate", &[0, 0, 0, 0], "nothing computes with real numbers here")],
};

pub(super) static CBOR: BuiltinModule = BuiltinModule {
    name: "CBOR",
    standard: false,
    extends: &[],
    operators: &[
        Native::refused("ToCBOR", &[0], "use ToJson"),
        Native::refused("FromCBOR", &[0], "use JsonDeserialize"),
        Native::refused("CBORSerialize", &[0, 0], "use JsonSerialize"),
        Native::refused("CBORDeserialize", &[0], "use JsonDeserialize"),
    ],
};
