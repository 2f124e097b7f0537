//! Gives the shared library its name, which programs that link it ask for when they are started.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libomnilink_c.so");
}
