//! The histories that are checked, with the bars to clear on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::bars::Bar;
use crate::contestants::Verdict;

/// A history.
pub struct History {
    /// The arguments that the generator makes it from, which are also its name.
    pub args: &'static str,
    pub expected: Verdict,
    pub bars: &'static [Bar],
}

use Bar::{CpuSeconds, Megabytes, TimesPorcupine, TimesRow};
use Verdict::{Accepted, Rejected};

/// All of them. Two are for seeing how far one gets.
pub const ALL: [History; 18] = [
    history("set -t 5 -n 50000", Accepted, &[TimesPorcupine(0.3), Megabytes(120.0)]),
    history("set -t 5 -n 50000 --corrupt impossible", Rejected, &[TimesPorcupine(0.05), Megabytes(120.0)]),
    history("set -t 5 -n 450000", Accepted, &[Megabytes(300.0), TimesRow(12.0, "set -t 5 -n 50000")]),
    history(
        "set -t 5 -n 450000 --corrupt impossible",
        Rejected,
        &[Megabytes(300.0), TimesRow(12.0, "set -t 5 -n 50000 --corrupt impossible")],
    ),
    history("set -t 10 -n 1000 --corrupt impossible", Rejected, &[TimesPorcupine(0.1)]),
    history("set -t 50 -n 5000 --gap 4", Accepted, &[CpuSeconds(5.0)]),
    history("set -t 50 -n 5000 --gap 4 --corrupt impossible", Rejected, &[CpuSeconds(5.0)]),
    history("queue -t 5 -n 5000 --corrupt subtle", Rejected, &[TimesPorcupine(0.8)]),
    history("queue -t 5 -n 50000", Accepted, &[CpuSeconds(10.0)]),
    history("queue -t 10 -n 1000", Accepted, &[TimesPorcupine(0.4)]),
    history("set -t 50 -n 5000", Accepted, &[]),
    history("queue -t 10 -n 1000 --corrupt subtle", Rejected, &[]),
    history("kv -t 10 -n 10000 --keys 10", Accepted, &[]),
    history("kv -t 10 -n 10000 --keys 10 --corrupt subtle", Rejected, &[]),
    history("kv -t 50 -n 10000 --keys 10", Accepted, &[]),
    history("kv -t 50 -n 10000 --keys 10 --corrupt subtle", Rejected, &[]),
    history("kv -t 50 -n 10000 --keys 10 --corrupt impossible", Rejected, &[]),
    history("kv -t 50 -n 50000 --keys 100", Accepted, &[]),
];

const fn history(args: &'static str, expected: Verdict, bars: &'static [Bar]) -> History {
    History { args, expected, bars }
}

impl History {
    /// The file that holds it, made if it is not there.
    pub fn file(&self, directory: &Path) -> Outcome<PathBuf> {
        let file = directory.join(self.args.replace(" -", "-").replace(' ', "") + ".jsonl");
        if !file.exists() {
            let unfinished = directory.join("unfinished.jsonl");
            let mut generator = Command::new("python3");
            generator.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("gen_hist.py"));
            let status = generator.args(self.args.split(' ')).arg("-o").arg(&unfinished).status()?;
            if !status.success() {
                return Err(format!("gen_hist.py {}: {status}", self.args).into());
            }
            fs::rename(unfinished, &file)?;
        }
        Ok(file)
    }
}
