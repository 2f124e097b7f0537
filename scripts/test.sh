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
say "tests"
cargo test --workspace --exclude bench-check --exclude bench-eval --exclude bench-read --exclude bench-record

say "models: the recorder's publication protocol and window hand-over, all schedules with up to 3 preemptions"
RUSTFLAGS="--cfg loom" cargo test -p omnilink-runtime --lib --target-dir target/loom -- models supply

say "targets: real systems, a short campaign against each"
scripts/targets.sh
