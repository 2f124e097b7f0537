#!/usr/bin/env bash
# Builds a tarball of OmniLink; using it needs no Rust: bin/omnilink with manual pages and completions, the runtime for C and
# C++ as a static and a shared library, headers, CMake package and pkg-config files. Unpack it in any directory, and add that
# directory to CMAKE_PREFIX_PATH, or its lib/pkgconfig to PKG_CONFIG_PATH.
#
#   scripts/release-tarball.sh [DIRECTORY]     default: the directory `dist` in cargo's target directory
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

need_rust
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
destination=$(realpath -m "${1-$target/dist}")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=omnilink-$version-$(rustc -vV | sed -n 's/^host: //p')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

packaging/tree.sh "$work/$name"
mkdir -p "$destination"
tar -C "$work" --owner=0 --group=0 -czf "$destination/$name.tar.gz" "$name"
say "$destination/$name.tar.gz"
