#!/usr/bin/env bash
# Repeats 1,000 runs of the chaos scheduler's test programs, with different seeds and strategies, and compares schedules
# and traces; then 20 runs each of other kinds of programs (sanitizers, OpenMP, tokio, Java …). Takes 10 to 30
# minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh

need_compilers
need_jemalloc
need_rust
cargo test --release --package omnilink-record --test chaos -- --nocapture --include-ignored --exact \
  repetition::a_thousand_runs_repeat matrix::programs_of_all_kinds_repeat
