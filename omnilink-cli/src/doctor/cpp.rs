//! C++ compilers for programs that use the C++ shim.

use std::process::Command;

use super::{Finding, probe};

/// GCC.
pub fn gcc() -> Finding {
    compiler("g++", "apt install g++; one of g++ and clang++ is enough")
}

/// Clang.
pub fn clang() -> Finding {
    compiler("clang++", "apt install clang; one of g++ and clang++ is enough")
}

fn compiler(name: &'static str, install: &str) -> Finding {
    let Some(path) = probe::find_in_path(name) else {
        return Finding::missing(name, "not in PATH", install);
    };
    let version = match probe::ask(Command::new(&path).arg("--version")) {
        Ok(answer) => answer.first_line().to_owned(),
        Err(error) => return Finding::limited(name, format!("{}: {error}", path.display()), install),
    };
    // An empty file is a program part that every C++17 compiler accepts.
    match probe::ask(Command::new(&path).args(["-std=c++17", "-fsyntax-only", "-x", "c++", "/dev/null"])) {
        Ok(answer) if answer.status.success() => Finding::ok(name, version),
        Ok(answer) => Finding::limited(
            name,
            format!("{version}: does not compile C++17: {}", answer.first_line()),
            "install a compiler of 2018 or later (GCC 8, Clang 7)",
        ),
        Err(error) => Finding::limited(name, format!("{version}: {error}"), install),
    }
}
