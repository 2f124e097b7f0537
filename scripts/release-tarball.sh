#!/usr/bin/env bash
# Builds a tarball of OmniLink; using it needs no Rust: bin/omnilink, the runtime for C and C++ as a static and a
# shared library, headers, CMake package and pkg-config file. Unpack it in any directory, and add that directory to
# CMAKE_PREFIX_PATH, or its lib/pkgconfig to PKG_CONFIG_PATH.
#
#   scripts/release-tarball.sh [DIRECTORY]     default: the directory `dist` in cargo's target directory
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

need_compilers
need_rust
need_cmake

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
destination=$(realpath -m "${1-$target/dist}")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=omnilink-$version-$(rustc -vV | sed -n 's/^host: //p')

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say "building"
cargo build --release -p omnilink-cli --target-dir "$target"
cmake -S cpp-shim -B "$work/build" -DCMAKE_INSTALL_LIBDIR=lib -DOMNILINK_CARGO_TARGET_DIR="$target"
cmake --build "$work/build"

say "collecting"
cmake --install "$work/build" --prefix "$work/$name"
install -D "$target/release/omnilink" "$work/$name/bin/omnilink"
install -m 644 -D -t "$work/$name/share/doc/omnilink" cpp-shim/README.md LICENSE-APACHE LICENSE-MIT
"$work/$name/bin/omnilink" --version

mkdir -p "$destination"
tar -C "$work" --owner=0 --group=0 -czf "$destination/$name.tar.gz" "$name"
say "$destination/$name.tar.gz"
