# Sourced first by a target's build.sh and smoke.sh. Afterwards the working directory is the checkout, and
#
#   $name       is the target: the name of its folder
#   $here       is its folder
#   $out        is where it builds and records: target/targets/NAME
#   $omnilink   is the binary: the value of OMNILINK, or built from this checkout by need_omnilink
#
# Targets share the functions below and those of scripts/prerequisites.sh.

here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
name=$(basename "$here")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/prerequisites.sh

built=$(realpath -m "${CARGO_TARGET_DIR:-target}")
out=$built/targets/$name
omnilink=${OMNILINK:-$built/release/omnilink}
mkdir -p "$out"

# need_debian PACKAGE FILE: installs the package, unless this file of it exists.
need_debian() {
  [ -e "$2" ] || apt_install "$1"
  [ -e "$2" ] || die "$2 is missing although $1 is installed" "another version of Debian? Look at: dpkg -L $1"
}

# Builds the binary, unless OMNILINK names one.
need_omnilink() {
  if [ -n "${OMNILINK-}" ]; then
    [ -x "$OMNILINK" ] || die "OMNILINK is $OMNILINK, which is not an executable file" "unset it to use this checkout's"
  else
    need_compilers
    need_rust
    cargo build --quiet --release -p omnilink-cli --target-dir "$built"
  fi
}

# Installs OmniLink for C++ for all targets: $shim.
need_shim() {
  need_compilers
  need_cmake
  need_rust
  shim=$built/targets/.shim/prefix
  local build=$built/targets/.shim/build
  {
    cmake -S cpp-shim -B "$build" -DOMNILINK_CARGO_TARGET_DIR="$built"
    cmake --build "$build"
    cmake --install "$build" --prefix "$shim"
  } >"$out/shim.log" 2>&1 || die "OmniLink for C++ could not be built" "see $out/shim.log"
}

# cmake_build [OPTION…]: builds the target's CMakeLists.txt into $out/build.
cmake_build() {
  need_shim
  cmake -S "$here" -B "$out/build" -DCMAKE_PREFIX_PATH="$shim" "$@"
  cmake --build "$out/build"
}

# Builds the target's Cargo.toml into $out/build.
cargo_build() {
  need_compilers
  need_rust
  cargo build --release --locked --manifest-path "$here/Cargo.toml" --target-dir "$out/build"
}

# up_to_date SPEC LANGUAGE: checks that the generated files are up to date.
up_to_date() { "$omnilink" gen-fuzzer "$here/$1" --lang "$2" -o "$here" --check; }

# new_directory NAME: the path of a new directory below $out, for recordings.
new_directory() {
  rm -rf "${out:?}/$1"
  printf '%s\n' "$out/$1"
}

# expect CODES COMMAND…: runs the command, which must exit with one of these codes: 0, or 0|3. Sets $code; its output is kept for
# `says`.
expect() {
  local expected=$1
  shift
  code=0
  said=$("$@" 2>&1) || code=$?
  [[ $code =~ ^($expected)$ ]] && return
  printf '%s\n' "$said" >&2
  die "exit code $code instead of $expected: $*"
}

# not_rejected COMMAND…: a check or a loop of runs whose threads nobody scheduled. On a busy machine a thread can be stopped in the
# middle of a call for so long that the trace is too hard to decide.
not_rejected() { expect "0|3" "$@"; }

# says TEXT…: checks that the last command of `expect` printed each of these texts.
says() {
  local text
  for text in "$@"; do
    [[ $said == *"$text"* ]] && continue
    printf '%s\n' "$said" >&2
    die "missing in the output: $text"
  done
}
