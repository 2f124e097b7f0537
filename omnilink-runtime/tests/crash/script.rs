//! What the victim does in its steps, and how the trace must tell it.
//!
//! Every call has the parameters `n` (the number of the step), `input` and `result`, which are set in this order.

use std::panic::{AssertUnwindSafe, catch_unwind};

use omnilink_runtime::{ActionDef, Op, Site, begin, enter};

use crate::death::{Death, Moment, mix};
use crate::progress::Worker;
use crate::site;

/// Characters of an input that has no room beside others while its call is in flight.
const LARGE: usize = 9000;

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A plain call.
    Put,
    /// The result tells which action it is.
    TryPop,
    /// With notes.
    Note,
    /// Took no effect.
    Refuse,
    /// Was no call after all.
    Skip,
    /// With an input that is too large to be kept while the call is in flight.
    Large,
    /// The box is narrowed from inside.
    Narrow,
    /// Inputs are set before the call begins.
    Early,
    /// Unwinds.
    Panic,
    /// Left without an end.
    Drop,
}

const STEPS: [Step; 16] = [
    Step::Put,
    Step::TryPop,
    Step::Put,
    Step::Note,
    Step::Put,
    Step::Refuse,
    Step::TryPop,
    Step::Skip,
    Step::Put,
    Step::Early,
    Step::Narrow,
    Step::TryPop,
    Step::Early,
    Step::Drop,
    Step::Large,
    Step::Panic,
];

static TRY_POP: Site = Site::new(
    &[
        ActionDef { name: "Pop", params: &["n", "input", "result"] },
        ActionDef { name: "PopEmpty", params: &["n", "input"] },
    ],
    &["n", "input", "result"],
);

impl Step {
    /// What the worker does in its step `n`.
    pub fn of(worker: usize, n: u64) -> Self {
        STEPS[(mix(n << 8 | worker as u64) % STEPS.len() as u64) as usize]
    }

    fn site(self) -> &'static Site {
        match self {
            Self::Put => site!(Put(n, input, result)),
            Self::TryPop => &TRY_POP,
            Self::Note => site!(Note(n, input, result)),
            Self::Refuse => site!(Refuse(n, input, result)),
            Self::Skip => site!(Skip(n, input, result)),
            Self::Large => site!(Large(n, input, result)),
            Self::Narrow => site!(Narrow(n, input, result)),
            Self::Early => site!(Early(n, input, result)),
            Self::Panic => site!(Panic(n, input, result)),
            Self::Drop => site!(Drop(n, input, result)),
        }
    }

    /// Performs step `n` of the worker, which may be the victim's last.
    pub fn perform(self, worker: usize, n: u64, progress: &Worker, death: &Death) {
        let visit = |moment| death.visit(worker, n, moment);
        let values = |count| {
            progress.values(count);
            visit(Moment::Set(count));
        };
        progress.enter(n);
        visit(Moment::Before);
        let mut op = if self == Self::Early {
            let mut op = enter(self.site());
            op.arg(0, &n);
            values(1);
            op.set("input", &self.input(worker, n));
            values(2);
            op.start();
            progress.begin(n);
            visit(Moment::Begun);
            op
        } else {
            let mut op = begin(self.site());
            progress.begin(n);
            visit(Moment::Begun);
            op.arg(0, &n);
            values(1);
            op.set("input", &self.input(worker, n));
            values(2);
            op
        };
        if self == Self::Narrow {
            op.refine_start();
            op.refine_end();
        }
        if self.has_result(n) {
            op.set("result", &result(n));
            values(3);
        }
        self.finish(op, n);
        visit(Moment::Ended);
        progress.end(n);
    }

    fn finish(self, mut op: Op, n: u64) {
        match self {
            Self::Put | Self::Large | Self::Narrow | Self::Early => op.end(),
            Self::TryPop => {
                op.choose(u16::from(!self.has_result(n)));
                op.end();
            }
            Self::Note => {
                op.meta("step", &n);
                op.meta("note", &format!("the step before was {}", n.wrapping_sub(1)));
                op.end();
            }
            Self::Refuse => {
                op.abort(&format!("busy in {n}"));
                op.end();
            }
            Self::Skip => op.discard(),
            Self::Panic => {
                let unwound = catch_unwind(AssertUnwindSafe(|| op.call(|| panic!("failed in {n}"))));
                assert!(unwound.is_err());
            }
            Self::Drop => drop(op),
        }
    }

    fn has_result(self, n: u64) -> bool {
        match self {
            Self::Refuse | Self::Skip | Self::Panic | Self::Drop => false,
            Self::TryPop => !n.is_multiple_of(3),
            Self::Put | Self::Note | Self::Large | Self::Narrow | Self::Early => true,
        }
    }

    fn input(self, worker: usize, n: u64) -> String {
        match self {
            Self::Large => "x".repeat(LARGE + n as usize % 100),
            _ => format!("{worker}:{n}"),
        }
    }

    /// The event of step `n` once it has ended; none if it leaves none.
    pub fn ended(self, worker: usize, n: u64) -> Option<String> {
        let result = if self.has_result(n) { result(n).to_string() } else { "?".to_owned() };
        let args = format!("n={n}, input=\"{}\"", self.input(worker, n));
        Some(match self {
            Self::Skip => return None,
            Self::TryPop if self.has_result(n) => format!("Pop({args}, result={result})"),
            Self::TryPop => format!("PopEmpty({args})"),
            Self::Put | Self::Large | Self::Narrow | Self::Early => format!("{self:?}({args}, result={result})"),
            Self::Note => {
                let before = n.wrapping_sub(1);
                format!("Note({args}, result={result}) step={n} note=\"the step before was {before}\"")
            }
            Self::Refuse => format!("Refuse({args}, result=?) Aborted omnilink.abort=\"busy in {n}\""),
            Self::Panic => format!("Panic({args}, result=?) Indeterminate omnilink.panic=\"failed in {n}\""),
            Self::Drop => format!("Drop({args}, result=?) Indeterminate omnilink.dropped=\"dropped before it ended\""),
        })
    }

    /// The event of step `n` in flight, with so many of its values set.
    pub fn pending(self, worker: usize, n: u64, set: u64) -> String {
        let known = |position, value: String| if set > position { value } else { "?".to_owned() };
        let input = match self {
            Self::Large => "?".to_owned(),
            _ => known(1, format!("\"{}\"", self.input(worker, n))),
        };
        let name = if self == Self::TryPop { "Pop|PopEmpty".to_owned() } else { format!("{self:?}") };
        let (n, result) = (known(0, n.to_string()), known(2, result(n).to_string()));
        format!("{name}(n={n}, input={input}, result={result}) Pending")
    }

    /// Values that are set before the call begins.
    pub fn set_before_begin(self) -> u64 {
        if self == Self::Early { 2 } else { 0 }
    }
}

fn result(n: u64) -> i64 {
    -7 * n as i64
}
