//! How much of a specification runs have exercised: actions that were recorded, and taken in the orders that were
//! found; and their branches.
//!
//! What was never taken says nothing about the program: the fuzzer does not call it, or never in a state that allows
//! it. Only orders that were found say what was taken. A rejected trace has none, so of it only what was recorded
//! counts.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::path::Path;

use omnilink_tla::source::Span;
use omnilink_tla::spec::{ActionId, BranchKind};
use omnilink_tla::{Failure, Spec, State};
use serde::{Deserialize, Serialize};

use crate::check::Order;
use crate::history::{Act, History};
use crate::prepare::Prepared;
use crate::report::model::Place;
use crate::search::{Became, Stride};
use crate::vocabulary::is_rule;

/// Formulas longer than this are cut.
const FORMULA: usize = 160;

/// What traces have exercised of a specification.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// How many orders it was taken from.
    pub orders: u64,
    /// The actions of the next-state relation, in its order.
    pub actions: Vec<ActionCoverage>,
}

/// What traces have exercised of an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionCoverage {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub place: Place,
    /// How many events were calls of it. (`X_Step` and `X_Done` are both of a call of `X`.)
    pub recorded: u64,
    /// How many steps of the orders it made.
    pub taken: u64,
    /// Its branches; none if it has no choice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<BranchCoverage>,
}

/// What traces have exercised of a branch of an action. It was tried whenever the action was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchCoverage {
    /// Of what it is a branch: `path`, `disjunct`, `then`, `else`, `case`.
    pub kind: String,
    /// The formula; of a disjunct of the next-state relation (`path`), the call of the action.
    pub formula: String,
    /// Where it is.
    pub place: Place,
    /// How often it allowed the call, with its arguments, in the state where the order has it.
    pub enabled: u64,
    /// How often it led to the state that comes next in the order.
    pub taken: u64,
}

impl Coverage {
    /// Of a trace, and the order of its events that was found, if one was.
    ///
    /// # Errors
    /// If the order cannot be walked again.
    pub fn of(spec: &Spec, prepared: &Prepared, order: Option<&Order>) -> Result<Self, Failure> {
        let calls = recorded(spec, &prepared.history);
        let mut counter = Counter::new(spec);
        if let Some(order) = order {
            counter.walk(prepared, order)?;
        }
        Ok(Self { orders: u64::from(order.is_some()), actions: counter.finish(&calls) })
    }

    /// Adds what other traces have exercised of the same specification.
    pub fn merge(&mut self, other: &Self) {
        self.orders += other.orders;
        for theirs in &other.actions {
            match self.actions.iter_mut().find(|ours| ours.name == theirs.name) {
                Some(ours) => ours.merge(theirs),
                None => self.actions.push(theirs.clone()),
            }
        }
    }
}

impl ActionCoverage {
    fn merge(&mut self, other: &Self) {
        self.recorded += other.recorded;
        self.taken += other.taken;
        for theirs in &other.branches {
            let is_same = |ours: &&mut BranchCoverage| ours.kind == theirs.kind && ours.place == theirs.place;
            match self.branches.iter_mut().find(is_same) {
                Some(ours) => {
                    ours.enabled += theirs.enabled;
                    ours.taken += theirs.taken;
                }
                None => self.branches.push(theirs.clone()),
            }
        }
    }
}

/// Counts what the steps of an order are.
struct Counter<'s> {
    spec: &'s Spec,
    /// Per action.
    taken: Vec<u64>,
    branches: Vec<Vec<(BranchKind, Span)>>,
    /// How often a branch of an action was enabled, and taken.
    counts: HashMap<(ActionId, Span), (u64, u64)>,
}

impl<'s> Counter<'s> {
    fn new(spec: &'s Spec) -> Self {
        let actions = spec.actions().actions.len();
        let branches =
            |action| spec.branches(ActionId(action)).iter().map(|branch| (branch.kind, branch.span)).collect();
        let branches = (0..actions).map(branches).collect();
        Self { spec, taken: vec![0; actions], branches, counts: HashMap::new() }
    }

    fn walk(&mut self, prepared: &Prepared, order: &Order) -> Result<(), Failure> {
        let mut before = order.init().clone();
        order.walk(self.spec, prepared, &mut |stride| {
            self.step(&prepared.history, &before, stride);
            before = stride.state.clone();
            ControlFlow::Continue(())
        })
    }

