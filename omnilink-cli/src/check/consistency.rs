//! `--consistency` and the options that go with it.

use clap::Args;
use omnilink_check::consistency::{Criteria, Criterion, NAMES, Signatures};

use crate::failure::Failure;

/// Which criterion is checked.
#[derive(Args)]
pub struct ConsistencyArgs {
    /// Check this criterion instead of linearizability, or one for most actions and others for some (`linearizable, Size: weak`).
    /// Criteria: linearizable, sequential, causal, weak, read-my-writes, monotonic-reads, monotonic-writes, return-value;
    /// `strongest` finds the strongest ones. docs/consistency.md defines them
    #[arg(long, value_name = "CRITERION")]
    consistency: Option<String>,
    /// Check these axioms: `vis >= po, vis >= vis.vis`
    #[arg(long, conflicts_with = "consistency")]
    axioms: Option<String>,
    /// With --consistency or --axioms: add `lin >= hb` to the axioms
    #[arg(long)]
    real_time: bool,
    /// With --consistency or --axioms: the parameters of an action that are results of the call, if the trace does not declare them: Dequeue=elem, or
    /// Enqueue= if none is; may be repeated
    #[arg(long, value_name = "ACTION=PARAMETERS")]
    results: Vec<String>,
    /// With --consistency or --axioms: actions that are outcomes of one operation, if the trace does not declare it: Dequeue,DequeueEmpty; may be repeated
    #[arg(long, value_name = "ACTION,ACTION…")]
    operation: Vec<String>,
}

/// What is asked of traces besides, or instead of, one order of their calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// The criteria.
    pub ask: Ask,
    /// What is a result, and what is an operation.
    pub signatures: Signatures,
}

/// Which criteria.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ask {
    /// Sequential consistency: the search for an order that ignores time.
    Sequential,
    /// Others.
    Criteria(Criteria),
    /// The strongest that are satisfied.
    Strongest,
}

impl Demand {
    /// Whether the search for one order of the calls decides.
    pub fn is_order(&self) -> bool {
        self.ask == Ask::Sequential
    }
}

impl ConsistencyArgs {
    /// What is asked for; none for linearizability.
    pub fn demand(&self) -> Result<Option<Demand>, Failure> {
        let wrong = |text: String| match text.split_once("; ") {
            Some((wrong, hint)) => Failure::with_hint(wrong, hint),
            None => Failure::new(text),
        };
        let mut signatures = Signatures::default();
        for text in &self.results {
            signatures.add_results(text).map_err(|error| wrong(format!("--results: {error}")))?;
        }
        for text in &self.operation {
            signatures.add_operation(text).map_err(|error| wrong(format!("--operation: {error}")))?;
        }
        let criteria = match (&self.consistency, &self.axioms) {
            (None, None) => return self.nothing(),
            (Some(text), _) if text.trim() == "strongest" => {
                if self.real_time {
                    let hint = "name a criterion, such as --consistency causal";
                    return Err(Failure::with_hint("--real-time: not with --consistency strongest", hint));
                }
                return Ok(Some(Demand { ask: Ask::Strongest, signatures }));
            }
            (Some(text), _) => Criteria::parse(text).map_err(|error| wrong(format!("--consistency: {error}")))?,
            (None, Some(text)) => {
                let axioms = Criterion::parse_axioms(text).map_err(|error| wrong(format!("--axioms: {error}")))?;
                Criteria::uniform(axioms)
            }
        };
        let criteria = if self.real_time { criteria.in_real_time() } else { criteria };
        criteria.validate().map_err(|error| wrong(format!("--axioms: {error}")))?;
        let ask = match criteria {
            _ if criteria.are_strong() && criteria.are_real_time() => return Ok(None),
            _ if criteria.are_strong() && !criteria.all().any(Criterion::is_real_time) => Ask::Sequential,
            criteria => Ask::Criteria(criteria),
        };
        Ok(Some(Demand { ask, signatures }))
    }

    /// Without a criterion, the other options mean nothing.
    fn nothing(&self) -> Result<Option<Demand>, Failure> {
        let given = [
            ("--real-time", self.real_time),
            ("--results", !self.results.is_empty()),
            ("--operation", !self.operation.is_empty()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                let hint = format!("add --consistency with one of {}, strongest", NAMES.join(", "));
                Err(Failure::with_hint(
                    format!("{option}: it says something about a criterion, and none is given"),
                    hint,
                ))
            }
            None => Ok(None),
        }
    }

    /// These options as words of a command line.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let texts = [("--consistency", &self.consistency), ("--axioms", &self.axioms)];
        for (option, text) in texts {
            words.extend(text.iter().flat_map(|text| [option.to_owned(), text.clone()]));
        }
        words.extend(self.real_time.then(|| "--real-time".to_owned()));
        for (option, texts) in [("--results", &self.results), ("--operation", &self.operation)] {
            words.extend(texts.iter().flat_map(|text| [option.to_owned(), text.clone()]));
        }
        words
    }
}
