//! What we want to reach, and whether we do.

use crate::contestants::{omnilink, porcupine, tlc};
use crate::tournament::{Entry, Scores};

/// A bar for us to clear.
#[derive(Debug, Clone, Copy)]
pub enum Bar {
    /// At most so many times Porcupine's CPU time.
    TimesPorcupine(f64),
    /// At most so many times our own CPU time on another history.
    TimesRow(f64, &'static str),
    CpuSeconds(f64),
    Megabytes(f64),
    /// At most so much of TLC's CPU time, where it finishes.
    OneInTlc(f64),
}

/// The one that every history has.
pub const TLC: Bar = Bar::OneInTlc(30.0);

impl Bar {
    /// What was measured of it, and whether that is enough; nothing if it does not apply.
    pub fn judge(self, scores: &Scores, entry: &Entry) -> Option<String> {
        let Some(ours) = entry.median(omnilink::CHILD) else { return Some("did not finish, **missed**".to_owned()) };
        let (measured, most, text) = match self {
            Self::TimesPorcupine(most) => match entry.median(porcupine::NAME) {
                Some(theirs) => (ours.cpu / theirs.cpu, most, format!("≤ {most}× Porcupine")),
                None => return Some("Porcupine did not finish".to_owned()),
            },
            Self::TimesRow(most, row) => {
                let other = scores.entry(row)?.median(omnilink::CHILD)?;
                (ours.cpu / other.cpu, most, format!("≤ {most}× `{row}`"))
            }
            Self::CpuSeconds(most) => (ours.cpu, most, format!("≤ {most} s")),
            Self::Megabytes(most) => (ours.megabytes, most, format!("≤ {most} MB")),
            Self::OneInTlc(least) => {
                let theirs = entry.median(tlc::NAME)?;
                let times = theirs.cpu / ours.cpu;
                let met = if times >= least { "met" } else { "**missed**" };
                return Some(format!("TLC ≥ {least}×: {times:.0}×, {met}"));
            }
        };
        let met = if measured <= most { "met" } else { "**missed**" };
        Some(format!("{text}: {}, {met}", short(measured)))
    }
}

/// A number with about three digits that count.
pub fn short(number: f64) -> String {
    match number {
        100.0.. => format!("{number:.0}"),
        10.0.. => format!("{number:.1}"),
        1.0.. => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}
