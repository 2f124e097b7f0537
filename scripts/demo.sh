#!/usr/bin/env bash
# Records the demo queue fuzzer, once with a correct queue and then with a buggy one until its bug shows, and checks every run
# against Queue.tla. The last trace stays in demo-trace/.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

need_compilers
need_rust

trace=demo-trace
spec=examples/queue/Queue.tla
attempts=50

say "building"
cargo build --release -p omnilink-cli -p queue-demo
omnilink=(cargo run --quiet --release -p omnilink-cli --)

record() {
    rm -rf "$trace"
    cargo run --quiet --release -p queue-demo -- "$@" --threads 4 --trace-dir "$trace"
}

say "recording the correct queue: 4 threads, 5,000 operations each"
record --queue seg --ops 5000 --seed 1
say "omnilink show --summary $trace"
"${omnilink[@]}" show --summary "$trace"
say "omnilink check $spec $trace"
"${omnilink[@]}" check "$spec" "$trace" --timeout 60s

say "recording the buggy queue until a run is rejected, at most $attempts times"
for seed in $(seq "$attempts"); do
    record --queue buggy --window long --ops 500 --seed "$seed" >/dev/null
    code=0
    verdict=$("${omnilink[@]}" check "$spec" "$trace" --timeout 20s) || code=$?
    if [ "$code" -eq 1 ]; then
        say "seed $seed: omnilink check $spec $trace"
        echo "$verdict"
        exit 0
    fi
done
echo "the bug did not show in $attempts runs; run it again" >&2
exit 1
