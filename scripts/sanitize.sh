#!/usr/bin/env bash
# Runs the recorder's tests under AddressSanitizer and ThreadSanitizer. Both need a nightly toolchain; ThreadSanitizer
# also needs the component rust-src, because it must instrument the synchronisation inside the standard library: with the
# precompiled one it reports false races. Missing parts are skipped, with a message.
#
#   scripts/sanitize.sh [address|thread]
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

need_compilers
need_rust
target=$(rustc -vV | sed -n 's/^host: //p')
nightly_sysroot=$(rustc +nightly --print sysroot 2>/dev/null) || {
  say "skipped: there is no nightly toolchain (rustup toolchain install nightly --component rust-src)"
  exit 0
}

# sanitize NAME CARGO-ARGUMENTS…: uses a separate target directory, because everything is compiled differently. Instrumented
# functions need a larger stack for deeply nested values.
sanitize() {
  local name=$1
  shift
  say "$name sanitizer"
  CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/sanitize-$name" RUST_MIN_STACK=16777216 \
    RUSTFLAGS="-Zsanitizer=$name ${flags-}" \
    cargo +nightly test -p omnilink-runtime --target "$target" --no-fail-fast --lib --tests "$@"
}

# Finished sessions are never freed, so leaks are expected. The crash suite causes segmentation faults on purpose.
address() {
  ASAN_OPTIONS=detect_leaks=0:handle_segv=0 flags=-Cunsafe-allow-abi-mismatch=sanitizer sanitize address
}

# Left out: the crash suite (victims die by signals that the sanitizer handles itself), address space limits (it reserves
# terabytes), and destructors that run after the sanitizer has taken down its own part of the thread.
thread() {
  if [ ! -d "$nightly_sysroot/lib/rustlib/src/rust/library" ]; then
    say "skipped: the thread sanitizer needs rust-src (rustup component add rust-src --toolchain nightly)"
    return
  fi
  TSAN_OPTIONS=die_after_fork=0 sanitize thread -Zbuild-std -- \
    --skip killed_by --skip ended_by --skip no_address_space --skip destructors_of_posix_threads_record
}

case "${1-both}" in
  address) address ;;
  thread) thread ;;
  both) address && thread ;;
  *) die "unknown sanitizer: $1" "scripts/sanitize.sh [address|thread]" ;;
esac
