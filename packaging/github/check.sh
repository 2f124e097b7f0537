#!/usr/bin/env bash
# Runs the steps of the action, and of the workflow that `omnilink new` writes, on this machine as written (run_steps.py). A correct
# project passes, its buggy twin fails and is annotated; what is uploaded and cached is there. Also lints both with
# actionlint where it is installed.
#
#   packaging/github/check.sh OMNILINK      OMNILINK: a built program
set -euo pipefail
cd "$(dirname "$0")/../.."
source scripts/prerequisites.sh

omnilink=$(realpath "${1-}") || die "no program was given" "usage: packaging/github/check.sh target/release/omnilink"
python3 -c 'import yaml' 2>/dev/null || apt_install python3-yaml
checkout=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# steps NAME FILE ARGUMENT…: runs the steps in the job NAME with a home that has the program; the log is in NAME/log.
steps() {
  local job=$work/$1 file=$2
  shift 2
  mkdir -p "$job/home/.local/omnilink/bin" "$job/home/.cargo"
  cp "$omnilink" "$job/home/.local/omnilink/bin/omnilink"
  CARGO_HOME=${CARGO_HOME:-$HOME/.cargo} RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup} \
    python3 "$checkout/packaging/github/run_steps.py" "$file" --workspace "$job/workspace" --home "$job/home" --cache "$work/cache" "$@" >"$job/log" 2>&1
}
has() { [ -e "$1" ] || { cat "$work"/*/log; die "there is no $1"; }; }

say "the action on a correct project"
mkdir -p "$work/good"
(cd "$work/good" && mkdir workspace && "$omnilink" new workspace/fuzz --omnilink "$checkout" >/dev/null)
steps good packaging/github/action.yml --input directory=fuzz --input runs=20 || { cat "$work/good/log"; die "the job failed"; }
for file in summary.md omnilink/runs.db omnilink/junit.xml omnilink/report/index.html; do has "$work/good/artifacts/$file"; done
ls "$work/cache" | grep -q '^omnilink-verdicts-fuzz-' || die "no verdicts were saved"
! grep -q '^::error' "$work/good/log" || die "something is annotated: $(grep '^::error' "$work/good/log")"

say "the action on a buggy project, with the verdicts of the first job"
mkdir -p "$work/buggy"
cp -r "$work/good/workspace" "$work/buggy/workspace"
code=0
steps buggy packaging/github/action.yml --input directory=fuzz --input "arguments=$(printf -- '--keep-going\n--allow-unknown\n--\n--buggy')" --input runs=100 || code=$?
[ "$code" -eq 1 ] || { cat "$work/buggy/log"; die "the job did not fail"; }
grep -q '   restored omnilink-verdicts-fuzz-' "$work/buggy/log" || die "the verdicts of the first job were not restored"
grep '^::error file=fuzz/Queue.tla,line=' "$work/buggy/log" | cut -c 1-120
grep -q '^::error file=fuzz/Queue.tla,line=' "$work/buggy/log" || { cat "$work/buggy/log"; die "the failure is not annotated"; }
grep -q '^### ' "$work/buggy/artifacts/summary.md" || die "the summary names no failure"
history=$work/buggy/home/.cache/omnilink/history.db
[ "$("$omnilink" store list "$history" --json 2>/dev/null | wc -c)" -gt 2 ] || die "the history is empty"

# The program is installed by the workflow itself, from a repository: here, from this checkout, into the job's own directory.
say "the workflow of a new project"
mkdir -p "$work/new"
"$omnilink" new "$work/new/workspace" --omnilink "git+file://$checkout" >/dev/null
workflow=$work/new/workspace/.github/workflows/omnilink.yml
if have actionlint; then actionlint "$workflow"; else say "actionlint is not installed: the workflow is not linted"; fi
grep -q 'cargo install --git' "$workflow" || die "the workflow does not install OmniLink"
# What the cache of the action gives to its jobs, PATH gives to this one: building OmniLink again shows nothing.
sed -i '/^      - name: Install OmniLink$/,/omnilink-cli$/d' "$workflow"
sed -i 's/--runs 200/--runs 50/' "$workflow"
sed -i "s,^omnilink = .*,omnilink = { path = \"$checkout/omnilink\" }," "$work/new/workspace/Cargo.toml"
PATH=$work/new/home/.local/omnilink/bin:$PATH steps new "$workflow" || { cat "$work/new/log"; die "the job failed"; }
for file in summary.md omnilink/runs.db omnilink/report/index.html; do has "$work/new/artifacts/$file"; done
sed -i 's/--runs 50/--runs 500/; s/--allow-unknown/& -- --buggy/' "$workflow"
rm -rf "$work/new/temp"
code=0
PATH=$work/new/home/.local/omnilink/bin:$PATH steps new "$workflow" || code=$?
[ "$code" -eq 1 ] && grep -q '^::error file=Queue.tla,line=' "$work/new/log" || { cat "$work/new/log"; die "the failure is not annotated"; }
