#!/usr/bin/env bash
# Runs every check: scripts/test.sh, then the slow checks that rarely fail. Continues after a failure and prints a table of
# the results; exits with 1 if a check failed. Needs Java and Go besides what scripts/test.sh needs. Takes hours.
#
#   scripts/test-all.sh [NAME…]      only these: test targets oracles mutants determinism projects packages tlc-engine tlc-expected sanitize
set -uo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

names=("$@")
[ ${#names[@]} -gt 0 ] || names=(test targets oracles mutants determinism projects packages tlc-engine tlc-expected sanitize)
failed=0
table=()
for name in "${names[@]}"; do
  case $name in
    test | targets | tlc-engine | tlc-expected | sanitize) script=scripts/$name.sh ;;
    oracles | mutants | determinism | projects | packages) script=scripts/check-$name.sh ;;
    *) die "unknown check: $name" "usage: scripts/test-all.sh [test|targets|oracles|mutants|determinism|projects|packages|tlc-engine|tlc-expected|sanitize]…" ;;
  esac
  began=$SECONDS
  if "$script"; then result=passed; else result=FAILED failed=1; fi
  table+=("$(printf '%-14s %-7s %5d s' "$name" "$result" $((SECONDS - began)))")
done
say "all checks"
printf '%s\n' "${table[@]}"
exit "$failed"
