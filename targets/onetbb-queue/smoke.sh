#!/usr/bin/env bash
# A short campaign: both queues conform, and a specification with another capacity is noticed.
set -euo pipefail
source "$(dirname "$0")/../common.sh"
need_omnilink

up_to_date Queue.tla cpp
expect 0 "$omnilink" explore "$here/MCQueue.tla"

queue=("$out/build/fuzzer" --threads 4 --ops 100)
expect 0 "$omnilink" run --check-timeout 10m "$here/Queue.tla" --const 'Capacity = 1000000' --chaos --runs 15 --seed 1 -- "${queue[@]}"
not_rejected "$omnilink" run --check-timeout 1m "$here/Queue.tla" --free --runs 5 --seed 1 --const 'Capacity = 1000000' -- "${queue[@]}"
expect 0 "$omnilink" run --check-timeout 10m "$here/Queue.tla" --chaos --runs 15 --seed 1 -- "${queue[@]}" --queue bounded
expect 1 "$omnilink" run --check-timeout 10m "$here/Queue.tla" --const 'Capacity = 4' --chaos --runs 15 --seed 1 \
  -o "$(new_directory rejected)" -- "${queue[@]}" --queue bounded
says rejected "Len(queue) < Capacity"
