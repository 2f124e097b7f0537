#!/usr/bin/env bash
# Runs the commands with which the documentation builds OmniLink in a fresh clone: nothing untracked is left in it.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/prerequisites.sh

need_compilers
need_rust
need_cmake
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet . "$work/omnilink"
cd "$work/omnilink"
unchanged() { [ -z "$(git status --porcelain)" ] || die "$1 leaves this in the checkout: $(git status --porcelain)"; }

say "the first three commands of README.md"
mapfile -t commands < <(sed -n '/^```sh$/,/^```$/p' README.md | sed '1d;/^```$/,$d; s/ *#.*//')
[ ${#commands[@]} -eq 3 ] || die "README.md does not begin with three commands"
export CARGO_INSTALL_ROOT=$work/installed PATH=$work/installed/bin:$PATH
code=0
(eval "${commands[0]}" && eval "${commands[1]}" && eval "${commands[2]}" >/dev/null) || code=$?
[ "$code" -eq 1 ] || die "the third command found no bug (exit code $code)"
unchanged "the beginning of README.md"

say "the library for C and C++"
eval "$(sed -n '/^cmake -S cpp-shim/,/^```/p' cpp-shim/README.md | sed "/^\`\`\`/d; s,~/omnilink,$work/prefix,")"
[ -e "$work/prefix/include/omnilink.h" ] || die "cpp-shim/README.md does not install the library"
unchanged "cpp-shim/README.md"

say "scripts/demo.sh"
scripts/demo.sh >/dev/null
unchanged "scripts/demo.sh"
