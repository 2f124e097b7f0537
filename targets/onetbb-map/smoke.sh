#!/usr/bin/env bash
# A short campaign: the map conforms.
set -euo pipefail
source "$(dirname "$0")/../common.sh"
need_omnilink

up_to_date Map.tla cpp
expect 0 "$omnilink" explore "$here/MCMap.tla"

map=("$out/build/fuzzer" --threads 4 --ops 100)
expect 0 "$omnilink" run --check-timeout 10m "$here/Map.tla" --chaos --runs 20 --seed 1 -- "${map[@]}"
not_rejected "$omnilink" run --check-timeout 1m "$here/Map.tla" --free --runs 5 --seed 1 -- "${map[@]}"
