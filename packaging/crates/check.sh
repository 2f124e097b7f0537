#!/usr/bin/env bash
# Checks the crates as crates.io would get them: a dry run of the publication, what the packages contain, their documentation,
# and then what users do with them: install the program, make projects, build and run them. A directory stands for crates.io: our
# packages, and the crates that they depend on. Downloads those that Cargo does not have yet.
#
#   packaging/crates/check.sh [--release]      --release installs the program as users do; else the dev profile, which is quicker
set -euo pipefail
cd "$(dirname "$0")/../.."
source scripts/prerequisites.sh

profile=--debug
case "${1-}" in
  '') ;;
  --release) profile=--force ;;
  *) die "unknown argument: $1" "usage: packaging/crates/check.sh [--release]" ;;
esac
need_compilers
need_rust

checkout=$PWD
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR=$target/packages
# Outside of the checkout: neither its workspace nor its .cargo/config.toml may be found from there.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The program looks for these names in the path that it was built in: as if it came from a registry.
source=$work/registry/src
mapfile -t crates < <(grep -l '^name = "omnilink' omnilink*/Cargo.toml | xargs -n 1 dirname)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)

say "publication, without an upload"
cargo publish --workspace --dry-run --no-verify --allow-dirty --quiet

say "what the packages contain"
cargo package --no-verify --allow-dirty --quiet "${crates[@]/#/--package=}"
for name in "${crates[@]}"; do
  files=$(tar -tzf "$CARGO_TARGET_DIR/package/$name-$version.crate" | cut -d/ -f2 | sort -u)
  for needed in Cargo.lock Cargo.toml LICENSE-APACHE LICENSE-MIT README.md src; do
    grep -qx "$needed" <<<"$files" || die "the package of $name has no $needed"
  done
  more=$(grep -vxE 'Cargo.lock|Cargo.toml|Cargo.toml.orig|LICENSE-.*|README.md|src|templates|.cargo_vcs_info.json' <<<"$files") &&
    die "the package of $name also contains: $more" "\`include\` in its Cargo.toml says what belongs to it"
  printf '%-18s %7d bytes\n' "$name" "$(stat -c %s "$CARGO_TARGET_DIR/package/$name-$version.crate")"
done

say "a directory that stands for crates.io"
mkdir -p "$source" "$work/.cargo"
cargo vendor --locked --versioned-dirs --quiet "$source" >/dev/null
for name in "${crates[@]}"; do
  archive=$CARGO_TARGET_DIR/package/$name-$version.crate
  tar -xzf "$archive" -C "$source"
  printf '{"files":{},"package":"%s"}' "$(sha256sum "$archive" | cut -d' ' -f1)" >"$source/$name-$version/.cargo-checksum.json"
done
cat >"$work/.cargo/config.toml" <<EOF
[source.crates-io]
replace-with = "packages"
[source.packages]
directory = "$source"
[net]
offline = true
EOF
cd "$work"

say "documentation of the packages"
{
  printf '[workspace]\nresolver = "3"\nmembers = ["registry/src/omnilink*"]\n[patch.crates-io]\n'
  for name in "${crates[@]}"; do printf '%s = { path = "registry/src/%s-%s" }\n' "$name" "$name" "$version"; done
} >Cargo.toml
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --quiet
rm Cargo.toml Cargo.lock

# `cargo install` does not look for a configuration in the working directory.
say "cargo install omnilink-cli --locked $profile"
cargo --config "$work/.cargo/config.toml" install omnilink-cli --locked $profile --quiet --root "$work/installed" --no-track
export PATH=$work/installed/bin:$PATH
[ "$(omnilink --version)" = "omnilink $version" ] || die "this is not the program that was installed: $(command -v omnilink)"
[ "$(cargo omnilink --version)" = "omnilink $version" ] || die "\`cargo omnilink\` does not start the program"
printf '%s: %d bytes\n' "$(omnilink --version)" "$(stat -c %s "$work/installed/bin/omnilink")"

# The dependency is the crate's version: nobody says where it comes from, and there is no checkout.
say "a new project: its correct system, then its buggy one"
omnilink new project
grep -qx 'omnilink = "0.1"' project/Cargo.toml || die "the project does not depend on the published crate" "$(cat project/Cargo.toml)"
(cd project && omnilink run --runs 20 --allow-unknown)
code=0
(cd project && omnilink run --runs 500 -- --buggy >/dev/null) || code=$?
[ "$code" -eq 1 ] || die "no run of the buggy system failed in 500 runs (exit code $code)"

say "a fuzzer from a specification"
omnilink gen-fuzzer "$checkout/examples/queue/Queue.tla" --lang rust
grep -qx 'omnilink = "0.1"' queue-fuzzer/Cargo.toml || die "the fuzzer does not depend on the published crate"
(cd queue-fuzzer && cargo build --quiet && "$CARGO_TARGET_DIR/debug/queue-fuzzer" --ops 1 --trace-dir trace 2>&1 | tail -n 1)
