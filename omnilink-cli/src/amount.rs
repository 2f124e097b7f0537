//! Times and sizes as people write them.

use std::time::Duration;

/// Reads `90`, `500ms`, `1.5s`, `5m`, `2h`; a bare number is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 0.001), ("s", 1.0), ("", 1.0), ("m", 60.0), ("h", 3600.0)];
    let seconds = scaled(text, &units)
        .ok_or_else(|| format!("`{text}` is not a time; write a number with ms, s, m or h, such as 90s or 1.5h"))?;
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is too long"))
}

/// Reads `500M`, `2G`, `1.5GB`; a bare number is bytes.
pub fn bytes(text: &str) -> Result<usize, String> {
    let units = [("", 1.0), ("k", 1e3), ("m", 1e6), ("g", 1e9), ("t", 1e12)];
    let lower = text.trim().to_ascii_lowercase();
    let short = lower.strip_suffix("ib").or_else(|| lower.strip_suffix('b')).unwrap_or(&lower);
    let bytes = scaled(short, &units)
        .ok_or_else(|| format!("`{text}` is not a size; write a number with K, M, G or T, such as 500M or 2G"))?;
    Ok(bytes as usize)
}

/// Writes a number of bytes as people do: `0 bytes`, `72 KiB`, `1.5 GiB`.
pub fn bytes_text(bytes: u64) -> String {
    let units = [(1_u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|(size, _)| bytes >= *size) {
        Some((size, unit)) => {
            let number = bytes as f64 / size as f64;
            let digits = usize::from(number < 10.0);
            format!("{number:.digits$} {unit}")
        }
        None => format!("{bytes} bytes"),
    }
}

fn scaled(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let &(_, scale) = units.iter().find(|(name, _)| *name == unit.trim())?;
    Some(number.parse::<f64>().ok()? * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read_in_every_unit() {
        for (text, ms) in [("90", 90_000), ("500ms", 500), ("1.5 s", 1_500), ("5m", 300_000), ("2h", 7_200_000)] {
            assert_eq!(duration(text), Ok(Duration::from_millis(ms)), "{text}");
        }
        for (text, expected) in [("17", 17), ("500M", 500_000_000), ("1.5gb", 1_500_000_000), ("2 GiB", 2_000_000_000)]
        {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn sizes_are_written_in_the_largest_unit() {
        let cases =
            [(0, "0 bytes"), (1023, "1023 bytes"), (73_728, "72 KiB"), (1 << 21, "2.0 MiB"), (3 << 29, "1.5 GiB")];
        for (bytes, expected) in cases {
            assert_eq!(bytes_text(bytes), expected);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "s", "-5", "5 minutes", "1.2.3s", "1e400h"] {
            assert!(duration(text).is_err(), "{text}");
            assert!(bytes(text).is_err(), "{text}");
        }
    }
}
