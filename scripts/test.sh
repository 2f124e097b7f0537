#!/usr/bin/env bash
# Runs everything that must pass: formatting, lints, documentation, tests. As root it installs missing tools; otherwise it
# prints what to install.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

need_compilers
need_cmake
need_rr
need_gdb
need_jemalloc
need_rust
need_rust_component rustfmt cargo-fmt
need_rust_component clippy cargo-clippy

say "formatting"
cargo fmt --all --check

say "lints"
cargo clippy --workspace --all-targets -- -D warnings

say "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

say "mutants of the checker: each still changes the code"
scripts/check-mutants.sh --dry-run

# Benches are linted, which compiles them; but for bench-chaos they have no tests.
tested=(--workspace --exclude bench-check --exclude bench-eval --exclude bench-read --exclude bench-record)
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
say "tests: building"
cargo test "${tested[@]}" --no-run --message-format=json-render-diagnostics >"$target/tests.json"

# A name and the command for every test program that was built, those that take longest first. Cargo would run them one after the
# other; it runs them in the directory of their package, too, and with the compiler's libraries, which procedural macros need.
test_programs() {
  local manifest program package test turn libraries
  libraries=$(rustc --print target-libdir)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  sed -n 's/^{"reason":"compiler-artifact".*"manifest_path":"\([^"]*\)".*"test":true},"features".*"executable":"\([^"]*\)".*/\1\t\2/p' \
    "$target/tests.json" |
    while IFS=$'\t' read -r manifest program; do
      package=$(dirname "$manifest") test=$(basename "${program%-*}")
      case $test in
        chaos) turn=1 ;;
        new | tutorial | run | debug) turn=2 ;;
        cpp | oracles | ui | rust | stopping | run_ends | crash) turn=3 ;;
        *) turn=4 ;;
      esac
      printf '%d\t%s: %s\tcd %q && LD_LIBRARY_PATH=%q CARGO_MANIFEST_DIR=%q %q\n' \
        "$turn" "$(basename "$package")" "$test" "$package" "$libraries" "$package" "$program"
    done | sort --stable --numeric-sort --key=1,1 | cut --fields=2-
}

# Property tests have the same cases every time here; scripts/check-oracles.sh draws new ones.
export PROPTEST_RNG_SEED=1
programs=$(test_programs)
[ -n "$programs" ] || die "no test program was built" "$target/tests.json is what Cargo says about its programs"

# Targets use the program that the tests use, so that no other profile has to be built: one in C++ and one in Rust, the others are for
# scripts/test-all.sh. Models have all schedules with up to 3 preemptions.
say "tests, examples of the documentation, models of the recorder's protocols, short campaigns against real systems"
{
  printf 'targets\tOMNILINK=%q scripts/targets.sh concurrentqueue rust-maps\n' "$target/debug/omnilink"
  printf '%s\n' "$programs"
  printf 'documentation\tcargo test %s --doc --no-fail-fast\n' "${tested[*]}"
  printf 'models\tRUSTFLAGS="--cfg loom" cargo test -p omnilink-runtime --lib --target-dir %q -- models supply\n' "$target/loom"
} | scripts/side-by-side.sh
