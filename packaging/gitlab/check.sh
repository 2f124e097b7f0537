#!/usr/bin/env bash
# Runs the job for GitLab on this machine with gitlab-ci-local, in a repository with a new project: the correct system passes, the
# buggy one fails with a JUnit file. gitlab-ci-local comes from npm unless it is installed.
#
#   packaging/gitlab/check.sh OMNILINK      OMNILINK: a built program
set -euo pipefail
cd "$(dirname "$0")/../.."
source scripts/prerequisites.sh

omnilink=$(realpath "${1-}") || die "no program was given" "usage: packaging/gitlab/check.sh target/release/omnilink"
have rsync || apt_install rsync
checkout=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! have gitlab-ci-local; then
  have npm || die "neither gitlab-ci-local nor npm is installed" "apt-get install npm"
  # With the Node.js that it needs, which is newer than that of some systems.
  npm install --silent --prefix "$work/npm" gitlab-ci-local node@22 >/dev/null
  export PATH=$work/npm/node_modules/.bin:$PATH
fi
mkdir "$work/bin" && cp "$omnilink" "$work/bin/omnilink" && export PATH=$work/bin:$PATH

project=$work/project
"$omnilink" new "$project" --omnilink "$checkout" >/dev/null
cd "$project"
cp "$checkout/packaging/gitlab/omnilink.gitlab-ci.yml" .
echo 'include: omnilink.gitlab-ci.yml' >.gitlab-ci.yml
git init --quiet && git remote add origin git@gitlab.example.org:group/project.git
git add . && git -c user.name=n -c user.email=e@localhost commit --quiet -m project

# The shell of this machine instead of the image.
job() { gitlab-ci-local omnilink --force-shell-executor --variable OMNILINK_RUNS=50 "$@" >"$work/log" 2>&1; }
say "the job of a correct project"
job || { cat "$work/log"; die "the job failed"; }
[ -e omnilink-results/report/index.html ] && [ -e omnilink-results/junit.xml ] || { cat "$work/log"; die "the artifacts are missing"; }

say "the job of a buggy project"
sed -i 's,^program: .*,& --buggy,' omnilink.project
rm -rf omnilink-results
git -c user.name=n -c user.email=e@localhost commit --quiet -am bug
! job || { cat "$work/log"; die "the job did not fail"; }
grep -o '<failure message="[^"]*"' omnilink-results/junit.xml || { cat "$work/log"; die "there is no failure in junit.xml"; }
# This runner keeps the cache where the job wrote it.
[ -e .cache/omnilink/history.db ] || die "no verdicts were cached"
