//! Random histories: calls that took effect one after the other, of which some then return something else.

use omnilink_check::model::{Call, Calls, Model, Outcome};

use crate::objects::Object;
use crate::random::Random;

/// What histories have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// All calls end and return something; no two times are equal.
    Complete,
    /// Some calls do not; times may be equal.
    Lossy,
}

/// A history of up to nine calls of up to four threads.
pub fn history<O: Object>(object: &O, kind: Kind, seed: u64) -> Calls<O::Input, O::Output> {
    let mut random = Random::new(seed);
    let threads = 2 + random.below(3) as u32;
    // Each call takes effect at one time: so far apart that the others can begin and end around it.
    let scale = if kind == Kind::Complete { 1000 } else { 4 };
    let spread = 1 + random.below(4) as u64;
    let mut free = vec![0_u64; threads as usize];
    let mut state = object.model().init();
    let mut calls = Calls::new();
    for effect in 1..=4 + random.below(6) as u64 {
        let thread = random.below(threads as usize) as u32;
        let input = object.input(thread, &mut random);
        let at = effect * scale;
        let margin = |random: &mut Random| random.below((spread * scale) as usize + 1) as u64;
        let start = at.saturating_sub(margin(&mut random)).max(free[thread as usize]);
        let end = at + margin(&mut random);
        // What it returns: as the model says, if the model allows it at all.
        let outputs: Vec<O::Output> = (0..12).map(|_| object.output(&input, &mut random)).collect();
        let possible = outputs.iter().find_map(|output| {
            let next = object.model().step(&state, &input, Some(output)).into_iter().next()?;
            Some((output.clone(), next))
        });
        let Some((mut output, next)) = possible else { continue };
        state = next;
        if random.chance(20) {
            output = object.output(&input, &mut random);
        }
        let (mut end, mut output, mut outcome) = (Some(end), Some(output), Outcome::Done);
        if kind == Kind::Lossy {
            match random.below(12) {
                // Nobody knows what it returned.
                0 => output = None,
                // Nobody knows whether it took effect, or knows only what it returned if it did.
                1 => (output, outcome) = (None, Outcome::Indeterminate),
                2 => outcome = Outcome::Indeterminate,
                3 => (end, output, outcome) = (None, None, Outcome::Indeterminate),
                _ => {}
            }
        }
        if start > end.unwrap_or(start) {
            continue;
        }
        // A thread may go on after a call that never ended.
        free[thread as usize] = end.map_or(free[thread as usize], |end| end + u64::from(kind == Kind::Complete));
        calls.push(Call { thread, start, end, input, output, outcome });
    }
    calls
}
