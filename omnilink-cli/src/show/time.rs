//! Parsing and formatting of times.

use std::fmt;

use omnilink_trace::TimeUnit;

/// Units with their length in nanoseconds; the empty one is for a number without a unit.
const UNITS: [(&str, u64); 6] =
    [("ns", 1), ("us", 1_000), ("µs", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000), ("", 1)];

/// Reads `250`, `5us`, `1.5ms`, `2s` as nanoseconds; a number without a unit is in nanoseconds.
pub fn parse(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let explain = || format!("`{text}` is not a time; write a number with ns, us, ms or s, such as 250ns or 1.5ms");
    let &(_, scale) = UNITS.iter().find(|(name, _)| *name == unit.trim()).ok_or_else(explain)?;
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(scale).ok_or_else(|| format!("`{text}` is more than 584 years"));
    }
    let fraction: f64 = number.parse().map_err(|_| explain())?;
    Ok((fraction * scale as f64).round() as u64)
}

/// A span of time: `250 ns`, `1.500 ms`, or `250 ticks` of a clock whose rate is not known.
#[derive(Debug, Clone, Copy)]
pub struct Span(pub u64, pub TimeUnit);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self(amount, unit) = self;
        let text = match (unit, amount) {
            (TimeUnit::Ticks, _) => format!("{amount} ticks"),
            (TimeUnit::Nanoseconds, 0..1_000) => format!("{amount} ns"),
            (TimeUnit::Nanoseconds, 1_000..1_000_000) => format!("{:.3} us", amount as f64 / 1e3),
            (TimeUnit::Nanoseconds, 1_000_000..1_000_000_000) => format!("{:.3} ms", amount as f64 / 1e6),
            (TimeUnit::Nanoseconds, _) => format!("{:.3} s", amount as f64 / 1e9),
        };
        f.pad(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_unit() {
        let cases = [
            ("0", 0),
            ("250", 250),
            ("250ns", 250),
            ("5us", 5_000),
            ("5 µs", 5_000),
            ("1.5ms", 1_500_000),
            (".5s", 500_000_000),
            ("2s", 2_000_000_000),
            ("9007199254740993", 9_007_199_254_740_993),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_time_is_refused() {
        for text in ["", "us", "-5", "5m", "5 minutes", "1.2.3us", ".", "1e3", "99999999999s"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn spans_print_in_the_largest_fitting_unit() {
        let shown = [0, 999, 1_000, 1_500_000, 61_000_000_000].map(|ns| Span(ns, TimeUnit::Nanoseconds).to_string());
        assert_eq!(shown, ["0 ns", "999 ns", "1.000 us", "1.500 ms", "61.000 s"]);
        assert_eq!(Span(1_500_000, TimeUnit::Ticks).to_string(), "1500000 ticks");
    }
}
