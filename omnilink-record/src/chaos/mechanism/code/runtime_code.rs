//! Which code is OmniLink's own.
//!
//! The runtime is linked into the program. Its functions have no points, those that C and C++ programs call neither:
//! interrupting them between reading the clock and calling the system under test would only make timeboxes wider than
//! they need be.
//!
//! They are known by their symbols. Points remain in what is generic over the user's code (the fuzz loop, closures and
//! templates around calls), because the user's code may be inlined there, and in a program without symbols everywhere. Both
//! cost precision and are never wrong: a box that is wider still encloses its call.

use std::ops::Range;

use object::{Object, ObjectSymbol};

/// Crates of which every function is the runtime's, as mangled names begin them: with the length of the name.
const CRATES: [&str; 3] = ["16omnilink_runtime", "14omnilink_trace", "10omnilink_c"];
/// Modules of the runtime whose functions take closures of the user.
const OPEN_MODULES: [&str; 3] = ["16omnilink_runtime4fuzz", "16omnilink_runtime2op", "16omnilink_runtime4call"];

/// How the names of the C interface begin.
const C_INTERFACE: &str = "omnilink_";

/// The addresses of the runtime's functions.
pub fn ranges(file: &object::File<'_>, bias: u64) -> Vec<Range<u64>> {
    let own = file.symbols().filter(|symbol| symbol.name().is_ok_and(is_runtime) && symbol.size() > 0);
    own.map(|symbol| symbol.address() + bias..symbol.address() + symbol.size() + bias).collect()
}

fn is_runtime(symbol: &str) -> bool {
    if symbol.starts_with(C_INTERFACE) {
        return true;
    }
    // `_ZN16omnilink_runtime4lane…`: the legacy scheme; `_RNvNt…_16omnilink_runtime4lane…`: the present one.
    let Some(path) = symbol.strip_prefix("_ZN").or_else(|| symbol.strip_prefix("_R")) else { return false };
    let Some(at) = CRATES.iter().find_map(|name| path.find(name)) else { return false };
    // Only the first crate that a name mentions is the one that the function is from.
    let first = path.find(|c: char| c.is_ascii_digit()).is_some_and(|digit| digit == at) || symbol.starts_with("_R");
    first && !OPEN_MODULES.iter().any(|module| path[at..].starts_with(module))
}

#[cfg(test)]
mod tests {
    use super::is_runtime;

    #[test]
    fn symbols() {
        let cases = [
            ("_ZN16omnilink_runtime4lane4Lane5begin17h0123456789abcdefE", true),
            ("_ZN14omnilink_trace6encode6Buffer4push17h0123456789abcdefE", true),
            ("_ZN16omnilink_runtime4fuzz7context7Context4call17h0123456789abcdefE", false),
            ("_ZN4core3ptr49drop_in_place$LT$omnilink_runtime..lane..Lane$GT$17h0123456789abcdefE", false),
            ("_RNvNtCs1234_16omnilink_runtime4lane5begin", true),
            ("_ZN10queue_demo4main17h0123456789abcdefE", false),
            ("omnilink_enter", true),
            ("_ZN8omnilink4Fuzz3runEv", false),
            ("main", false),
        ];
        for (symbol, expected) in cases {
            assert_eq!(is_runtime(symbol), expected, "{symbol}");
        }
    }
}
