#!/usr/bin/env bash
# Computes with the real TLC the results that omnilink-tla is compared with: the table of specifications (omnilink-tla/tests/specs) and the
# tables of constant expressions (omnilink-tla/tests/expressions). Compares with the committed tables, or with --write
# replaces them, so that `git diff` shows what changed. Takes 3 to 10 minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh

case "${1-}" in
  '') ;;
  --write) export OMNILINK_WRITE_TABLES=1 ;;
  *) die "unknown argument: $1" "usage: scripts/tlc-expected.sh [--write]" ;;
esac
need_rust
scripts/tlc.sh >/dev/null
cargo test --package omnilink-tla --test tlc_tables -- --ignored
