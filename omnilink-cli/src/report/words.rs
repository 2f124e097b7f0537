//! Numbers and times as text.

use super::model::Spread;

/// A number with a comma before every three digits.
pub fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A count with its noun: `1 run`, `1,200 runs`.
pub fn count(amount: u64, thing: &str) -> String {
    format!("{} {thing}{}", number(amount), if amount == 1 { "" } else { "s" })
}

/// Milliseconds: `850 ms`, `12.3 s`, `4 min 10 s`, `2 h 5 min`.
pub fn milliseconds(amount: u64) -> String {
    let seconds = amount / 1000;
    match amount {
        0..1_000 => format!("{amount} ms"),
        1_000..60_000 => format!("{:.1} s", amount as f64 / 1000.0),
        60_000..3_600_000 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", number(seconds / 3600), seconds / 60 % 60),
    }
}

/// Seconds.
pub fn seconds(amount: f64) -> String {
    milliseconds((amount * 1000.0).round() as u64)
}

/// The smallest number that an element of a histogram counts.
pub fn least_of(place: usize) -> u64 {
    if place == 0 { 0 } else { 1 << (place - 1).min(63) }
}

/// A width, rounded: `512 ns`, `1.0 µs`, `33 µs`, or ticks.
pub fn width(amount: u64, unit: &str) -> String {
    if unit != "ns" {
        return format!("{} {unit}", number(amount));
    }
    let units = [(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs")];
    match units.into_iter().find(|(length, _)| amount >= *length) {
        Some((length, unit)) if amount < 10 * length => format!("{:.1} {unit}", amount as f64 / length as f64),
        Some((length, unit)) => format!("{} {unit}", number((amount + length / 2) / length)),
        None => format!("{amount} ns"),
    }
}

/// `3 to 17, half of them up to 9`, or one number.
pub fn spread(spread: &Spread, show: impl Fn(u64) -> String) -> String {
    let Spread { least, median, most, .. } = *spread;
    if least == most { show(least) } else { format!("{} – {}, median {}", show(least), show(most), show(median)) }
}

/// A moment, given in milliseconds since 1970: `2026-03-01 14:05:09 UTC`.
pub fn moment(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// The date of a day, counted from the first of January 1970.
///
/// In years that begin in March the leap day is the last one, and months are 153 days for every five; see Howard
/// Hinnant, "chrono-Compatible Low-Level Date Algorithms".
fn date(day: u64) -> (u64, u64, u64) {
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!((count(1, "run"), count(2000, "run")), ("1 run".to_owned(), "2,000 runs".to_owned()));
        let times = [850, 12_345, 250_000, 7_500_000].map(milliseconds);
        assert_eq!(times, ["850 ms", "12.3 s", "4 min 10 s", "2 h 5 min"]);
        let widths = [512, 1024, 32_768, 1 << 20, 1 << 40].map(|ns| width(ns, "ns"));
        assert_eq!(widths, ["512 ns", "1.0 µs", "33 µs", "1.0 ms", "1,100 s"]);
        assert_eq!(width(4096, "ticks"), "4,096 ticks");
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        let cases = [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00 UTC"),
            (1_709_251_199_999, "2024-02-29 23:59:59 UTC"),
            (1_709_251_200_000, "2024-03-01 00:00:00 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00 UTC"),
        ];
        for (milliseconds, expected) in cases {
            assert_eq!(moment(milliseconds), expected);
        }
    }
}
