#!/usr/bin/env bash
# Gets the queues from crates.io and builds the fuzzer into target/targets/rust-queues/build.
set -euo pipefail
source "$(dirname "$0")/../common.sh"

need_omnilink
cargo_build
