//! What the checker says of a recording.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use omnilink_check::check::{Options, Verdict, check};
use omnilink_check::prepare::prepare;
use omnilink_check::rules::Rules;
use omnilink_check::search::{Control, Limits};
use omnilink_check::subject;
use omnilink_trace::Trace;

use crate::explore::options;

/// Whether the calls of a trace can be put into an order that respects their timeboxes and is a behaviour of the
/// specification with the configuration beside it.
pub fn has_order(trace: &Trace, spec: impl AsRef<Path>) -> bool {
    has_order_with(trace, spec, &Rules::default())
}

/// The same, with rules for events that the specification's actions do not cover.
pub fn has_order_with(trace: &Trace, spec: impl AsRef<Path>, rules: &Rules) -> bool {
    let spec = spec.as_ref();
    let subject = subject::load(spec, &options(spec), rules, trace).unwrap_or_else(|error| panic!("{error}"));
    let prepared = prepare(&subject.spec, trace, rules).unwrap_or_else(|error| panic!("{error}"));
    let mut control = Control {
        interrupt: &AtomicBool::new(false),
        progress: &mut |_| (),
        limits: Limits::default(),
        began: Instant::now(),
    };
    let checked = check(&subject.spec, &prepared, &Options::default(), &mut control);
    match checked.unwrap_or_else(|error| panic!("{error}")).verdict {
        Verdict::Accepted(_) => true,
        Verdict::Rejected(_) => false,
        other @ (Verdict::Failed { .. } | Verdict::Unknown { .. }) => panic!("no answer: {other:?}"),
    }
}
