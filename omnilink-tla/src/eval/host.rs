//! What evaluation may touch besides values: `Print`, registers, randomness, files, the environment, the clock.

use super::world::World;
use crate::value::Value;

/// The world outside of a formula.
pub trait Host: Send + Sync {
    /// `Print`, `PrintT`: shows a line to the user.
    fn print(&self, line: &str);
    /// `TLCSet(i, v)`
    fn set_register(&self, register: &Value, value: Value);
    /// `TLCGet(i)`: what was set, or what the host knows under that name (`"level"`, `"distinct"`, …).
    fn register(&self, register: &Value) -> Option<Value>;
    /// `RandomElement`: a number below `bound`, which is not 0.
    fn random(&self, bound: u64) -> u64;
    /// How many states the way to the current one has, which `TLCGet("level")` asks for.
    fn enter_level(&self, level: u64);
    /// Files, the environment and the clock; and the notes of what came from outside.
    fn world(&self) -> &World;
}
