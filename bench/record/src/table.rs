//! Medians and ratios, as a Markdown table.

use std::fmt;

/// Nanoseconds per call, by contestant, with one thread and with two.
pub struct Measurements {
    names: Vec<&'static str>,
    alone: Vec<Vec<f64>>,
    together: Vec<Vec<f64>>,
}

impl Measurements {
    pub fn new(names: Vec<&'static str>) -> Self {
        let none = vec![Vec::new(); names.len()];
        Self { names, alone: none.clone(), together: none }
    }

    pub fn add(&mut self, contestant: usize, threads: usize, nanoseconds: f64) {
        let column = if threads == 1 { &mut self.alone } else { &mut self.together };
        column[contestant].push(nanoseconds);
    }
}

impl fmt::Display for Measurements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| | 1 thread, ns per action | to clock reads | 2 threads, ns per action | 2 threads to 1 |")?;
        writeln!(f, "| --- | ---: | ---: | ---: | ---: |")?;
        let baseline = median(&self.alone[0]);
        for (index, name) in self.names.iter().enumerate() {
            let (alone, together) = (median(&self.alone[index]), median(&self.together[index]));
            let (to_baseline, growth) = (alone / baseline, together / alone);
            writeln!(f, "| {name} | {alone:.1} | {to_baseline:.2}× | {together:.1} | {growth:.2}× |")?;
        }
        Ok(())
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
