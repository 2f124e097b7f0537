//! What exploration does faster gives what the plain way gives.

use std::collections::{HashSet, VecDeque};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::seen::Seen;
use crate::eval::Keeping;
use crate::spec::{Options, Spec, State};
use crate::value::Fingerprint;

/// How many states of each specification are looked at.
const STATES: usize = 150;

#[test]
fn a_relation_laid_out_finds_the_same_states_in_the_same_order() {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(specs).expect("specs").flatten().map(|file| file.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "tla"));
    let mut compared = 0;
    for file in files {
        let options = Options { config: Options::config_beside(&file), ..Options::default() };
        let Ok(spec) = Spec::load(&file, &options) else { continue };
        compared += compare(&spec).unwrap_or_else(|difference| panic!("{}: {difference}", file.display()));
    }
    assert!(compared > 1000, "compared only {compared} states");
}

/// The number of states whose successors were compared, or what differs.
fn compare(spec: &Spec) -> Result<usize, String> {
    let (mut queue, mut seen) = (VecDeque::new(), HashSet::new());
    let begun = spec.init_states(&mut |state| {
        queue.push_back(state);
        if queue.len() < STATES { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let (Ok(()), Some(mut next)) = (begun, spec.flat_next()) else { return Ok(0) };
    let keeping = Keeping::of(spec.program());
    while let Some(state) = queue.pop_front() {
        if !seen.insert(state.fingerprint()) || seen.len() > STATES {
            continue;
        }
        let (mut usual, mut laid_out): (Vec<State>, Vec<(State, Fingerprint)>) = Default::default();
        let expected = spec.next_candidates(&state, &mut |candidate| {
            usual.push(candidate.state());
            ControlFlow::Continue(())
        });
        let found = spec.flat_candidates(Some(&mut next), &keeping, &state, &mut |candidate| {
            laid_out.push((candidate.state(), candidate.fingerprint()));
            ControlFlow::Continue(())
        });
        let errors = (expected.err().map(|error| error.to_string()), found.err().map(|error| error.to_string()));
        if errors.0 != errors.1 || !usual.iter().eq(laid_out.iter().map(|(state, _)| state)) {
            return Err(format!("{usual:?} {:?} became {laid_out:?} {:?}", errors.0, errors.1));
        }
        if let Some((state, _)) = laid_out.iter().find(|(state, known)| state.fingerprint() != *known) {
            return Err(format!("{state:?} has another fingerprint"));
        }
        queue.extend(usual);
    }
    Ok(seen.len())
}

#[test]
fn what_was_seen_is_found_again() {
    let mut seen = Seen::default();
    // Few low bits, so that many fingerprints want the same place; zero is the mark of an empty place.
    let fingerprints: Vec<_> = (0..5000u128).map(|n| Fingerprint((n << 64) | (n % 7))).collect();
    for fingerprint in &fingerprints {
        assert!(!seen.contains(*fingerprint));
        assert!(seen.insert(*fingerprint, None).is_some());
        assert!(seen.insert(*fingerprint, None).is_none());
    }
    assert!(fingerprints.iter().all(|fingerprint| seen.contains(*fingerprint)));
    assert!(!seen.contains(Fingerprint(5000 << 64)));
}
