#!/usr/bin/env bash
# Checks everything that people install: the crates as they would be published, the Debian packages in a clean system, the container
# image, the jobs for GitHub and GitLab, and that the documented build leaves nothing in the checkout. As root it installs
# missing tools. Takes 20 minutes or more, most of it compilation.
#
#   scripts/check-packages.sh [NAME…]      only these: crates checkout debian oci github gitlab
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

names=("$@")
[ ${#names[@]} -gt 0 ] || names=(crates checkout debian oci github gitlab)
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
for name in "${names[@]}"; do
  case $name in
    crates) packaging/crates/check.sh ;;
    checkout) packaging/check-checkout.sh ;;
    debian) packaging/debian/build.sh && packaging/debian/check.sh ;;
    oci) packaging/oci/check.sh ;;
    github | gitlab)
      need_rust
      cargo build --release --locked -p omnilink-cli
      packaging/$name/check.sh "$target/release/omnilink"
      ;;
    *) die "unknown check: $name" "usage: scripts/check-packages.sh [crates|checkout|debian|oci|github|gitlab]…" ;;
  esac
done
say "all packages are good"
