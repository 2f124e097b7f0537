//! How a process is controlled: tracing, its memory, its code, the kernel's files about it.
//!
//! The lowest layer. It does what it is asked to do to one process or thread, and knows nothing of who may run, of
//! virtual time or of emulated system calls.

pub mod code;
pub mod control;
pub mod coverage;
pub mod descriptors;
pub mod filter;
pub mod inject;
pub mod install;
pub mod interruptions;
pub mod launch;
pub mod libraries;
pub mod loading;
pub mod maps;
pub mod memory;
pub mod passive;
pub mod proc_files;
pub mod process;
pub mod processor;
pub mod sanitizers;
pub mod shared_memory;
pub mod siginfo;
pub mod signals;
pub mod stack;
pub mod startup;
pub mod ticker;
pub mod tracee;
