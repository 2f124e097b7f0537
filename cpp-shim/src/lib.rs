//! The runtime as a static and a shared library for programs in C and C++; `include/omnilink.h` and
//! `include/omnilink.hpp` say how to use it.
//!
//! A crate of its own because Cargo gives such libraries one fixed file name: the runtime itself is built in several variants
//! within one workspace, and they would overwrite each other.

pub use omnilink_runtime::ffi::*;
