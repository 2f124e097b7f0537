#!/usr/bin/env bash
# Builds OmniLink and installs it into a directory, from which packages are made: the program with its manual pages and
# completions, the runtime for C and C++ as a static and a shared library, headers, CMake package, pkg-config files, documentation.
#
#   packaging/tree.sh DIRECTORY [LIBDIR]      LIBDIR: the directory of libraries below DIRECTORY, default lib
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

[ $# -ge 1 ] || die "no directory was given" "usage: packaging/tree.sh DIRECTORY [LIBDIR]"
need_compilers
need_rust
need_cmake

tree=$(realpath -m "$1")
libdir=${2-lib}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say "building"
cargo build --release --locked -p omnilink-cli --target-dir "$target"
cmake -S cpp-shim -B "$work/build" -DCMAKE_INSTALL_LIBDIR="$libdir" -DOMNILINK_CARGO_TARGET_DIR="$target" >/dev/null
cmake --build "$work/build"

say "installing into $tree"
cmake --install "$work/build" --prefix "$tree" >/dev/null
install -D "$target/release/omnilink" "$tree/bin/omnilink"
install -D "$target/release/cargo-omnilink" "$tree/bin/cargo-omnilink"
omnilink=$tree/bin/omnilink
"$omnilink" --version
"$omnilink" man-pages "$tree/share/man/man1"
completions() { mkdir -p "$tree/share/$2" && "$omnilink" completions "$1" >"$tree/share/$2/$3"; }
completions bash bash-completion/completions omnilink
completions zsh zsh/vendor-completions _omnilink
completions fish fish/vendor_completions.d omnilink.fish
install -m 644 -D -t "$tree/share/doc/omnilink" README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT
install -m 644 -D -t "$tree/share/doc/omnilink/docs" docs/*
install -m 644 -D cpp-shim/README.md "$tree/share/doc/omnilink/cpp-shim/README.md"
