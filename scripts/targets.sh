#!/usr/bin/env bash
# Builds real systems with their fuzzers, and runs a short campaign on each: every folder of targets/ with a
# build.sh, or the named ones. targets/README.md describes targets.
#
#   scripts/targets.sh [NAME…]
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

shopt -s nullglob
names=("$@")
if [ ${#names[@]} -eq 0 ]; then
  for script in targets/*/build.sh; do
    names+=("$(basename "$(dirname "$script")")")
  done
fi

for name in "${names[@]}"; do
  folder=targets/$name
  for script in build.sh smoke.sh; do
    [ -x "$folder/$script" ] || die "$folder/$script is missing or not executable" "targets/README.md has the recipe"
  done
  say "$name: building"
  "$folder/build.sh"
  if [ -e "$folder/Cargo.toml" ]; then
    cargo fmt --manifest-path "$folder/Cargo.toml" --check
    cargo clippy --release --locked --manifest-path "$folder/Cargo.toml" --all-targets \
      --target-dir "${CARGO_TARGET_DIR:-target}/targets/$name/build" -- -D warnings
  fi
  say "$name: a short campaign"
  "$folder/smoke.sh"
done
