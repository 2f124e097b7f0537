#!/usr/bin/env bash
# Gets oneTBB from Debian and builds the fuzzer into target/targets/onetbb-map/build.
set -euo pipefail
source "$(dirname "$0")/../common.sh"

need_debian libtbb-dev /usr/include/oneapi/tbb/concurrent_hash_map.h
need_omnilink
cmake_build
