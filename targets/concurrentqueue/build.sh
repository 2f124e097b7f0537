#!/usr/bin/env bash
# Gets moodycamel::ConcurrentQueue from Debian and builds the fuzzers into target/targets/concurrentqueue/build.
set -euo pipefail
source "$(dirname "$0")/../common.sh"

need_debian libconcurrentqueue-dev /usr/include/concurrentqueue/concurrentqueue.h
need_omnilink
cmake_build
