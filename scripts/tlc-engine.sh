#!/usr/bin/env bash
# Compares `omnilink check --engine tlc` with the native engine: on every case of the table of semantics, and on 360 random
# small histories (pending, indeterminate and aborted calls, unknown arguments, pairs, guards, several candidates). Every
# order that TLC finds is evaluated again. With --write, TLC's output of some runs replaces the recorded output that
# `cargo test` reads. Takes 10 to 30 minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh

case "${1-}" in
  '') ;;
  --write) export OMNILINK_WRITE_TABLES=1 ;;
  *) die "unknown argument: $1" "usage: scripts/tlc-engine.sh [--write]" ;;
esac
need_rust
OMNILINK_TLC_JAR=$(scripts/tlc.sh)
export OMNILINK_TLC_JAR

say "recorded answers"
cargo test --package omnilink-check --lib -- --nocapture --ignored --exact tlc::recorded::tlc_answers_as_recorded

say "cases"
cargo test --package omnilink-check --test semantics -- --nocapture --ignored --exact tlc_gives_the_same_verdicts

say "random histories"
cargo test --package omnilink-check --test oracles -- --nocapture --ignored --exact tlc_engine::the_engines_agree

say "the command line"
cargo test --package omnilink-cli --test tlc -- --nocapture --ignored --exact tlc_answers tlc_tells_how_far_it_is \
  tlc_verdicts_are_kept_where_nothing_is_read
cargo test --package omnilink-cli --test check_rules -- --nocapture --ignored --exact tlc_follows_them
