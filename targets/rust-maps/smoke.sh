#!/usr/bin/env bash
# A short campaign: what the maps keep to, and what they do not.
set -euo pipefail
source "$(dirname "$0")/../common.sh"
need_omnilink

up_to_date Map.tla rust
expect 0 "$omnilink" explore "$here/MCMap.tla"
says "no error found"

fuzzer=$out/build/release/fuzzer

# conforms SPEC OPTION…: runs of the fuzzer with these options are accepted.
conforms() {
  expect 0 "$omnilink" run --check-timeout 10m "$here/$1.tla" --chaos --runs 15 --seed 1 -- "$fuzzer" --threads 3 --ops 50 "${@:2}"
}

# fails SPEC OPTION…: one of them is not.
fails() {
  expect 1 "$omnilink" run --check-timeout 10m "$here/$1.tla" --chaos --runs 500 --seed 1 -o "$(new_directory rejected)" -- \
    "$fuzzer" --threads 4 --ops 50 "${@:2}"
  says rejected "a behaviour of $1"
}

for map in dashmap scc; do
  conforms Map --map "$map" --weights Len=1,Clear=1
  not_rejected "$omnilink" run --check-timeout 1m "$here/Map.tla" --free --runs 3 --seed 1 -- "$fuzzer" --map "$map" --threads 4 --ops 2000
  fails AtomicMap --map "$map" --keys 8 --weights Clear=1
done
conforms RemoveThenInsert --map skipmap --weights Remove=0,Clear=1

fails Map --map skipmap --weights Remove=0
fails Map --map skipmap --keys 1 --weights Put=0,Get=0,Exists=0
expect 0 "$omnilink" replay "$out"/rejected/run-*
says "the same run"

expect 1 "$omnilink" run --check-timeout 10m "$here/Map.tla" --chaos --runs 100 --seed 1 -o "$(new_directory rejected)" -- \
  "$fuzzer" --map scc --keys 400 --threads 3 --ops 300 --weights Insert=4,Len=1
says "len = "

# An iterator or a length that is not atomic, and that is weakly consistent.
weak=$(new_directory weak)
expect 1 "$omnilink" run --check-timeout 10m "$here/Sizes.tla" --chaos --runs 500 --seed 1 -o "$weak" -- \
  "$out/build/release/sizes" --map dashmap --threads 3 --ops 30 --keys 8
says rejected
expect 0 "$omnilink" check "$here/Sizes.tla" "$weak"/run-* --consistency 'linearizable, Len: weak, Keys: weak' --timeout 10m
says accepted
