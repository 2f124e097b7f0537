#!/usr/bin/env bash
# Records the demo queue fuzzer and shows what it did. The trace stays in demo-trace/.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

need_compilers
need_rust

trace=demo-trace
rm -rf "$trace"

say "building"
cargo build --release -p omnilink-cli -p queue-demo

say "recording: 4 threads, 50,000 operations each"
cargo run --quiet --release -p queue-demo -- --threads 4 --ops 50000 --seed 1 --trace-dir "$trace"

omnilink=(cargo run --quiet --release -p omnilink-cli --)
say "omnilink show --summary $trace"
"${omnilink[@]}" show --summary "$trace"

say "omnilink show --events --from 2ms --limit 12 $trace"
"${omnilink[@]}" show --events --from 2ms --limit 12 "$trace"
