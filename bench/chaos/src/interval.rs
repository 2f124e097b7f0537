//! How sure a share is.

/// The 95% interval of a share of which `hits` of `trials` were seen (Wilson 1927). Of nothing seen in `n` trials the
/// rule of three says: at most `3/n`.
pub fn wilson(hits: u64, trials: u64) -> (f64, f64) {
    const Z: f64 = 1.96;
    let (hits, trials) = (hits as f64, trials as f64);
    if hits == 0.0 {
        return (0.0, (3.0 / trials).min(1.0));
    }
    let share = hits / trials;
    let scale = 1.0 + Z * Z / trials;
    let centre = (share + Z * Z / (2.0 * trials)) / scale;
    let half = Z / scale * (share * (1.0 - share) / trials + Z * Z / (4.0 * trials * trials)).sqrt();
    (centre - half, centre + half)
}

#[cfg(test)]
mod tests {
    use super::wilson;

    #[test]
    fn known_values() {
        let (low, high) = wilson(50, 100);
        assert!((low - 0.4038).abs() < 1e-3 && (high - 0.5962).abs() < 1e-3, "{low} {high}");
        assert_eq!(wilson(0, 1000), (0.0, 0.003));
    }
}
