//! Histories of calls that are done and have numbers for arguments, and what a check makes of them.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_check::check::{self, Verdict, check};
use omnilink_check::prepare::prepare;
use omnilink_check::rules::Rules;
use omnilink_check::search::{Control, Limits};
use omnilink_tla::{Spec, State};
use omnilink_trace::{
    Argument, Candidates, Event, LaneId, Outcome, Record, Run, Timebox, TraceBuilder, Value as Recorded,
};

pub struct History {
    builder: TraceBuilder,
}

pub struct Checked {
    /// `accepted`, `rejected after … in … ways`, or another verdict.
    pub verdict: String,
    /// The state after the order that was found, which was walked again.
    #[allow(dead_code, reason = "not every test asks for it")]
    pub last: Option<State>,
    #[allow(dead_code, reason = "not every test asks for it")]
    pub configurations: u64,
}

impl History {
    pub fn of(spec: &str) -> Self {
        Self { builder: TraceBuilder::new(spec, "Next", Run::default()) }
    }

    pub fn push(&mut self, lane: LaneId, action: &str, args: &[(&str, i64)], start: u64, end: u64) {
        let params: Vec<&str> = args.iter().map(|(param, _)| *param).collect();
        let action = self.builder.action(action, &params).expect("few parameters");
        let vocabulary = self.builder.vocabulary();
        let arg = |&(param, value): &(&str, i64)| Argument {
            param: vocabulary.intern(param),
            value: Some(Recorded::Int(value)),
        };
        let event = Event {
            lane,
            index: 0,
            candidates: Candidates::One(action),
            args: args.iter().map(arg).collect(),
            timebox: Timebox { start, end: Some(end) },
            outcome: Outcome::Done,
            effects: Vec::new(),
            meta: Vec::new(),
            offset: 0,
        };
        self.builder.push(Record::Event(event)).expect("events are in order");
    }

    pub fn check(self, spec: &Spec, limits: Limits) -> Checked {
        let trace = self.builder.finish("history").expect("a trace");
        let prepared = prepare(spec, &trace, &Rules::default()).expect("it fits the specification");
        let mut control =
            Control { interrupt: &AtomicBool::new(false), progress: &mut |_| {}, limits, began: Instant::now() };
        let checked =
            check(spec, &prepared, &check::Options::default(), &mut control).expect("it has an initial state");
        let mut last = None;
        let verdict = match checked.verdict {
            Verdict::Accepted(order) => {
                let walked = order.walk(spec, &prepared, &mut |stride| {
                    last = Some(stride.state.clone());
                    ControlFlow::Continue(())
                });
                assert!(walked.is_ok(), "the order can be walked");
                "accepted".to_owned()
            }
            Verdict::Rejected(stuck) => format!("rejected after {} in {} ways", stuck.placed, stuck.count),
            other => format!("{other:?}"),
        };
        Checked { verdict, last, configurations: checked.progress.configurations }
    }
}
