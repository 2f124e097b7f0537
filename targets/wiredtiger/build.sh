#!/usr/bin/env bash
# Builds the fuzzer into target/targets/wiredtiger.
#
#   build.sh      with Debian's WiredTiger 3.2.1, into build
#   build.sh 11   with WiredTiger 11.3.1 from PyPI's source archive as well: as it comes into build-11-release, with
#                 its diagnostics into build-11-diagnostic. That takes some minutes.
set -euo pipefail
source "$(dirname "$0")/../common.sh"

archive=wiredtiger-11.3.1
files=https://files.pythonhosted.org/packages
url=$files/72/03/ee80bcb233d911af79fe6f67f6145541ce6b1f4cbfb88491b32dccaac4c0/$archive.tar.gz
sha256=95052d1b6fc06921dd617aafa1ba2a773d8dbbbf2eb74f77147290a630e598d0

# The sources, in $out/wiredtiger-11.3.1.
obtain() {
  [ ! -e "$out/$archive/CMakeLists.txt" ] || return 0
  have curl || apt_install curl
  curl --fail --silent --show-error --location -o "$out/$archive.tar.gz" "$url" || die "$url cannot be fetched"
  printf '%s  %s\n' "$sha256" "$out/$archive.tar.gz" | sha256sum --check --status || die "$url is not what it was"
  tar -xzf "$out/$archive.tar.gz" -C "$out"
}

# build_11 SUFFIX OPTION…: the static library, and the fuzzer with it.
build_11() {
  local suffix=$1
  shift
  cmake -S "$out/$archive" -B "$out/$archive$suffix" -DCMAKE_BUILD_TYPE=Release -DENABLE_STATIC=ON -DENABLE_SHARED=OFF \
    -DENABLE_PYTHON=OFF -DENABLE_STRICT=OFF "$@" >"$out/$archive$suffix.log"
  cmake --build "$out/$archive$suffix" --target wiredtiger_static --parallel "$(nproc)" \
    >>"$out/$archive$suffix.log" 2>&1 ||
    die "WiredTiger could not be built" "$out/$archive$suffix.log says why"
  cmake -S "$here" -B "$out/build-11$suffix" -DCMAKE_PREFIX_PATH="$shim" -DWIREDTIGER="$out/$archive$suffix"
  cmake --build "$out/build-11$suffix"
}

need_debian libwiredtiger-dev /usr/include/wiredtiger.h
need_omnilink
cmake_build
case ${1-} in
  "") ;;
  11)
    obtain
    build_11 "-release" -DHAVE_DIAGNOSTIC=OFF
    build_11 "-diagnostic" -DHAVE_DIAGNOSTIC=ON
    ;;
  *) die "there is no version $1 to build" "build.sh, or build.sh 11" ;;
esac
