//! Work that rayon's threads steal from each other: what the tests of this crate run when they need such a program.

use std::process::ExitCode;

use rayon::prelude::*;

fn main() -> ExitCode {
    let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(3).build() else { return ExitCode::FAILURE };
    let (sum, (left, right)) = pool.install(|| {
        let sum: u64 = (0..200_u64).into_par_iter().map(|number| number * number).sum();
        (sum, rayon::join(|| (1..15_u64).product::<u64>() % 7, || (0..100_u64).sum::<u64>()))
    });
    ExitCode::from(u8::from((sum, right) != (2_646_700, 4950) || left > 7))
}
