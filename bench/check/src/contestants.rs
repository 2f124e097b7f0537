//! Who takes part: how each is made ready, and run on a history.

pub mod model;
pub mod omnilink;
pub mod porcupine;
pub mod porcupine_rs;
pub mod tlc;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::process::{self, End};

/// An answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Accepted,
    Rejected,
}

impl Verdict {
    /// As Porcupine and the children of this program print it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Accepted => "ok",
            Self::Rejected => "illegal",
        }
    }
}

/// What came of one run.
pub enum Turn {
    Answered { verdict: Verdict, cpu: f64, megabytes: f64 },
    GaveUp(End),
}

/// Where contestants have their programs and files.
pub struct Workshop {
    pub repository: PathBuf,
    pub directory: PathBuf,
}

/// A contestant.
pub trait Contestant {
    fn name(&self) -> &'static str;

    /// Checks a history in a process of its own.
    fn check(&self, history: &Path) -> Outcome<Turn>;
}

/// All whose tools are installed; who is missing is told.
pub fn all(workshop: &Workshop) -> Outcome<Vec<Box<dyn Contestant>>> {
    let this = std::env::current_exe()?;
    let mut contestants: Vec<Box<dyn Contestant>> = vec![
        Box::new(Checker::new(omnilink::CHILD, &this, &[omnilink::CHILD], workshop)),
        Box::new(Checker::new(model::CHILD, &this, &[model::CHILD], workshop)),
    ];
    let absent = |name: &str, error| eprintln!("{name} does not take part: {error}");
    match porcupine::build(workshop) {
        Ok(program) => contestants.push(Box::new(Checker::new(porcupine::NAME, &program, &[], workshop))),
        Err(error) => absent(porcupine::NAME, error),
    }
    contestants.push(Box::new(Checker::new(porcupine_rs::CHILD, &this, &[porcupine_rs::CHILD], workshop)));
    match tlc::Tlc::new(workshop) {
        Ok(tlc) => contestants.push(Box::new(tlc)),
        Err(error) => absent(tlc::NAME, error),
    }
    Ok(contestants)
}

/// Where the specifications are.
fn specs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("specs")
}

/// A program that takes a history and prints a line: the verdict, and the CPU seconds of checking.
struct Checker {
    name: &'static str,
    program: PathBuf,
    args: Vec<&'static str>,
    errors: PathBuf,
}

impl Checker {
    fn new(name: &'static str, program: &Path, args: &[&'static str], workshop: &Workshop) -> Self {
        let errors = workshop.directory.join("errors.txt");
        Self { name, program: program.to_owned(), args: args.to_vec(), errors }
    }
}

impl Contestant for Checker {
    fn name(&self) -> &'static str {
        self.name
    }

    fn check(&self, history: &Path) -> Outcome<Turn> {
        let ended = process::run(Command::new(&self.program).args(&self.args).arg(history), &self.errors)?;
        if ended.end != End::Finished {
            return Ok(Turn::GaveUp(ended.end));
        }
        let mut words = ended.output.split_whitespace();
        let verdict = match words.next() {
            Some("ok") => Verdict::Accepted,
            Some("illegal") => Verdict::Rejected,
            _ => return Ok(Turn::GaveUp(End::Failed(ended.output))),
        };
        let cpu = words.next().ok_or("no CPU time")?.parse()?;
        Ok(Turn::Answered { verdict, cpu, megabytes: ended.peak_megabytes })
    }
}
