# Sourced by the other scripts: checks that the tools that they use (cargo, compilers, Java, pip) are installed. As root it
# installs missing tools; otherwise it prints what to install. Nothing is downloaded if everything is installed.

rust_needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

say() { printf '\n== %s\n' "$*"; }
die() { printf 'error: %s\n' "$1" >&2; [ -z "${2-}" ] || printf 'hint: %s\n' "$2" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# apt_install PACKAGE…
apt_install() {
  if [ "$(id -u)" -ne 0 ] || ! have apt-get; then
    die "missing: $*" "install the packages with these names (Debian: apt-get install $*) and start again"
  fi
  say "installing $*"
  apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "$@" ||
    die "apt-get could not install $*" "look at its messages above"
}

# The C compiler builds zstd and links; the C++ compiler is for the tests of the C interface.
need_compilers() {
  local missing=()
  have cc || missing+=(gcc libc6-dev)
  have c++ || missing+=(g++)
  [ ${#missing[@]} -eq 0 ] || apt_install "${missing[@]}"
}

need_rust() {
  local hint="install Rust $rust_needed or later from https://rustup.rs and start again"
  # rustup installs cargo here; the PATH of an already running shell may not include it.
  have cargo || PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
  if ! have cargo; then
    [ "$(id -u)" -eq 0 ] || die "cargo is missing" "$hint"
    have curl || apt_install curl ca-certificates
    say "installing Rust with rustup"
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile default ||
      die "rustup could not install Rust" "$hint"
  fi
  local found
  found=$(cargo --version | cut -d' ' -f2) || die "cargo does not run" "$hint"
  [ "$(printf '%s\n' "$rust_needed" "$found" | sort -V | head -n 1)" = "$rust_needed" ] ||
    die "cargo is $found, $rust_needed or later is needed" "rustup update, or: $hint"
}

# need_rust_component NAME PROGRAM
need_rust_component() {
  have "$2" && "$2" --version >/dev/null 2>&1 && return
  have rustup || die "$2 is missing" "install it with the package that brought cargo (Debian: $1)"
  rustup component add "$1" || die "rustup could not install $1" "rustup component add $1"
}

# Installs the runtime for C and C++; programs find it with CMake or pkg-config.
need_cmake() {
  local missing=()
  have cmake || missing+=(cmake)
  have make || have ninja || missing+=(make)
  have pkg-config || missing+=(pkg-config)
  [ ${#missing[@]} -eq 0 ] || apt_install "${missing[@]}"
}

# rr records on machines with performance counters; on others the tests check its error message. Some distributions lack it.
need_rr() {
  have rr && return
  [ "$(uname -m)" = x86_64 ] || return 0
  if [ "$(id -u)" -eq 0 ] && have apt-get; then
    apt_install rr
  else
    say "rr is not installed: its tests only see that (Debian: apt-get install rr)"
  fi
}

# gdb debugs replayed runs. Without it, the tests that use it print a message and are skipped.
need_gdb() {
  have gdb && return
  if [ "$(id -u)" -eq 0 ] && have apt-get; then
    apt_install gdb
  else
    say "gdb is not installed: what it does with replayed runs is not tested (Debian: apt-get install gdb)"
  fi
}

# An allocator for test programs under the chaos scheduler. Without it, these are not tested.
need_jemalloc() {
  [ "$(uname -m)" = x86_64 ] || return 0
  echo | cc -shared -o /dev/null -x c - -ljemalloc 2>/dev/null && return
  if [ "$(id -u)" -eq 0 ] && have apt-get; then
    apt_install libjemalloc-dev
  else
    say "jemalloc is not installed: programs with it are not tested (Debian: apt-get install libjemalloc-dev)"
  fi
}

# TLC, the reference for the evaluator, is a Java program.
need_java() {
  have java || apt_install default-jre-headless
  java -version >/dev/null 2>&1 || die "java does not run" "java -version says why"
}

need_pip() {
  have python3 || apt_install python3 python3-pip
  python3 -m pip --version >/dev/null 2>&1 || apt_install python3-pip
}
