//! What points and switches cost, in processor time: the wall's would tell about the machine's load.

use std::path::Path;
use std::time::Duration;

use omnilink_record::chaos::strategy::{LONGEST_SLICE, Moment, Strategy, ThreadIndex};

use crate::bar::Bars;
use crate::subject::{PATIENCE, Subject, Took};

/// Subjects, with rounds enough for starting the program not to matter.
const SUBJECTS: [(&str, &str); 6] = [
    ("racy_counter", "300000"),
    ("aba_stack", "300000"),
    ("four_preemptions", "300000"),
    ("exceptions", "3000"),
    ("panics", "3000"),
    ("locks", "500"),
];
/// Each measurement is made so often; the median counts.
const REPETITIONS: usize = 7;
/// Nanoseconds, microseconds, times.
const POINT_BAR: f64 = 20.0;
const SWITCH_BAR: f64 = 10.0;
const SLOWDOWN_BAR: f64 = 3.0;

/// Slices of one length, for everybody in turn.
#[derive(Debug)]
struct Slices(u32);

impl Strategy for Slices {
    fn thread_started(&mut self, _thread: ThreadIndex) {}

    fn choose(&mut self, moment: &Moment<'_>) -> ThreadIndex {
        *moment.runnable.iter().find(|&&thread| thread > moment.current).unwrap_or(&moment.runnable[0])
    }

    fn slice(&mut self, _points: u64) -> u32 {
        self.0
    }
}

/// Prints what points and switches cost, and how much slower programs get when nobody is interrupted that need not be.
pub fn report(scratch: &Path, bars: &mut Bars) {
    println!("| subject | free CPU s | without switches CPU s | slowdown | points | ns per point |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let mut costs = Vec::new();
    for (name, rounds) in SUBJECTS {
        let subject = Subject::compile(name, scratch);
        let free = median(|| subject.free(&[rounds], PATIENCE).1);
        let mut points = 0;
        let few = median(|| {
            let (observed, took) = subject.chaos(&[rounds], &mut Slices(LONGEST_SLICE), 1);
            points = observed.points;
            took
        });
        let slowdown = few.as_secs_f64() / free.as_secs_f64();
        let per_point = few.saturating_sub(free).as_nanos() as f64 / points.max(1) as f64;
        println!(
            "| {name} | {:.3} | {:.3} | {slowdown:.2} | {points} | {per_point:.1} |",
            free.as_secs_f64(),
            few.as_secs_f64()
        );
        costs.push((name, slowdown, per_point));
    }
    println!();
    bars.at_most("ns per point, median over subjects", middle(costs.iter().map(|cost| cost.2)), POINT_BAR);
    bars.at_most("µs per switch", per_switch(scratch), SWITCH_BAR);
    bars.at_most(
        "slowdown without switches, median over subjects",
        middle(costs.iter().map(|cost| cost.1)),
        SLOWDOWN_BAR,
    );
    if let Some((name, slowdown, _)) = costs.iter().max_by(|one, other| one.1.total_cmp(&other.1)) {
        println!("the worst slowdown is {slowdown:.2}, of {name}");
    }
}

/// Microseconds for a switch: what many of them take longer than few.
fn per_switch(scratch: &Path) -> f64 {
    let subject = Subject::compile("racy_counter", scratch);
    let run = |slice| {
        let mut switches = 0;
        let took = median(|| {
            let (observed, took) = subject.chaos(&["20000"], &mut Slices(slice), 1);
            switches = observed.switches;
            took
        });
        (took, switches)
    };
    let ((few, few_switches), (many, many_switches)) = (run(LONGEST_SLICE), run(3));
    many.saturating_sub(few).as_nanos() as f64 / 1000.0 / (many_switches - few_switches) as f64
}

fn median(mut measure: impl FnMut() -> Took) -> Duration {
    let mut times: Vec<Duration> = (0..REPETITIONS).map(|_| measure().cpu).collect();
    times.sort_unstable();
    times[REPETITIONS / 2]
}

fn middle(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
