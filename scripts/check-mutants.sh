#!/usr/bin/env bash
# Mutation testing of omnilink-check: applies each mutant to a copy of the code and checks that a test fails. Arguments
# select mutants by name. Takes 10 to 60 minutes, most of it compilation.
# With --dry-run it only checks that every mutant still changes the code, which takes seconds.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prerequisites.sh
need_rust

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
# Touched, because cargo compares modification times to decide what to rebuild.
git ls-files --cached --others --exclude-standard |
  while IFS= read -r file; do [ ! -f "$file" ] || printf '%s\n' "$file"; done |
  tar --create --files-from - | tar --extract --touch --directory "$copy"
original=$copy/original/omnilink-check/src
for crate in omnilink-check omnilink-tla; do
  mkdir -p "$copy/original/$crate"
  cp -r "$copy/$crate/src" "$copy/original/$crate"
done
tla=../../omnilink-tla/src
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target/mutants}
dry_run=
[ "${1-}" != --dry-run ] || { dry_run=yes; shift; }
wanted=("$@")
missed=0

tests=(--package omnilink-check --package omnilink-tla --test oracles --test semantics --test long --test wide --test extension --test footprints --test parts)
suite() { (cd "$copy" && cargo test --quiet "${tests[@]}" "$@"); }

# mutant NAME FILE EXPRESSION [FILE EXPRESSION]…: the name of the fault, and Perl substitutions in files of src that cause it.
mutant() {
  local name=$1 file changed=()
  [ ${#wanted[@]} -eq 0 ] || [[ " ${wanted[*]} " == *" $name "* ]] || return 0
  shift
  while [ $# -gt 0 ]; do
    file=$copy/omnilink-check/src/$1
    perl -0pi -e "$2" "$file"
    ! cmp --silent "$file" "$original/$1" || die "mutant $name changes nothing in $1" "the code was changed: adapt $0"
    changed+=("$1")
    shift 2
  done
  [ -n "$dry_run" ] || run_with "$name"
  for file in "${changed[@]}"; do
    cp "$original/$file" "$copy/omnilink-check/src/$file"
  done
}

# run_with NAME: whether a test notices the mutant of this name, which was applied.
run_with() {
  local name=$1
  if ! suite --no-run >"$copy/log" 2>&1; then
    tail -n 30 "$copy/log"
    die "mutant $name does not compile" "the code was changed: adapt $0"
  fi
  if suite --no-fail-fast >"$copy/log" 2>&1; then
    printf '%-28s MISSED\n' "$name"
    missed=$((missed + 1))
  else
    printf '%-28s noticed by %s\n' "$name" "$(sed -n 's/^    \([a-z_:]*\)$/\1/p' "$copy/log" | sort -u | paste -sd ' ')"
  fi
}

if [ -z "$dry_run" ]; then
  say "without mutants"
  suite
fi

say "mutants"
mutant viability-strict search/placement.rs 's/head.is_left && head.start <= earliest/head.is_left && head.start < earliest/'
mutant viability-absent search/placement.rs 's/head.is_left && head.start <= earliest/head.is_left/'
mutant observed-too-early search/placement.rs 's/head.read_only && head.start <= time/head.read_only/'
mutant key-without-positions search/placement.rs 's/number\(lane as u64\)/number(lane as u64) >> 127/'
mutant key-without-state search/placement.rs 's/self\.key\.wrapping_add\(fingerprint\)/self.key.wrapping_add(fingerprint >> 127)/'
mutant key-without-choice search/placement.rs 's/number\(1 << 63 \| \(lane as u64\) << 16 \| u64::from\(choice\)\)/u128::from(choice) >> 64 | lane as u128 >> 64/'
# Two unsound variants of the rule for read-only events.
mutant read-only-if-unchanged search/placement.rs 's/head.read_only && head.start <= time/head.is_left && head.start <= time/' \
  search/problem.rs 's/\|_\| \{\s*holds = true;\s*ControlFlow::Break\(\(\)\)/|reached| { holds |= self.fingerprint(\&reached) == self.fingerprint(\&Reached::same(state)); ControlFlow::Continue(())/'
mutant read-only-if-done-is prepare.rs 's/never_changes\(step\) && never_changes\(done\)/{ let _ = step; never_changes(done) }/'
mutant guards-ignored prepare.rs 's/let unconditional = meaning\.is_unconditional\(&args\);/let unconditional = true;/'
mutant conditions-ignored search/compiled.rs 's/choice\.unconditional && choice\.condition\.is_none\(\)/choice.unconditional/'
mutant steps-are-not-done search/compiled.rs 's/\[usize::from\(inner\)\]/[0]/'
mutant observers-miscounted search/placement.rs 's/self\.observers > 0/self.observers > 1/'
mutant bindings-not-restored timeline.rs 's/self\.binds \|= event\.choice_count > 1/self.binds |= event.choice_count > 9/'
mutant required-skipped search/problem.rs 's/(let optional = lanes\.iter\(\))\.filter\([^;]*;/$1;/'
mutant pending-required prepare.rs 's/(notes\.pending \+= 1;\s*)true/$1false/'
mutant indeterminate-required prepare.rs 's/(notes\.indeterminate \+= 1;[^;]*;\s*)true/$1false/'
mutant aborted-done prepare.rs 's/\(Outcome::Aborted, None\) =>/(Outcome::Aborted, None) if self.cut == Some(0) =>/'
mutant cut-ignored prepare.rs 's/cut: trace\.earliest_stop\(\),/cut: trace.earliest_stop().filter(|cut| *cut == 0),/'
mutant cut-open-required prepare.rs 's/(open_at_cut \+= u64::from\(end\.is_none\(\)\);\s*)end\.is_none\(\)/$1false/'
mutant cut-boundary prepare.rs 's/\*end < cut/*end <= cut/'
mutant failure-forgotten search/depth_first/mod.rs 's/failures\.note\(problem\.place\(placement, it\.lane\), failure\);/let _ = (\&failures, failure);/'
mutant observed-failure-forgotten search/depth_first/mod.rs 's/self\.failures\.note\(self\.problem\.place\(placement, lane as u32\), failure\);/let _ = failure;/'
mutant failure-before-witness check.rs 's/\(Ended::Found, _\)/(Ended::Found, None)/'
mutant first-successor-only search/depth_first/mod.rs 's/Ok\(identity\) => \{/Ok(_) if nth > 0 => {}\n            Ok(identity) => {/'
# What dead-end detection and partial-order reduction rely on.
mutant front-of-nothing $tla/spec/state.rs 's/if !tuple\.is_empty\(\)/if tuple.len() < 99/'
mutant keys-alike-differ $tla/eval/compiled/cells.rs 's/(\(Kind::At\(here\), Part::At\(there\)\) =>) may_be_one/$1 self.variable.0 > 9 \&\& may_be_one/'
mutant changes-alike-commute $tla/eval/compiled/cells.rs 's/(\(Kind::At\(here\), Kind::At\(there\)\) =>) may_be_one/$1 self.variable.0 > 9 \&\& may_be_one/'
mutant incomparable-are-apart $tla/eval/compiled/cells.rs 's/unwrap_or\(true\)/unwrap_or(false)/'
mutant append-is-not-seen $tla/eval/compiled/footprint.rs 's/change\.affects\(cell\)/change.affects_filled(cell)/'
mutant decisive-forgotten $tla/eval/compiled/footprint.rs 's/let decisive = decisive\.map\(\|_\| cells\.as_slice\(\)\);/let decisive = decisive.map(|_| \&cells[..0]);/'
mutant blockade-unguarded search/reduction.rs 's/\.filter\(is_left\)\.all\(is_refused\)/.filter(is_left).all(|other| is_refused(other) || !other.refusals.is_empty())/'
mutant unknown-is-independent search/reduction.rs 's/\.is_none_or\(&concerns\)/.is_some_and(\&concerns)/'
mutant refused-for-nothing search/reduction.rs 's/!rest\.any\(\|it\| it\.may_change\(refusal\)\)/!rest.any(|it| it.may_change(refusal) \&\& it.refusals.len() > 9)/'
mutant window-strict search/reduction.rs 's/event\.start <= time/event.start < time/'
mutant window-begins-late search/reduction.rs 's/other\.end < event\.start/other.start < event.start/'
mutant optional-must-happen search/reduction.rs 's/!it\.one_step \|\| it\.optional/!it.one_step/'
mutant skipped-takes-no-room search/reduction.rs 's/ && !other\.optional;/;/'
# What independent parts rely on.
mutant parts-without-inner-steps parts/components.rs 's/\.filter\(\|inner\| has_steps \|\| !inner\)/.filter(|inner| !inner \&\& (has_steps || !inner))/'
mutant parts-of-first-choices parts/components.rs 's/0\.\.event\.choice_count/0..1/'
mutant parts-cut-through-wholes parts/components.rs 's/\.is_whole \{\s*join/.is_whole \&\& node == 99 {\n join/'
mutant parts-forget-changes parts/components.rs 's/touched\.is_changed \|= changes;/touched.is_changed = changes;/'
mutant parts-ignore-other-cells parts/components.rs 's/nodes\.for_each\(\|other\| join\(&mut roots, one, other\)\);/nodes.for_each(|other| join(\&mut roots, one, if other == 99 { other } else { one }));/'
mutant parts-of-unlike-points parts/components.rs 's/fits\.then_some\(\(\)\)/(fits || true).then_some(())/'
mutant parts-of-unknown-events parts/components.rs 's/let footprint = problem\.footprint_of\(choice, inner\)\?;/let Some(footprint) = problem.footprint_of(choice, inner) else { continue };/'
mutant parts-ignore-reads $tla/eval/compiled/footprint.rs 's/reads\.chain\(changes\.map/reads.take(0).chain(changes.map/'
mutant parts-unsure-is-rejected parts/rounds.rs 's/Ended::Exhausted if failures\.count > 0 \|\| limited/Ended::Exhausted if limited/'
mutant parts-unsure-is-forgotten parts/rounds.rs 's/Step::Unsure => is_unsure = true,/Step::Unsure => {}/' \
  parts/rounds.rs 's/debug_assert_eq!\(orders\.len\(\)[^;]*;//'
mutant parts-of-one-initial-state parts/rounds.rs 's/if !part\.refused\[nth\] \{/if !part.refused[nth] \&\& nth > 99 {/'
mutant merge-without-time parts/merge.rs 's/if start > earliest \{/if start > earliest \&\& nth == 999 {/'
mutant merge-without-lanes parts/merge.rs 's/if self\.at\[event\.lane as usize\] == event\.at && only/if self.at[event.lane as usize] <= event.at \&\& only/'
mutant merge-without-parts parts/merge.rs 's/only\.is_none_or\(\|only\| only == \*event\)/(only.is_some() || only.is_none_or(|only| only == *event))/'
# One call has one value; the statement of a smaller reason about the first events.
mutant arguments-forgotten search/specification.rs 's/if inner \|\| known\.is_some\(\) \{/if inner \&\& known.is_some() {/'
mutant arguments-not-compared search/arguments.rs 's/Some\(Known::In\(set\)\) if !value\.member\(set\)/Some(Known::In(set)) if value.member(set).is_err() \&\& !value.member(set)/'
mutant key-without-arguments search/placement.rs 's/u64::from\(args\.word\(\)\)/u64::from(args.word()) >> 63/'
mutant entangled-taken-apart $tla/eval/arguments.rs 's/if alone\.contains\(&unknown\.id\)/if alone.len() > 99/' $tla/eval/arguments.rs 's/evaluated\.err\(\)\.and_then/evaluated.err().filter(|_| alone.len() > 99).and_then/'
mutant inner-steps-not-closed search/frontier.rs 's/let mut changed = placement\.has_observers\(\);/let mut changed = placement.has_observers() \&\& configuration.inner == 0;/' search/frontier.rs 's/let Configuration \{ placement, state, \.\. \} = &mut configuration;/let Configuration { placement, state, inner } = \&mut configuration;/' search/frontier.rs 's/configuration\.inner == 0/*inner == 0/'
mutant begun-forgotten search/placement.rs 's/bound\.filter\(\|_\| placement\.next\(part, lane\)\.is_some\(\)\)/bound.filter(|_| placement.next(part, lane).is_none())/'
# Where a cut hides nothing, and what it says of the events before it.
mutant cut-hides-calls shrink/cut.rs 's/let rank = \(hidden\(problem\.history, &starts\), states\.len\(\)\);/let rank = (hidden(problem.history, \&starts) * 0, states.len());/'
mutant cut-of-some-orders shrink/cut.rs 's/best\.filter\(\|_\| !frontier\.is_partial\)/best.filter(|_| !frontier.is_partial || true)/'
mutant cut-counts-reads shrink/cut.rs 's/placed\.filter\(\|event\| !event\.read_only\)/placed.filter(|event| !event.read_only || event.read_only)/'
# What a larger constant is said to leave as it is.
mutant extension-constant-is-equal $tla/spec/extension/expr.rs 's/(name\.as_str\(\) == self\.constant => Ok\()Kind::Set/$1Kind::Plain/'
mutant extension-domain-is-equal $tla/spec/extension/expr.rs 's/Kind::Over\(_\) => Ok\(Kind::Set\)/Kind::Over(_) => Ok(Kind::Plain)/'
mutant extension-bounds-ignored $tla/spec/extension/expr.rs 's/bounds\.binders\.iter\(\)\.try_for_each\(\|binder\| self\.plain\(&binder\.set, env\)\)\?;/bounds.binders.iter().try_for_each(|binder| self.kind(\&binder.set, env).map(|_| ()))?;/'
mutant extension-parts-ignored $tla/spec/extension/expr.rs 's/Part::Here\(inner\) => self\.plain\(inner, env\)/Part::Here(inner) => self.kind(inner, env).map(|_| ())/'
mutant extension-function-is-equal $tla/spec/extension/expr.rs 's/Kind::Set if !is_recursive => Ok\(Kind::over\(value\)\)/Kind::Set if !is_recursive => Ok(Kind::map(value))/'
mutant extension-assigned-twice $tla/spec/extension/act.rs 's/if !assigned\.insert\(variable\) && !joined\.is_plain\(\)/if !assigned.insert(variable) \&\& !joined.is_plain() \&\& assigned.is_empty()/'
mutant extension-empty-accepted constants.rs 's/if self\.values\.is_empty\(\)/if self.values.is_empty() \&\& self.name.is_empty()/'
mutant first-init-only search/run.rs 's/in inits\.iter\(\)\.enumerate\(\)/in inits.iter().enumerate().take(1)/'
mutant first-candidate-only search/problem.rs 's/(for nth in self\.choices_left\(placement, lane, event\))/$1.take(1)/'
mutant limit-as-rejection check.rs 's/_ if limited =>/_ if limited \&\& stuck.count == 0 =>/'
mutant state-not-replayed search/stack/states.rs 's/state = self\.again\(/let _ = self.again(/'
mutant suspended-lost search/stack/mod.rs 's/(pop_if\(is_here\) else \{ return false \};)/$1\n        if suspended.at < usize::MAX { return false; }/'
mutant subtree-lost search/work_queue.rs 's/waiting\.subtrees\.extend\(subtrees\)/waiting.subtrees.extend(subtrees.into_iter().take(0))/'
mutant over-too-soon search/work_queue.rs 's/waiting\.idle == waiting\.workers/waiting.idle > 1/'
mutant helpers-order-lost search/depth_first/mod.rs 's/if takes_order \{/if takes_order \&\& self.order.len() > 999 {/'
mutant view-not-rechecked check.rs 's/if !problem\.use_view \|\| /if problem.use_view || !problem.use_view || /'
# The search for linearizations and visibilities, which has tests of its own.
tests=(--package omnilink-check --test consistency)
mutant sets-only-first consistency/visibility.rs 's/self\.minimal\(required, usize::MAX\)/self.minimal(required, 1)/'
mutant sets-not-closed consistency/visibility.rs 's/self\.lin\.close\(rules, &mut larger\);\s*if known\.insert\(larger\.clone\(\)\) \{\s*open/if known.insert(larger.clone()) { let _ = rules; open/'
mutant contexts-at-a-place-are-one consistency/visibility.rs 's/seen\.insert\(\(place, states\)\)/seen.insert((place, SetId::EMPTY))/'
mutant reads-fill-contexts consistency/visibility.rs 's/\} else if !self\.lin\.calls\.all\[call\]\.only_reads \{/} else if self.lin.calls.all[call].only_reads {/'
mutant left-out-are-related consistency/linearization.rs 's/before\.intersect\(&self\.placed\);//'
mutant required-not-closed consistency/linearization.rs 's/self\.close\(rules, &mut required\);//'
mutant lin-key-without-order consistency/search.rs 's/main, states, rest, sees\)/main, states, rest.len(), sees)/'
mutant lin-key-without-sets consistency/search.rs 's/main, states, rest, sees\)/main, states, rest, sees.len())/'
mutant lin-key-without-states consistency/search.rs 's/main, states, rest, sees\)/main, states >> 31, rest, sees)/'
mutant lin-key-without-main consistency/search.rs 's/main, states, rest, sees\)/main.is_some(), states, rest, sees)/'
mutant seen-by-one-seen-by-all consistency/search.rs 's/\(\*count\)\.min\(\*from_next\)/(*count).max(*from_next)/'
mutant seen-by-next-seen-by-later consistency/calls.rs 's/own\[lane\]\.min\(later\)/own[lane].min(later | own[lane])/'
mutant left-out-calls-see-all consistency/search.rs 's/none\.is_empty\(\) && self\.strong_required == 0/none.is_empty() \&\& self.strong_required == 99/'
mutant late-though-lin-counts consistency/calls.rs 's/&& !self\.mention_lin\s*&& followers/\&\& followers/'
mutant late-though-others-are-left-out consistency/calls.rs 's/followers\.all\(\|follower\| !self\.has_to_be_left_out\(follower\)\)/followers.all(|_| true)/'
mutant late-though-strong consistency/calls.rs 's/&& !self\.rules\[rules\]\.is_strong\s*&& !self/\&\& self.rules.len() > rules \&\& !self/'
mutant late-though-impossible consistency/search.rs 's/\|\| !self\.contexts\.excluded/|| self.contexts.excluded || !self.contexts.excluded/'
mutant read-though-lin-counts consistency/search.rs 's/self\.free_reads && !self\.calls\.mention_lin/self.free_reads/'
mutant read-though-not-possible consistency/search.rs 's/\(may && self\.contexts\.allows\(main, call\)\)/may.then_some(main)/' consistency/search.rs 's/may\.then_some\(main\)\.then_some\(call\)/may.then_some(call)/'
mutant pending-calls-are-left-out-only consistency/search.rs 's/moves\.push\(Move::Place\(call, Target::Call\(call\)\)\);/if !self.calls.all[call].optional { moves.push(Move::Place(call, Target::Call(call))); }/'
mutant one-state-of-several consistency/contexts.rs 's/for state in &\*self\.states\(set\) \{/for state in self.states(set).iter().take(1) {/'
mutant alone-all-are-seen consistency/alone.rs 's/let may_pass = self\.calls\.all\[call\]\.optional \|\| !is_seen/let may_pass = self.calls.all[call].optional/'
mutant alone-all-happen consistency/alone.rs 's/let may_pass = self\.calls\.all\[call\]\.optional \|\| !is_seen/let may_pass = !is_seen/'
mutant alone-states-are-one consistency/alone.rs 's/&positions, states\.number\(\)/\&positions, states == SetId::EMPTY/'
mutant alone-results-are-recorded consistency/alone.rs 's/self\.contexts\.after\(states, call\)/self.contexts.after_own(states, call)/'
mutant weak-calls-keep-results consistency/model.rs 's/self\.step\(state, call, None, visit\)/self.own_result(state, call, visit)/'

tests=(--package omnilink-check --test models)
mutant model-reads-may-change model/problem.rs 's/return Err\(Changed\(nth\)\);/let _ = nth;/'
mutant model-pending-calls-happen model/calls.rs 's/optional: call\.outcome == Outcome::Indeterminate/optional: false/'
mutant model-touching-calls-are-ordered model/calls.rs 's/end\(last\) < all\[nth\]\.start/end(last) <= all[nth].start/'
mutant model-hard-parts-hide-others model/check.rs 's/Verdict::Accepted\(_\) \| Verdict::Unknown\(Stopped::Configurations\)/Verdict::Accepted(_)/'
mutant model-parts-see-each-other consistency/model.rs 's/self\.part_of\[number\]\)/self.part_of[number].min(0))/'

[ -z "$dry_run" ] || exit 0
say "$missed mutants were missed"
[ "$missed" -eq 0 ]
