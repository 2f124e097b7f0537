#!/usr/bin/env bash
# Runs the demo queue fuzzer in a loop and checks every run against Queue.tla: first a correct queue, then a buggy one until a
# run fails; the failure is explained, and the run is replayed. The failed run stays in demo-runs/.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

need_compilers
need_rust

spec=examples/queue/Queue.tla
runs=demo-runs

say "building"
cargo build --release -p omnilink-cli -p queue-demo
built=${CARGO_TARGET_DIR:-target}/release
omnilink=$built/omnilink
fuzzer=$built/queue-demo
rm -rf "$runs"

# The chaos scheduler needs x86-64 and ptrace. Without it the kernel schedules the threads: the bug is rarer, so a window lets
# other threads run inside the race; the run cannot be replayed.
mode=--chaos
buggy=(--queue buggy --threads 4 --ops 100)
if ! refusal=$("$omnilink" record --chaos --runs 1 -o "$runs" -- "$fuzzer" --ops 1 2>&1); then
    say "the chaos scheduler does not work here, so runs are free"
    echo "$refusal"
    mode=--free
    buggy=(--queue buggy --window long --threads 4 --ops 500)
fi
rm -rf "$runs"

say "the correct queue: omnilink run $spec $mode --runs 20 -- queue-demo --threads 4 --ops 100"
"$omnilink" run "$spec" "$mode" --runs 20 -j 2 -- "$fuzzer" --threads 4 --ops 100

say "the buggy queue: omnilink run $spec $mode --runs 500 -- queue-demo ${buggy[*]}"
code=0
found=$("$omnilink" run "$spec" "$mode" --runs 500 -j 2 -o "$runs" -- "$fuzzer" "${buggy[@]}") || code=$?
echo "$found"
[ "$code" -eq 1 ] || die "no run failed in 500 runs of the buggy queue" "run it again"

if [ "$mode" = --chaos ]; then
    again=$(sed -n 's/^  replay: *//p' <<<"$found")
    say "the same run once more: $again"
    eval "$again"
fi
