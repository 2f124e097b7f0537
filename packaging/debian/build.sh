#!/usr/bin/env bash
# Builds two Debian packages: omnilink (the program, manual pages, completions, documentation) and libomnilink-dev (the runtime
# for C and C++). They need the C library of this machine or a later one. DEBFULLNAME and DEBEMAIL name the maintainer.
#
#   packaging/debian/build.sh [DIRECTORY]     default: the directory `dist` in cargo's target directory
set -euo pipefail
cd "$(dirname "$0")/../.."
source scripts/prerequisites.sh

have dpkg-deb && have dpkg-shlibdeps || apt_install dpkg-dev
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
destination=$(realpath -m "${1-$target/dist}")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-OmniLink developers} <${DEBEMAIL:-omnilink@localhost.invalid}>"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

libdir=lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
packaging/tree.sh "$work/usr" "$libdir"

say "packaging"
program=$work/omnilink library=$work/libomnilink-dev
mkdir -p "$program/usr" "$library/usr/share/doc/libomnilink-dev" "$library/usr/lib" "$destination"
mv "$work/usr/include" "$library/usr/include"
mv "$work/usr/$libdir" "$library/usr/lib/"
mv "$work/usr/share/doc/omnilink/cpp-shim/README.md" "$library/usr/share/doc/libomnilink-dev/"
mv "$work/usr/bin" "$work/usr/share" "$program/usr/"
rm -r "$program/usr/share/doc/omnilink/"{cpp-shim,LICENSE-*}
strip --strip-debug "$library/usr/$libdir/libomnilink_c.a"
strip --strip-unneeded "$library/usr/$libdir/libomnilink_c.so"
chmod 644 "$library/usr/$libdir/libomnilink_c".*
gzip -9n "$program/usr/share/man/man1/"*
date=$(date -uR -d "@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}")
for tree in "$program" "$library"; do
  name=$(basename "$tree")
  printf 'omnilink (%s) unstable; urgency=medium\n\n  * See /usr/share/doc/omnilink/CHANGELOG.md.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$date" | gzip -9n >"$tree/usr/share/doc/$name/changelog.gz"
  {
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: OmniLink\n\n'
    printf 'Files: *\nCopyright: (c) The OmniLink contributors\nLicense: Expat or Apache-2.0\n\n'
    printf 'License: Expat\n'
    tail -n +5 LICENSE-MIT | sed 's/^$/./; s/^/ /'
    printf '\nLicense: Apache-2.0\n On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n'
  } >"$tree/usr/share/doc/$name/copyright"
done
mkdir -p "$library/DEBIAN" && echo 'activate-noawait ldconfig' >"$library/DEBIAN/triggers"

# What the program is linked with: dpkg-shlibdeps reads the packages of this machine.
mkdir -p "$work/debian" && printf 'Source: omnilink\n\nPackage: omnilink\nArchitecture: any\n' >"$work/debian/control"
linked() { (cd "$work" && dpkg-shlibdeps -O "$1" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'; }

# control TREE SECTION DEPENDS SUMMARY < the description
control() {
  local tree=$1 name
  name=$(basename "$tree")
  mkdir -p "$tree/DEBIAN"
  {
    printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: %s\n' "$name" "$version" "$architecture" "$maintainer"
    printf 'Section: %s\nPriority: optional\nInstalled-Size: %d\n' "$2" "$(du -ks --exclude=DEBIAN "$tree" | cut -f1)"
    printf 'Depends: %s\n' "$3"
    [ "$name" != omnilink ] || printf 'Suggests: libomnilink-dev, g++, cmake, gdb\n'
    printf 'Description: %s\n' "$4"
    sed 's/^$/./; s/^/ /'
  } >"$tree/DEBIAN/control"
  (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
  dpkg-deb --root-owner-group --build "$tree" "$destination/${name}_${version}_$architecture.deb"
}

control "$program" devel "$(linked "$program/usr/bin/omnilink")" "checks concurrent programs against TLA+ specifications" <<'END'
OmniLink runs a program repeatedly under adversarial schedules, records the
calls that it makes, and searches for an order of the calls that its TLA+
specification allows. A run without such an order is explained, and can be
replayed, also in gdb.
END
control "$library" libdevel "$(linked "$library/usr/$libdir/libomnilink_c.so"), libc6-dev" "records actions of TLA+ specifications (C and C++)" <<'END'
Programs in C and C++ record with this library which actions of a TLA+
specification they perform. The program omnilink checks what they recorded.

This package contains the headers, a static and a shared library, a CMake
package and pkg-config files.
END
