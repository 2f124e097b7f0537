//! What was to be reached, and whether it was.

/// All bars so far.
#[derive(Debug, Default)]
pub struct Bars {
    missed: usize,
}

impl Bars {
    /// Something should be at least so much.
    pub fn at_least(&mut self, what: &str, seen: f64, bar: f64) {
        self.tell(what, seen, "at least", bar, seen >= bar);
    }

    /// Something should be at most so much.
    pub fn at_most(&mut self, what: &str, seen: f64, bar: f64) {
        self.tell(what, seen, "at most", bar, seen <= bar);
    }

    fn tell(&mut self, what: &str, seen: f64, relation: &str, bar: f64, is_met: bool) {
        println!("{}: {what}: {seen:.3}, {relation} {bar}", if is_met { "met" } else { "MISSED" });
        self.missed += usize::from(!is_met);
    }

    /// Whether all were met.
    pub fn all_met(&self) -> bool {
        self.missed == 0
    }
}
