//! The failure rate, with a confidence interval.

use std::fmt;

use serde::Serialize;

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_963_985;

/// The failure rate of some runs, with a confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Rate {
    /// The number of failed runs.
    pub failed: u64,
    /// The number of all runs.
    pub runs: u64,
    /// The share of failed runs.
    pub share: f64,
    /// The lower end of the 95 % confidence interval of the probability.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Rate {
    /// Uses the interval of Wilson (*Probable inference, the law of succession, and statistical inference*, JASA 1927), which
    /// is also valid for few runs and for rare failures.
    pub fn of(failed: u64, runs: u64) -> Self {
        if runs == 0 {
            return Self { failed, runs, share: 0.0, low: 0.0, high: 1.0 };
        }
        let (n, share) = (runs as f64, failed as f64 / runs as f64);
        let middle = share + Z * Z / (2.0 * n);
        let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + Z * Z / n;
        let low = if failed == 0 { 0.0 } else { ((middle - half) / scale).max(0.0) };
        let high = if failed == runs { 1.0 } else { ((middle + half) / scale).min(1.0) };
        Self { failed, runs, share, low, high }
    }
}

/// `3 of 40 runs, 7.5 % (2.6 to 19.9 %)`
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { failed, runs, share, low, high } = self;
        let plural = if *runs == 1 { "" } else { "s" };
        let (share, low, high) = (percent(*share), percent(*low), percent(*high));
        write!(f, "{failed} of {runs} run{plural}, {share} % ({low} to {high} %)")
    }
}

/// A share in percent, with enough digits that a small share does not show as zero.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        _ if percent == 0.0 || percent >= 10.0 => format!("{percent:.0}"),
        1.0.. => format!("{percent:.1}"),
        0.01.. => format!("{percent:.2}"),
        _ => format!("{percent:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_wilson() {
        let near = |one: f64, other: f64| (one - other).abs() < 0.0005;
        let Rate { low, high, .. } = Rate::of(3, 40);
        assert!(near(low, 0.0258) && near(high, 0.1986), "{low} {high}");
        let Rate { low, high, .. } = Rate::of(0, 20);
        assert!(low == 0.0 && near(high, 0.1611), "{low} {high}");
        let Rate { low, high, .. } = Rate::of(20, 20);
        assert!(near(low, 0.8389) && high == 1.0, "{low} {high}");
        assert_eq!(Rate::of(3, 40).to_string(), "3 of 40 runs, 7.5 % (2.6 to 20 %)");
    }
}
