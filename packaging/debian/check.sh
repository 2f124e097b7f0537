#!/usr/bin/env bash
# Installs the Debian packages into a clean Debian and uses them there: version, manual pages, completions, a C++ project built and
# run against the installed library. Needs root, mmdebstrap and Debian's mirror. A clean system is kept in cargo's target directory.
#
#   packaging/debian/check.sh [DIRECTORY]     the directory of the packages, default: `dist` in cargo's target directory
set -euo pipefail
cd "$(dirname "$0")/../.."
source scripts/prerequisites.sh

[ "$(id -u)" -eq 0 ] || die "only root can make a clean system" "sudo packaging/debian/check.sh"
have mmdebstrap || apt_install mmdebstrap
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
packages=$(realpath -m "${1-$target/dist}")
ls "$packages"/omnilink_*.deb "$packages"/libomnilink-dev_*.deb >/dev/null || die "no packages in $packages" "packaging/debian/build.sh"
clean=$target/packages/debian.tar
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")

work=$(mktemp -d)
root=$work/root
cleanup() {
  umount "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT
mkdir -p "$root" "$target/packages"
if [ ! -e "$clean" ]; then
  say "a clean Debian ($suite)"
  mmdebstrap --quiet --variant=minbase "$suite" "$clean.new.tar" && mv "$clean.new.tar" "$clean"
fi
tar -C "$root" -xf "$clean"
cp /etc/resolv.conf "$root/etc/"
mount -t proc proc "$root/proc"
cp "$packages"/*.deb "$root/root/"
inside() { chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
install_inside() { inside sh -c 'apt-get update -q >/dev/null && apt-get install -q -y --no-install-recommends "$@" >/dev/null' sh "$@"; }

say "the program alone"
inside dpkg -i $(cd "$root" && ls root/omnilink_*.deb | sed 's,^,/,')
inside omnilink --version
[ "$(inside cargo-omnilink omnilink --version)" = "$(inside omnilink --version)" ] || die "cargo-omnilink does not start omnilink"
inside omnilink doctor || true
code=0
said=$(inside omnilink new project 2>&1) || code=$?
[ "$code" -eq 2 ] && grep -q -- --omnilink <<<"$said" || die "a Rust project without the crate is not refused: $said"

say "manual pages and completions"
install_inside man-db bash-completion zsh fish
inside man -w omnilink omnilink-run
inside sh -c 'man omnilink-run | grep -q "omnilink run Queue.tla"' || die "the page of \`omnilink run\` has no example"
inside bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader omnilink; complete -p omnilink' ||
  die "bash has no completions for omnilink"
inside zsh -c 'autoload -Uz compinit && compinit -u && [ -n "$_comps[omnilink]" ]' || die "zsh has no completions for omnilink"
inside fish -c 'complete -C "omnilink re"' | grep -q '^replay' || die "fish has no completions for omnilink"

say "a C++ project with the installed library"
install_inside g++ cmake make pkg-config $(cd "$root" && ls root/libomnilink-dev_*.deb | sed 's,^,/,')
inside sh -c 'cd /root && omnilink new project --lang cpp && cd project && omnilink run --runs 20 --allow-unknown'
code=0
inside sh -c 'cd /root/project && omnilink run --runs 500 -- --buggy >/dev/null' || code=$?
[ "$code" -eq 1 ] || die "no run of the buggy system failed in 500 runs (exit code $code)"
for options in "omnilink" "--static omnilink" "omnilink_shared"; do
  inside sh -c 'c++ -std=c++17 /root/project/fuzzer.cpp -I/root/project -o /root/fuzzer $(pkg-config --cflags --libs '"$options"') && /root/fuzzer --ops 5 --trace-dir $(mktemp -d)/t'
done

say "removing them leaves nothing"
inside dpkg --purge omnilink libomnilink-dev >/dev/null
left=$(inside find / -xdev -iname '*omnilink*' -not -path '/root/*' -not -path '/proc/*' -not -path '/tmp/*' -not -path '/var/cache/*') || true
[ -z "$left" ] || die "left behind: $left"
