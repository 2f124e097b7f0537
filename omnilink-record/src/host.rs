//! What is worth knowing of a machine when numbers from several are compared.

use std::fs;
use std::thread;

use serde::{Deserialize, Serialize};

/// A machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Its kernel's release.
    pub kernel: String,
    /// What its processors are called.
    pub processor: String,
    /// How many of them a program may use.
    pub processors: usize,
}

impl Host {
    /// This machine. What it does not tell is empty.
    pub fn here() -> Self {
        let setting = |path| fs::read_to_string(path).map(|text| text.trim().to_owned()).unwrap_or_default();
        let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        Self {
            name: setting("/proc/sys/kernel/hostname"),
            kernel: setting("/proc/sys/kernel/osrelease"),
            processor: model.map(|(_, name)| name.trim().to_owned()).unwrap_or_default(),
            processors: thread::available_parallelism().map_or(1, usize::from),
        }
    }
}
