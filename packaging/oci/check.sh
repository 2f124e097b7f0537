#!/usr/bin/env bash
# Builds the image and runs the program in it. Registries of images are not asked: the base is the clean Debian that
# packaging/debian/check.sh keeps. Needs root.
#
#   packaging/oci/check.sh [DIRECTORY]     the directory of the packages, default: `dist` in cargo's target directory
set -euo pipefail
cd "$(dirname "$0")/../.."
source scripts/prerequisites.sh

[ "$(id -u)" -eq 0 ] || die "buildah needs root here" "sudo packaging/oci/check.sh"
have buildah || apt_install buildah
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
packages=$(realpath -m "${1-$target/dist}")
clean=$target/packages/debian.tar
[ -e "$clean" ] || die "there is no $clean" "packaging/debian/check.sh makes it"

work=$(mktemp -d)
# No kernel features beyond chroot are needed to build and to run; nothing is left in the storage of the system.
buildah() { command buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }
cleanup() {
  buildah rm --all >/dev/null 2>&1 || true
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT

say "the base: a clean Debian"
base=$(buildah from scratch)
buildah add --quiet "$base" "$clean" /
buildah commit --quiet "$base" localhost/clean-debian >/dev/null

say "the image"
buildah build --isolation chroot --build-arg BASE=localhost/clean-debian -f packaging/oci/Containerfile -t omnilink "$packages" | tail -n 3
container=$(buildah from omnilink)
[ "$(buildah inspect --format '{{.OCIv1.Config.Cmd}} {{.OCIv1.Config.WorkingDir}}' "$container")" = "[omnilink --help] /work" ] ||
  die "the image does not start omnilink in /work"
inside() { buildah run --isolation chroot "$container" -- "$@"; }
inside omnilink --version
inside omnilink doctor || true

say "a check in the image"
buildah copy --quiet "$container" examples/queue/Queue.tla /work/Queue.tla >/dev/null
printf '{"thread":0,"start":1,"end":2,"op":"Enqueue","elem":1}\n{"thread":0,"start":3,"end":4,"op":"Dequeue","elem":%s}\n' 1 >"$work/good.jsonl"
sed 's/"Dequeue","elem":1/"Dequeue","elem":2/' "$work/good.jsonl" >"$work/bad.jsonl"
buildah copy --quiet "$container" "$work/good.jsonl" "$work/bad.jsonl" /work/ >/dev/null
inside omnilink check Queue.tla good.jsonl
code=0
inside omnilink check Queue.tla bad.jsonl >/dev/null || code=$?
[ "$code" -eq 1 ] || die "the exit code of a rejection is $code, not 1"
