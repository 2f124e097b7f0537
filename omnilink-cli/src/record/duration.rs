//! Durations as people write them: `500ms`, `30s`, `10m`, `2h`.

use std::time::Duration;

/// Reads a duration.
pub fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let factor = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err("write a number and a unit: 500ms, 30s, 10m, 2h".to_owned()),
    };
    let milliseconds = number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    milliseconds.map(Duration::from_millis).ok_or_else(|| format!("`{number}` is not a number that makes sense here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let good = [("500ms", 500), ("30s", 30_000), ("10m", 600_000), ("2h", 7_200_000), ("0s", 0)];
        for (text, milliseconds) in good {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "10", "m", "-1s", "1.5s", "99999999999999999999s", "9999999999999999999h"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
