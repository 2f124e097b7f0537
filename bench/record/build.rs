//! Compiles what contestants have in C and C++. lttng-ust takes part where it is installed; `cfg(lttng)` says so.

fn main() {
    compile_cpp();
    compile_lttng();
}

/// The calls of the contestant in C++.
fn compile_cpp() {
    println!("cargo::rerun-if-changed=cpp");
    println!("cargo::rerun-if-changed=../../cpp-shim/include");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .include("../../cpp-shim/include")
        .file("cpp/transfer.cpp")
        .compile("cpp_transfer");
}

/// The tracepoint of lttng-ust.
fn compile_lttng() {
    println!("cargo::rustc-check-cfg=cfg(lttng)");
    println!("cargo::rerun-if-changed=lttng");
    // The macros that the tracepoint is written with came with 2.13.
    let Ok(lttng) = pkg_config::Config::new().atleast_version("2.13").cargo_metadata(false).probe("lttng-ust") else {
        return;
    };
    // The tracepoint first: it needs the libraries that are linked after it.
    cc::Build::new().file("lttng/transfer.c").include("lttng").includes(lttng.include_paths).compile("transfer");
    for path in lttng.link_paths {
        println!("cargo::rustc-link-search=native={}", path.display());
    }
    for library in lttng.libs {
        println!("cargo::rustc-link-lib={library}");
    }
    // LTTng finds its tracepoints by the bounds of the section they are in, which linkers do not count as a use of it.
    println!("cargo::rustc-link-arg-bins=-Wl,-z,nostart-stop-gc");
    println!("cargo::rustc-cfg=lttng");
}
