//! Which shared libraries have points.
//!
//! A program's own libraries have: they are part of what is under test, wherever the loader found them (`$ORIGIN`,
//! `LD_LIBRARY_PATH`, `dlopen`, the build tree, `/usr/local/lib`). Those of the system have not, unless they are named:
//! they are tested by others, and points in them would only make schedules longer. A library is the system's if its file
//! is in a directory that packages are installed to, or if it is the runtime of a language or of a sanitizer, which
//! compilers bring along wherever they are installed. Links have been followed: the kernel tells the file itself.

use std::path::Path;

use crate::plan::Plan;

/// Directories that packages are installed to.
const SYSTEM: [&str; 12] = [
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/libexec",
    "/nix/store",
    "/gnu/store",
    "/snap",
];

/// Libraries of C, C++, OpenMP, sanitizers and our own runtime, by the part of their names before a version or `.so`.
const RUNTIMES: [&str; 36] = [
    "libc",
    "libm",
    "libmvec",
    "libpthread",
    "libdl",
    "librt",
    "libutil",
    "libanl",
    "libresolv",
    "libnsl",
    "libthread_db",
    "libBrokenLocale",
    "libgcc_s",
    "libstdc++",
    "libsupc++",
    "libc++",
    "libc++abi",
    "libunwind",
    "libatomic",
    "libquadmath",
    "libgfortran",
    "libitm",
    "libgomp",
    "libomp",
    "libiomp5",
    "libasan",
    "libhwasan",
    "liblsan",
    "libtsan",
    "libubsan",
    "ld",
    "ld-linux",
    "ld-linux-x86-64",
    "ld-musl-x86_64",
    "libomnilink",
    "libomnilink_c",
];

/// Other such libraries have a hash or an architecture in their names, which begin like this.
const RUNTIME_PREFIXES: [&str; 4] = ["libclang_rt.", "libstd-", "libtest-", "librustc_driver-"];

/// What the user says about libraries, by patterns for the names of their files, in which `*` stands for anything.
#[derive(Debug, Clone, Default)]
pub struct Libraries {
    /// These have points, too.
    pub named: Vec<String>,
    /// These have none.
    pub left_out: Vec<String>,
}

/// Whether a library has points, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Instrumentation {
    /// It has: the user has named it.
    Named,
    /// It has: it is the program's own.
    Own,
    /// It has not, though it is the program's own: the user wants it so.
    LeftOut,
    /// It has not: it is not what is tested.
    System,
}

impl Libraries {
    /// What a plan says about them.
    pub fn of(plan: &Plan) -> Self {
        Self { named: plan.libraries.clone(), left_out: plan.libraries_left_out.clone() }
    }

    /// Whether the library in this file has points. The more special wish counts: to leave one out.
    pub(super) fn instrumentation(&self, path: &Path) -> Instrumentation {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_among = |patterns: &[String]| patterns.iter().any(|pattern| matches(pattern, &name));
        match (is_among(&self.left_out), is_among(&self.named)) {
            (false, true) => Instrumentation::Named,
            _ if is_system(path, &name) => Instrumentation::System,
            (true, _) => Instrumentation::LeftOut,
            (false, false) => Instrumentation::Own,
        }
    }
}

fn is_system(path: &Path, name: &str) -> bool {
    let stem = name.split(".so").next().unwrap_or(name);
    // As in `libc-2.31.so`.
    let is_version = |text: &str| text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let unversioned = stem.rsplit_once('-').filter(|(_, version)| is_version(version)).map_or(stem, |(stem, _)| stem);
    SYSTEM.iter().any(|directory| path.starts_with(directory))
        || [stem, unversioned].iter().any(|stem| RUNTIMES.contains(stem))
        || RUNTIME_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, rest)) => name.strip_prefix(start).is_some_and(|after| {
            after.char_indices().map(|(at, _)| at).chain([after.len()]).any(|at| matches(rest, &after[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let cases = [
            ("libfoo*", "libfoo.so.1", true),
            ("libfoo*", "libbar.so", false),
            ("*foo*1", "libfoo.so.1", true),
            ("libfoo.so", "libfoo.so.1", false),
            ("*", "", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn own_libraries_and_others() {
        let cases = [
            ("/home/me/build/libqueue.so", Instrumentation::Own),
            ("/home/me/build/libqueue.so.1.2.3", Instrumentation::Own),
            ("/usr/local/lib/libqueue.so", Instrumentation::Own),
            ("/opt/product/lib/plugin.so", Instrumentation::Own),
            ("/srv/libcache.so", Instrumentation::Own),
            ("/library/libm4.so", Instrumentation::Own),
            ("/home/me/libstdlib.so", Instrumentation::Own),
            ("/usr/lib/x86_64-linux-gnu/libssl.so.3", Instrumentation::System),
            ("/lib64/libbar.so", Instrumentation::System),
            ("/usr/local/lib64/libstdc++.so.6.0.32", Instrumentation::System),
            ("/opt/glibc/lib/libc-2.31.so", Instrumentation::System),
            ("/opt/glibc/lib/ld-2.31.so", Instrumentation::System),
            ("/opt/conda/lib/libgcc_s.so.1", Instrumentation::System),
            ("/opt/llvm/lib/clang/18/lib/linux/libclang_rt.tsan-x86_64.so", Instrumentation::System),
            ("/home/me/.rustup/toolchains/stable/lib/libstd-0123456789abcdef.so", Instrumentation::System),
            ("/home/me/build/libomnilink.so", Instrumentation::System),
            ("/home/me/build/libfoo_slow.so", Instrumentation::LeftOut),
            ("/home/me/build/libfoo_fast.so", Instrumentation::Named),
            ("/usr/lib/libfoo_fast.so", Instrumentation::Named),
            ("/usr/lib/libfoo_slow.so", Instrumentation::System),
        ];
        let libraries = Libraries { named: vec!["libfoo*".to_owned()], left_out: vec!["*_slow*".to_owned()] };
        for (path, expected) in cases {
            assert_eq!(libraries.instrumentation(Path::new(path)), expected, "{path}");
        }
    }
}
