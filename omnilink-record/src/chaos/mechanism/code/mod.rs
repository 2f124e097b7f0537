//! Reading a program's machine code and rewriting it so that threads can be interrupted at memory accesses.
//!
//! ```text
//!  ELF file ──► image (described functions, beginnings of others, data, runtime's code)
//!                 │
//!                 └──► reached (what is certainly code) ──► targets (where jumps may land)
//!                        │                                    │
//!                        └────► points (which instructions) ──┴──► patch (bytes to write, trampolines)
//! ```
//!
//! All of this is a function of the file alone: addresses are those of the file plus a constant, and trampolines lie at
//! a fixed distance from the code, so one patch serves every run of a campaign wherever the kernel loads the program.

mod beginnings;
mod flags;
mod image;
mod landing_pads;
mod leaks;
mod patch;
mod points;
mod reached;
mod runtime_code;
mod targets;
mod trampoline;

pub use image::{Function, Image};
pub use leaks::looks_for_leaks;
pub use patch::{Depth, Patch, Place, STACK_LOWERED_BY, Trap};
pub use points::Kind;
pub use reached::functions;
pub use trampoline::AFTER_TRAP;
