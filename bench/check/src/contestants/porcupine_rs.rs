//! `porcupine-rs`, with the models that the Go original gets.

pub mod dictionary;
mod fifo;
mod kv;

use std::path::Path;

use porcupine_rs::{Model, Operation};

use self::dictionary::Dictionary;
use self::fifo::Fifo;
use self::kv::Store;
use super::Verdict;
use crate::lines::{self, Kind, Line};
use crate::{Outcome, usage};

/// Its name, and how this program tells itself to check one history.
pub const CHILD: &str = "porcupine-rs";

/// Checks a history in this process.
pub fn check_here(file: &Path) -> Outcome<()> {
    let (mut set, mut queue, mut store) = (Vec::new(), Vec::new(), Vec::new());
    let kind = lines::read(file, &mut |kind, line| {
        match kind {
            Kind::Set => set.push(operation::<Dictionary>(line, dictionary::op(line)?)?),
            Kind::Queue => queue.push(operation::<Fifo>(line, fifo::op(line)?)?),
            Kind::Kv => store.push(operation::<Store>(line, kv::op(line)?)?),
        }
        Ok(())
    })?;
    usage::measure(|| {
        let linearizable = match kind {
            Kind::Set => porcupine_rs::check_operations(&set),
            Kind::Queue => porcupine_rs::check_operations(&queue),
            Kind::Kv => porcupine_rs::check_operations(&store),
        };
        let verdict = if linearizable { Verdict::Accepted } else { Verdict::Rejected };
        Ok((verdict.word(), String::new()))
    })
}

fn operation<M: Model>(line: &Line, op: M::Op) -> Outcome<Operation<M>> {
    Ok(Operation {
        client_id: Some(u32::try_from(line.number("thread")?)?),
        call_time: i64::try_from(line.number("start")?)?,
        return_time: i64::try_from(line.number("end")?)?,
        op,
        metadata: None,
    })
}

/// Spreads an integer over 64 bits (the finalizer of SplitMix64).
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
