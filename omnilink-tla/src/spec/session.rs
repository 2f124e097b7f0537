//! The usual host of a specification: registers, and printing to standard output.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use crate::eval::{Host, World};
use crate::value::Value;

/// Keeps registers, prints to standard output, and draws the same random numbers in every run.
#[derive(Debug, Default)]
pub struct Session {
    registers: Mutex<HashMap<Value, Value>>,
    drawn: AtomicU64,
    level: AtomicU64,
    world: World,
}

impl Host for Session {
    fn print(&self, line: &str) {
        // If nobody listens any more, there is nobody to tell.
        let _ = writeln!(io::stdout(), "{line}");
    }

    fn set_register(&self, register: &Value, value: Value) {
        self.registers.lock().unwrap_or_else(PoisonError::into_inner).insert(register.clone(), value);
    }

    fn register(&self, register: &Value) -> Option<Value> {
        if matches!(register, Value::Str(name) if name.as_str() == "level") {
            return Some(Value::Int(self.level.load(Relaxed) as i64));
        }
        self.registers.lock().unwrap_or_else(PoisonError::into_inner).get(register).cloned()
    }

    fn enter_level(&self, level: u64) {
        self.level.store(level, Relaxed);
    }

    fn world(&self) -> &World {
        &self.world
    }

    fn random(&self, bound: u64) -> u64 {
        // SplitMix64: a counter, mixed.
        let mut word = self.drawn.fetch_add(1, Relaxed).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % bound
    }
}
