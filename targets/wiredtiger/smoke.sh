#!/usr/bin/env bash
# A short campaign against WiredTiger 3.2.1.
set -euo pipefail
source "$(dirname "$0")/../common.sh"

need_omnilink
up_to_date Storage.tla cpp

# The specification by itself.
expect 0 "$omnilink" explore "$here/MCStorage.tla"
says "no error found" "distinct states   25290"
expect 0 "$omnilink" explore "$here/MCStorage.tla" --cfg "$here/MCTimes.cfg"
says "no error found" "distinct states   25176"

# conforms COMMAND…: checks runs against Storage. The finding below can show in any run, whoever schedules it; and see not_rejected.
conforms() {
  expect "0|1|3" "$@"
  [ "$code" -ne 1 ] || says rejected "Seen(txn, key)"
}

# What threads do on their own, with the codes that calls returned.
also=()
for action in Begin Read Write Remove Prepare SetStable SetOldest; do also+=(--also "$action=Coded"); done
free=$(new_directory free)
expect 0 "$out/build/fuzzer" --threads 5 --ops 4000 --seed 1 --trace-dir "$free"
conforms "$omnilink" check "$here/Storage.tla" "$free" "${also[@]}" --timeout 1m

# A snapshot that has the later of two commits and not the earlier. The program ends with 1 as soon as it sees one: at once if
# its threads really run at the same time, perhaps never on a busy machine.
torn=$(new_directory torn) seen=0
timeout 30 "$out/build/torn-snapshot" 20000 "$torn" >/dev/null 2>&1 || seen=$?
case $seen in
  0 | 124) say "wiredtiger: no torn snapshot was seen this time" ;;
  1)
    expect "1|3" "$omnilink" check "$here/Storage.tla" "$torn" --timeout 2m
    [ "$code" -ne 1 ] || says rejected "Seen(txn, key)"
    ;;
  *) die "torn-snapshot ended with $seen" ;;
esac

# What threads do when they are interrupted anywhere in WiredTiger.
chaos=(--check-timeout 10m --chaos --chaos-lib 'libwiredtiger*' --seed 1)
fuzzer=("$out/build/fuzzer" --threads 4 --ops 100)
conforms "$omnilink" run "$here/Storage.tla" "${chaos[@]}" --runs 3 -o "$(new_directory chaos)" -- "${fuzzer[@]}"

# What one might expect of commits, and should not. One of the first runs shows it; which one depends on the build.
for rule in NotAfterConflict AtItsOwnTime InOrder; do
  expect 1 "$omnilink" run "$here/Stricter.tla" --also "Commit=$rule" "${chaos[@]}" --runs 100 -o "$(new_directory rejected)" -- \
    "${fuzzer[@]}"
  says rejected "$rule"
done
