//! LeakSanitizer is switched off.
//!
//! It stops the program's threads by `ptrace` when the program ends. While the scheduler traces them that is impossible, and
//! LeakSanitizer would wait forever. Other sanitizers are not affected.

use super::code::Image;
use crate::environment::Environment;

/// The variable that it reads, in AddressSanitizer, too; later settings win over earlier ones, and over `ASAN_OPTIONS`.
const VARIABLE: &str = "LSAN_OPTIONS";
const OFF: &str = "detect_leaks=0";

/// What is said of it.
pub const NOTE: &str =
    "leaks were not looked for: LeakSanitizer needs ptrace, which the scheduler uses; --free looks for them";

/// The environment for a program, if it has to be another than the planned one.
pub fn without_leaks(program: &Image, planned: &Environment) -> Option<Environment> {
    program.looks_for_leaks.then(|| {
        let mut environment = planned.clone();
        let options = match planned.iter().find(|(name, _)| *name == VARIABLE) {
            Some((_, options)) => format!("{options}:{OFF}"),
            None => OFF.to_owned(),
        };
        environment.set(VARIABLE, options);
        environment
    })
}
