//! What points and switches cost, in processor time: the wall's would tell about the machine's load.

use std::path::Path;
use std::time::Duration;

use omnilink_record::chaos::strategy::{LONGEST_SLICE, Moment, Strategy, ThreadIndex};

use crate::subject::{Subject, Took};

/// Rounds long enough for starting the program not to matter.
const ROUNDS: &str = "300000";
/// Each measurement is made so often; the median counts.
const REPETITIONS: usize = 7;
const POINT_BAR: f64 = 20.0;
const SWITCH_BAR: f64 = 10.0;

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

/// Prints what a point and a switch cost, and how much slower programs get when there are few switches.
pub fn report(scratch: &Path) {
    println!("| subject | free CPU s | few switches CPU s | slowdown | ns per point |");
    println!("| --- | --- | --- | --- | --- |");
    for name in ["racy_counter", "aba_stack", "four_preemptions"] {
        let subject = Subject::compile(name, scratch);
        let free = median(|| subject.free(&[ROUNDS]).1);
        let mut points = 0;
        let few = median(|| {
            let (observed, took) = subject.chaos(&[ROUNDS], &mut Slices(LONGEST_SLICE), 1);
            points = observed.points;
            took
        });
        let per_point = few.saturating_sub(free).as_nanos() as f64 / points.max(1) as f64;
        println!(
            "| {name} | {:.3} | {:.3} | {:.2} | {per_point:.1} (bar {POINT_BAR}) |",
            free.as_secs_f64(),
            few.as_secs_f64(),
            few.as_secs_f64() / free.as_secs_f64(),
        );
    }
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
    let per_switch = many.saturating_sub(few).as_nanos() as f64 / 1000.0 / (many_switches - few_switches) as f64;
    println!("\nA switch takes {per_switch:.2} µs (bar {SWITCH_BAR}), over {many_switches} switches.");
}

fn median(mut measure: impl FnMut() -> Took) -> Duration {
    let mut times: Vec<Duration> = (0..REPETITIONS).map(|_| measure().cpu).collect();
    times.sort_unstable();
    times[REPETITIONS / 2]
}
