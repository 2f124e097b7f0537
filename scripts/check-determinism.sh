#!/usr/bin/env bash
# Makes 1,000 runs of the chaos scheduler's subjects twice, with different seeds and strategies, and compares schedules
# and traces. Takes 5 to 20 minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh

need_compilers
need_rust
cargo test --release --package omnilink-record --test chaos -- --nocapture --include-ignored --exact \
  repetition::a_thousand_runs_repeat
