//! The values of options and variables. An error completes the sentence "`value` …".

use std::ffi::OsStr;
use std::time::Duration;

use super::settings::Limit;

pub(super) fn text(value: &OsStr) -> Result<&str, String> {
    value.to_str().ok_or_else(|| "is not UTF-8".to_owned())
}

pub(super) fn number(value: &OsStr) -> Result<u64, String> {
    text(value)?.parse().map_err(|_| format!("is not a whole number from 0 to {}", u64::MAX))
}

pub(super) fn at_least_one(value: &OsStr) -> Result<u64, String> {
    match number(value)? {
        0 => Err("must be at least 1".to_owned()),
        n => Ok(n),
    }
}

pub(super) fn limit<T>(value: &OsStr, parse: impl FnOnce(&OsStr) -> Result<T, String>) -> Result<Limit<T>, String> {
    if value == "unlimited" { Ok(Limit::Unlimited) } else { parse(value).map(Limit::At) }
}

pub(super) fn duration(value: &OsStr) -> Result<Duration, String> {
    let problem = || "is not a time above 0 such as 10s, 500ms, 5m or 2h".to_owned();
    let text = text(value)?;
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (amount, unit) = text.split_at(digits);
    let amount: u64 = amount.parse().map_err(|_| problem())?;
    let milliseconds = match unit {
        "ms" => 1,
        "s" | "" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return Err(problem()),
    };
    match amount.checked_mul(milliseconds) {
        None | Some(0) => Err(problem()),
        Some(milliseconds) => Ok(Duration::from_millis(milliseconds)),
    }
}

pub(super) fn weights(value: &OsStr, actions: &[&str]) -> Result<Vec<(String, u32)>, String> {
    let mut weights: Vec<(String, u32)> = Vec::new();
    for part in text(value)?.split(',') {
        let (name, weight) = part.split_once('=').ok_or("is not of the form ACTION=N,ACTION=N")?;
        if !actions.contains(&name) {
            return Err(format!("names the action `{name}`, but the actions are {}", actions.join(", ")));
        }
        if weights.iter().any(|(earlier, _)| earlier == name) {
            return Err(format!("names the action `{name}` twice"));
        }
        let weight = weight
            .parse()
            .map_err(|_| format!("gives `{name}` a weight that is not a whole number from 0 to {}", u32::MAX))?;
        weights.push((name.to_owned(), weight));
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let seconds = |text: &str| duration(OsStr::new(text)).map(|duration| duration.as_secs_f64());
        assert_eq!(seconds("10s"), Ok(10.0));
        assert_eq!(seconds("10"), Ok(10.0));
        assert_eq!(seconds("5m"), Ok(300.0));
        assert_eq!(seconds("2h"), Ok(7200.0));
        for wrong in
            ["", "s", "0", "0ms", "-1s", "1.5s", "10 s", "3d", "99999999999999999999s", "18446744073709551615h"]
        {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
