//! Medians and ratios, as a Markdown table.

use std::fmt;

/// Nanoseconds per action, by contestant, with one thread and with two.
pub struct Table {
    /// What time it is.
    title: &'static str,
    rows: Vec<Row>,
}

struct Row {
    name: &'static str,
    alone: Vec<f64>,
    together: Vec<f64>,
}

impl Table {
    pub fn new(title: &'static str, names: impl Iterator<Item = &'static str>) -> Self {
        Self { title, rows: names.map(|name| Row { name, alone: Vec::new(), together: Vec::new() }).collect() }
    }

    pub fn add(&mut self, contestant: usize, threads: u64, nanoseconds: f64) {
        let row = &mut self.rows[contestant];
        if threads == 1 { &mut row.alone } else { &mut row.together }.push(nanoseconds);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = self.title;
        writeln!(f, "| {title} | 1 thread | to clock reads | to omnilink | 2 threads | 2 threads to 1 |")?;
        writeln!(f, "| --- | ---: | ---: | ---: | ---: | ---: |")?;
        let (clock_reads, omnilink) = (median(&self.rows[0].alone), median(&self.rows[1].alone));
        for row in &self.rows {
            let (alone, together) = (median(&row.alone), median(&row.together));
            let (to_clock_reads, to_omnilink, growth) = (alone / clock_reads, alone / omnilink, together / alone);
            write!(f, "| {} | {alone:.1} | {to_clock_reads:.2}× | {to_omnilink:.2}× ", row.name)?;
            writeln!(f, "| {together:.1} | {growth:.2}× |")?;
        }
        Ok(())
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