    fn step(&mut self, history: &History, before: &State, stride: &Stride) {
        let (nth, inner) = match stride.became {
            Became::Happened(nth) => (nth, false),
            Became::InnerStep(nth) => (nth, true),
            Became::Nothing => return,
        };
        let choice = &history.choices(history.timeline.event(stride.event))[nth as usize];
        let action = choice.act.action(inner);
        self.taken[action.0] += 1;
        if self.branches[action.0].is_empty() {
            return;
        }
        let (mut enabled, mut taken): (BTreeSet<Span>, BTreeSet<Span>) = Default::default();
        let after = stride.state.fingerprint();
        let args = stride.args.as_deref().unwrap_or_else(|| history.args(choice));
        // A branch that cannot be evaluated was not enabled; the order has shown that another one was.
        let _ = self.spec.visit_branches(before, action, args, &mut |branches, candidate| {
            enabled.extend(branches);
            if candidate.fingerprint() == after {
                taken.extend(branches);
            }
        });
        for span in enabled {
            let counts = self.counts.entry((action, span)).or_default();
            *counts = (counts.0 + 1, counts.1 + u64::from(taken.contains(&span)));
        }
    }

    fn finish(self, calls: &BTreeMap<String, u64>) -> Vec<ActionCoverage> {
        let Self { spec, taken, branches, counts } = self;
        let all = spec.actions().actions.iter().zip(taken).zip(branches).enumerate();
        let of_users = all.filter(|(_, ((action, _), _))| !is_rule(action.name.as_str()));
        let coverage =
            |(at, ((action, taken), branches)): (usize, ((&omnilink_tla::spec::SpecAction, u64), Vec<_>))| {
                let branch = |&(kind, span): &(BranchKind, Span)| {
                    let (enabled, taken) = counts.get(&(ActionId(at), span)).copied().unwrap_or_default();
                    let formula = brief(spec.sources().one_line(span));
                    BranchCoverage { kind: word(kind).to_owned(), formula, place: place(spec, span), enabled, taken }
                };
                let name = action.name.as_str();
                ActionCoverage {
                    name: name.to_owned(),
                    place: place(spec, action.span),
                    recorded: calls.get(&recorded_as(spec, name)).copied().unwrap_or(0),
                    taken,
                    branches: branches.iter().map(branch).collect(),
                }
            };
        of_users.map(coverage).collect()
    }
}

fn word(kind: BranchKind) -> &'static str {
    match kind {
        BranchKind::NextDisjunct => "path",
        BranchKind::Disjunct => "disjunct",
        BranchKind::Then => "then",
        BranchKind::Else => "else",
        BranchKind::Arm => "case",
    }
}

fn brief(formula: String) -> String {
    match formula.char_indices().nth(FORMULA) {
        Some((cut, _)) => format!("{}…", &formula[..cut]),
        None => formula,
    }
}

/// A place by the file's name: its directory is another one on every machine.
fn place(spec: &Spec, span: Span) -> Place {
    let (path, place) = spec.sources().place(span);
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    Place { file: name(path).unwrap_or_default(), line: place.line, column: place.column }
}

/// The names that the events of a trace may have: the actions of the next-state relation, where `X` stands for `X_Step`
/// and `X_Done`.
pub fn actions(spec: &Spec) -> BTreeSet<String> {
    let names = spec.actions().actions.iter().map(|action| action.name.as_str()).filter(|name| !is_rule(name));
    names.map(|name| recorded_as(spec, name)).collect()
}

/// The name that events have which are steps of an action.
pub(crate) fn recorded_as(spec: &Spec, name: &str) -> String {
    let has = |name: String| spec.action(&name).is_some();
    let is_pair = |whole: &&str| has(format!("{whole}_Step")) && has(format!("{whole}_Done"));
    let whole = name.strip_suffix("_Step").or_else(|| name.strip_suffix("_Done"));
    whole.filter(is_pair).unwrap_or(name).to_owned()
}

/// How many events of a history are each action. Events that may be one of several count for none.
pub fn recorded(spec: &Spec, history: &History) -> BTreeMap<String, u64> {
    let mut counts: HashMap<Act, u64> = HashMap::new();
    for (_, event) in history.timeline.events() {
        if let [choice] = history.choices(event) {
            *counts.entry(choice.act).or_default() += 1;
        }
    }
    let named = counts.into_iter().map(|(act, count)| (act.name(spec).to_owned(), count));
    named.filter(|(name, _)| !is_rule(name)).collect()
}
