//! Weak against linearizability checking, on the kind of histories that Emmi and Enea measured ("Monitoring Weak Consistency", CAV
//! 2018): few calls of three threads to a sorted map whose `keys` and `size` are weakly consistent, as those of
//! `java.util.concurrent.ConcurrentSkipListMap` are.
//!
//! The map is simulated: calls of one key take effect at a moment within their timeboxes, and `keys` and `size` go along the
//! keys and look at each of them at a later moment than at the one before.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_check::consistency::{Criteria, Manner, Verdict, Visibilities, check_model};
use omnilink_check::model::{Calls, Model};
use omnilink_check::search::{Control, Limits};

use crate::{Outcome, usage};

const KEYS: u64 = 6;
const THREADS: u32 = 3;
const CALLS: u64 = 15;

/// A sorted map.
struct Map;

#[derive(Debug, Clone, Copy)]
enum Call {
    Put(u64, u64),
    Remove(u64),
    Get(u64),
    Keys,
    Size,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Return {
    /// The value before, or now; 0 if there is none.
    Value(u64),
    Keys(Vec<u64>),
    Size(usize),
}

fn apply(map: &mut BTreeMap<u64, u64>, call: Call) -> Return {
    match call {
        Call::Put(key, value) => Return::Value(map.insert(key, value).unwrap_or(0)),
        Call::Remove(key) => Return::Value(map.remove(&key).unwrap_or(0)),
        Call::Get(key) => Return::Value(map.get(&key).copied().unwrap_or(0)),
        Call::Keys => Return::Keys(map.keys().copied().collect()),
        Call::Size => Return::Size(map.len()),
    }
}

impl Model for Map {
    type State = BTreeMap<u64, u64>;
    type Input = Call;
    type Output = Return;
    type Key = ();

    fn init(&self) -> Self::State {
        BTreeMap::new()
    }

    fn step(
        &self,
        state: &Self::State,
        input: &Call,
        output: Option<&Return>,
    ) -> impl IntoIterator<Item = Self::State> {
        let mut next = state.clone();
        let returned = apply(&mut next, *input);
        output.is_none_or(|output| *output == returned).then_some(next)
    }

    fn is_read_only(&self, input: &Call) -> bool {
        matches!(input, Call::Get(_) | Call::Keys | Call::Size)
    }

    fn operation(&self, input: &Call) -> &str {
        match input {
            Call::Put(..) => "Put",
            Call::Remove(_) => "Remove",
            Call::Get(_) => "Get",
            Call::Keys => "Keys",
            Call::Size => "Size",
        }
    }
}

/// Numbers that look random (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % bound
    }
}

/// A history. Times are such that no two are equal.
fn history(seed: u64) -> Calls<Call, Return> {
    let mut numbers = Numbers(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let mut free = [0; THREADS as usize];
    // Looks at the map: when, whose call, and the key of an iteration.
    let mut moments: Vec<(u64, usize, Option<u64>)> = Vec::new();
    let mut calls: Vec<(u32, u64, u64, Call)> = Vec::new();
    for nth in 0..CALLS {
        let thread = (nth % u64::from(THREADS)) as usize;
        let key = 1 + numbers.below(KEYS);
        let call = match (nth, numbers.below(10)) {
            // Every history has both, so that criteria may name them.
            (1, _) => Call::Keys,
            (2, _) => Call::Size,
            (_, 8) => Call::Keys,
            (_, 9) => Call::Size,
            (_, 0..=3) => Call::Put(key, 1 + nth),
            (_, 4..=6) => Call::Remove(key),
            _ => Call::Get(key),
        };
        let start = free[thread] + 1 + numbers.below(200);
        let length = match call {
            // They go through the whole map.
            Call::Keys | Call::Size => 1000 + numbers.below(3000),
            _ => 100 + numbers.below(500),
        };
        free[thread] = start + length;
        let at = calls.len();
        calls.push((thread as u32, start, start + length, call));
        match call {
            Call::Keys | Call::Size => {
                let mut looks: Vec<u64> = (0..KEYS).map(|_| start + 1 + numbers.below(length - 1)).collect();
                looks.sort_unstable();
                moments.extend((1..=KEYS).zip(looks).map(|(key, time)| (time, at, Some(key))));
            }
            _ => moments.push((start + 1 + numbers.below(length - 1), at, None)),
        }
    }
    moments.sort_unstable();
    let (mut map, mut found) = (BTreeMap::new(), vec![Vec::new(); calls.len()]);
    let mut returned: Vec<Option<Return>> = vec![None; calls.len()];
    for (_, at, key) in moments {
        match key {
            Some(key) => found[at].extend(map.contains_key(&key).then_some(key)),
            None => returned[at] = Some(apply(&mut map, calls[at].3)),
        }
    }
    let mut history = Calls::new();
    for (at, (thread, start, end, call)) in calls.into_iter().enumerate() {
        let output = match call {
            Call::Keys => Some(Return::Keys(std::mem::take(&mut found[at]))),
            Call::Size => Some(Return::Size(found[at].len())),
            _ => returned[at].take(),
        };
        // Halves of a tick tell starts from ends.
        history.done(thread, 2 * start..=2 * end + 1, call, output);
    }
    history
}

/// Checks so many histories in each way, and prints CPU seconds and how many satisfy the criterion.
pub fn measure(count: u64) -> Outcome<()> {
    let weak = "linearizable, Keys: weak, Size: weak";
    let ways = [
        ("linearizable", Visibilities::Minimal),
        (weak, Visibilities::Minimal),
        (weak, Visibilities::All),
        ("weak", Visibilities::Minimal),
        ("weak", Visibilities::All),
    ];
    let histories: Vec<_> = (0..count).map(history).collect();
    println!("| criterion | visibilities | satisfied | CPU s | to linearizable |\n| --- | --- | ---: | ---: | ---: |");
    let mut linearizable = None;
    for (text, visibilities) in ways {
        let criteria = Criteria::parse(text)?;
        let (before, _) = usage::so_far();
        let mut satisfied = 0;
        for calls in &histories {
            let interrupt = AtomicBool::new(false);
            let (limits, began) = (Limits::default(), Instant::now());
            let mut control = Control { interrupt: &interrupt, progress: &mut |_| {}, limits, began };
            let manner = Manner { visibilities, ..Manner::default() };
            let checked = check_model(&Map, calls, &criteria, manner, &mut control)?;
            satisfied += u64::from(matches!(checked.verdict, Verdict::Satisfied(_)));
        }
        let (after, _) = usage::so_far();
        let cpu = after - before;
        let times = cpu / *linearizable.get_or_insert(cpu);
        println!("| `{text}` | {visibilities:?} | {satisfied} of {count} | {cpu:.2} | {times:.2}× |");
    }
    Ok(())
}
