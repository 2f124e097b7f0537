#!/usr/bin/env bash
# Generated projects in all combinations: every template of `omnilink new` in C++. (scripts/check-packages.sh builds projects against
# the crates as they would be published.)
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

need_compilers
need_cmake
need_rust

say "templates in C++"
cargo test -p omnilink-cli --test new -- --ignored
