#!/usr/bin/env bash
# Compares the verdicts of omnilink-check with those of its oracles on random small histories: brute force (100,000),
# the real TLC (2,240), porcupine-rs and Porcupine itself (2,500 each). Compares the search with and without dead-end
# detection and partial-order reduction on longer histories (100,000). On histories of random specifications, compares verdicts
# and explanations with a brute force that knows only their tables (200,000). Compares criteria other than linearizability with their
# definitions (100,000 each). Runs property tests with new cases. With --write, TLC's verdicts replace the
# committed table. OMNILINK_HISTORIES sets the number of histories for brute force. Takes 5 to 40 minutes, most of it compilation.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh

case "${1-}" in
  '') ;;
  --write) export OMNILINK_WRITE_TABLES=1 ;;
  *) die "unknown argument: $1" "usage: scripts/check-oracles.sh [--write]" ;;
esac
need_rust
scripts/tlc.sh >/dev/null

oracle() { cargo test --release --package omnilink-check --test oracles -- --nocapture --include-ignored --exact "$1"; }

say "TLC"
oracle tlc_verdicts::tlc_says_what_the_table_says
oracle tlc_verdicts::tlc_agrees

say "porcupine-rs"
OMNILINK_HISTORIES=2500 oracle porcupine::porcupine_rs_agrees

say "Porcupine"
if command -v go >/dev/null; then
  OMNILINK_HISTORIES=2500 oracle porcupine::porcupine_agrees
else
  die "Go is not installed" "bench/porcupine needs it: https://go.dev/dl"
fi

say "brute force"
OMNILINK_HISTORIES=${OMNILINK_HISTORIES:-100000} oracle brute_force::brute_force_agrees

say "random specifications"
OMNILINK_HISTORIES=${OMNILINK_HISTORIES:-200000} oracle automata::random_specifications_mean_what_their_tables_say

say "models in Rust"
OMNILINK_HISTORIES=${OMNILINK_HISTORIES:-100000} cargo test --release --package omnilink-check --test models -- --nocapture

say "consistency criteria"
OMNILINK_HISTORIES=${OMNILINK_HISTORIES:-100000} cargo test --release --package omnilink-check --test consistency -- --nocapture

say "larger constants than those inferred"
cargo test --release --package omnilink-check --test extension -- --nocapture --include-ignored

say "property tests with new cases"
env --unset=PROPTEST_RNG_SEED cargo test --release --package omnilink-trace --package omnilink-tla --lib --test round_trips --test damage \
  --test parser --test config

say "without looking ahead"
OMNILINK_HISTORIES=${OMNILINK_HISTORIES:-100000} oracle reduction::reduction_loses_nothing
