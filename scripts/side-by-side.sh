#!/usr/bin/env bash
# Runs commands side by side, as many as there are processors. Every line of standard input is a name, a tab and a shell command.
# Prints the output of a command when it has ended, so that outputs do not mix. A failure does not stop the others: at the end
# come the last lines of every command that failed, where somebody who sees only the end of a log finds them, and their names.
# Exits with 1 if a command failed.
set -uo pipefail

if [ "${1-}" = --one ]; then
  name=${2%%$'\t'*} began=$SECONDS result=passed
  bash -c "${2#*$'\t'}" >"$results/$$" 2>&1 || result=FAILED
  exec 9>"$results/lock"
  flock 9
  printf '\n== %s\n' "$name"
  cat "$results/$$"
  printf -- '-- %s: %s, %d s\n' "$name" "$result" $((SECONDS - began))
  if [ "$result" = FAILED ]; then
    printf '  %s\n' "$name" >>"$results/failed"
    { printf '\n== the end of %s, which failed\n' "$name" && tail -n 60 "$results/$$"; } >>"$results/ends"
  fi
  exit 0
fi

results=$(mktemp -d)
export results
trap 'rm -rf "$results"' EXIT
xargs --delimiter='\n' --max-args=1 --max-procs="$(nproc)" "$0" --one || exit 1
[ ! -e "$results/failed" ] || { cat "$results/ends" && printf '\n== FAILED\n' && cat "$results/failed" && exit 1; }
