#!/usr/bin/env bash
# A short campaign: what the specification allows, what a stronger one does not, and the crash.
set -euo pipefail
source "$(dirname "$0")/../common.sh"
need_omnilink

up_to_date ConcurrentQueue.tla cpp
expect 0 "$omnilink" explore "$here/MCConcurrentQueue.tla"
says "no error found"

trace=$(new_directory trace)
expect 0 "$out/build/fuzzer" --threads 5 --ops 4000 --seed 1 --trace-dir "$trace"
not_rejected "$omnilink" check "$here/ConcurrentQueue.tla" "$trace" --timeout 1m

# One size that cannot be. Two threads have few orders, whoever schedules them.
trace=$(new_directory trace)
expect 0 "$out/build/fuzzer" --threads 2 --ops 2000 --seed 1 --trace-dir "$trace"
expect 0 "$omnilink" check "$here/ConcurrentQueue.tla" "$trace" --timeout 10m
expect 0 "$omnilink" export "$trace" -o "$out/right.jsonl"
sed '0,/"op":"SizeApprox"/ s/"size":[0-9]*/"size":1000000/' "$out/right.jsonl" >"$out/wrong.jsonl"
expect 1 "$omnilink" check "$here/ConcurrentQueue.tla" "$out/wrong.jsonl"
says 'size <= added' 'size = 1000000'

small_blocks=("$out/build/fuzzer-small-blocks" --threads 4 --ops 100)
expect 0 "$omnilink" run --check-timeout 10m "$here/ConcurrentQueue.tla" --chaos --runs 20 --seed 1 -- "${small_blocks[@]}"
expect 1 "$omnilink" run --check-timeout 10m "$here/AtomicBulk.tla" --chaos --runs 20 --seed 1 -o "$(new_directory rejected)" -- \
  "${small_blocks[@]}"
says rejected "AtomicBulk.tla"

crashed=$(new_directory crashed)
expect 1 "$omnilink" run --check-timeout 10m "$here/ConcurrentQueue.tla" --chaos --runs 300 --seed 1 -o "$crashed" -- \
  "$out/build/fuzzer-small-blocks" --threads 2 --ops 1000 --min-bulk 0 --max-bulk 0 \
  --weights Enqueue=2,Dequeue=2,DequeueBulk=1,EnqueueBulk=0,DequeueFrom=0,DequeueBulkFrom=0,SizeBegins=0
says "killed by SIGSEGV"
expect 0 "$omnilink" replay "$crashed"/run-*
says "killed by SIGSEGV" "the same run"

# A size that no moment has, and that is weakly consistent.
weak=$(new_directory weak)
expect 1 "$omnilink" run --check-timeout 10m "$here/Sizes.tla" --chaos --runs 500 --seed 1 -o "$weak" -- \
  "$out/build/sizes" --threads 4 --ops 40 --weights Enqueue=2,Dequeue=2
says rejected
expect 0 "$omnilink" check "$here/Sizes.tla" "$weak"/run-* --consistency 'linearizable, Size: weak' --timeout 10m
says accepted

expect 139 "$out/build/zero-bulk"
