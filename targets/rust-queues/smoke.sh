#!/usr/bin/env bash
# A short campaign: what the queues keep to, and what they do not.
set -euo pipefail
source "$(dirname "$0")/../common.sh"
need_omnilink

up_to_date BoundedQueue.tla rust
expect 0 "$omnilink" explore "$here/MCBoundedQueue.tla"
says "no error found"

fuzzer=$out/build/release/fuzzer

# conforms CFG OPTION…: runs of the fuzzer with these options are accepted, whoever schedules them.
conforms() {
  local spec=("$here/BoundedQueue.tla" --cfg "$here/$1.cfg")
  [ "$1" = TwoSteps ] && spec=("$here/TwoSteps.tla")
  expect 0 "$omnilink" run --check-timeout 10m "${spec[@]}" --chaos --runs 15 --seed 1 -- "$fuzzer" --threads 3 --ops 50 "${@:2}"
  not_rejected "$omnilink" run --check-timeout 1m "${spec[@]}" --free --runs 2 --seed 1 -- "$fuzzer" --threads 4 --ops 2000 "${@:2}"
}

# fails CFG OPTION…: one of them is not.
fails() {
  expect 1 "$omnilink" run --check-timeout 10m "$here/BoundedQueue.tla" --cfg "$here/$1.cfg" --chaos --runs 600 --seed 1 \
    -o "$(new_directory rejected)" -- "$fuzzer" --threads 3 --ops 50 "${@:2}"
  says rejected
}

# Without is_empty, which is rarely wrong (README.md): a free run that finds it is no failure of this campaign.
conforms Unbounded --queue seg --weights IsEmpty=0
conforms BoundedQueue --queue array --weights ForcePush=0
conforms BoundedQueue --queue array --weights Size=0,IsFull=0,IsEmpty=0
conforms TwoSteps --queue array

fails BoundedQueue --queue array --weights Size=0,IsEmpty=0,ForcePush=4
says "Len(queue) = Capacity"
fails BoundedQueue --queue array --weights IsFull=0,IsEmpty=0,ForcePush=4
says "size = Len(queue)"

for queue in thingbuf static-thingbuf; do
  conforms Unsure --queue "$queue" --weights Size=0,IsEmpty=0
  fails BoundedQueue --queue "$queue" --weights Size=0,IsEmpty=0
  says PushFull
  fails Unsure --queue "$queue" --weights IsEmpty=0
  says "size = Len(queue)"
done
expect 0 "$omnilink" replay "$out"/rejected/run-*
says "the same run"
