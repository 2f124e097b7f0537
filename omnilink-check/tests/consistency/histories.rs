//! Random histories. Calls take effect one after the other, but each may see only some of those before it; some results are
//! made up.

use omnilink_check::model::{Call, Calls, Outcome};

use crate::random::Random;
use crate::toys::{Input, Toy};

/// A history of at most so many calls of two or three threads.
pub fn history(toy: Toy, most: usize, seed: u64) -> Calls<Input, i64> {
    let mut random = Random::new(seed);
    let threads = 2 + random.below(2);
    let mut free = vec![Some(0_u64); threads];
    let (spread, blindness) = (1 + random.below(6), random.below(60) as u32);
    let mut inputs: Vec<Input> = Vec::new();
    let mut calls = Calls::new();
    for effect in 1..=(most - random.below(2)) as u64 {
        let thread = random.below(threads);
        let Some(from) = free[thread] else { continue };
        let input = toy.input(&mut random);
        let start = (effect * 3).saturating_sub(random.below(spread * 2 + 1) as u64).max(from);
        let mut end = Some((effect * 3 + random.below(spread * 2 + 1) as u64).max(start));
        let mut states = vec![Vec::new()];
        for &earlier in &inputs {
            let next: Vec<Vec<i64>> =
                states.iter().flat_map(|state| toy.outcomes(state, earlier)).map(|(next, _)| next).collect();
            if !next.is_empty() && !random.chance(blindness as usize) {
                states = next;
            }
        }
        let state = &states[random.below(states.len())];
        let outcomes = toy.outcomes(state, input);
        let result = match outcomes.len() {
            0 => random.below(3) as i64,
            count => outcomes[random.below(count)].1,
        };
        let made_up = random.chance(10).then(|| random.below(3) as i64);
        let (mut output, mut outcome) = (Some(made_up.unwrap_or(result)), Outcome::Done);
        match random.below(14) {
            0 => output = None,
            1 => (output, outcome) = (None, Outcome::Indeterminate),
            2 => outcome = Outcome::Indeterminate,
            3 => (end, output, outcome) = (None, None, Outcome::Indeterminate),
            _ => {}
        }
        inputs.push(input);
        free[thread] = end.map(|end| end + 1 - u64::from(random.chance(30) && end > start));
        calls.push(Call { thread: thread as u32, start, end, input, output, outcome });
    }
    calls
}
