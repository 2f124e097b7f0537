//! A specification as the object that a trace's calls are asked about.

use std::collections::HashMap;

use omnilink_tla::spec::{ActionId, Argument};
use omnilink_tla::value::Short;
use omnilink_tla::{Failure, State, Value};

use super::calls::Call;
use super::object::Object;
use super::specification::{Outcome, RecordedCall, Subject};
use crate::history::{Act, History, NewChoice};

/// A specification as a sequential object.
pub(super) struct SpecObject<'a> {
    pub subject: &'a Subject<'a>,
    /// By number in the search: the place among the recorded calls.
    pub numbers: Vec<usize>,
    classes: Vec<usize>,
    /// By class: the outcomes of its calls with any result.
    outcomes: Vec<Vec<Outcome>>,
}

impl<'a> SpecObject<'a> {
    /// If results matter, calls are replayed with any; else all calls keep theirs.
    pub fn new(subject: &'a Subject<'a>, results_matter: bool) -> Self {
        let mut known: HashMap<(usize, Vec<Option<u128>>), usize> = HashMap::new();
        let mut outcomes: Vec<Vec<Outcome>> = Vec::new();
        let (mut classes, mut numbers) = (Vec::new(), Vec::new());
        for (number, call) in subject.recorded.iter().enumerate() {
            let any = if results_matter { subject.with_any_result(call) } else { call.own.clone() };
            let marks = any.iter().flat_map(|(_, args)| args).map(|arg| arg.as_ref().map(|arg| arg.fingerprint().0));
            let class = *known.entry((call.operation, marks.collect())).or_insert_with(|| {
                outcomes.push(any);
                outcomes.len() - 1
            });
            let never_changes = |(action, args): &Outcome| subject.spec().is_read_only(*action, args);
            // Nobody can see whether it happened.
            let is_unseen =
                subject.history.timeline.event(call.place).optional && outcomes[class].iter().all(never_changes);
            if !is_unseen {
                numbers.push(number);
                classes.push(class);
            }
        }
        Self { subject, numbers, classes, outcomes }
    }

    /// The calls by lane, with criteria as places.
    pub fn calls(&self, rules: &[usize]) -> Vec<Vec<Call>> {
        let spec = self.subject.spec();
        let never_changes = |(action, args): &Outcome| spec.is_read_only(*action, args);
        let mut lanes: Vec<Vec<Call>> = Vec::new();
        let mut last = None;
        for (call, &number) in self.numbers.iter().enumerate() {
            let RecordedCall { place, own, .. } = &self.subject.recorded[number];
            let event = self.subject.history.timeline.event(*place);
            if last != Some(place.lane) {
                last = Some(place.lane);
                lanes.push(Vec::new());
            }
            let lane = lanes.len() - 1;
            let at = lanes[lane].len() as u32;
            lanes[lane].push(Call {
                lane,
                at,
                start: event.start,
                end: event.end,
                needed: event.needed,
                optional: event.optional,
                only_reads: self.outcomes[self.classes[call]].iter().all(never_changes),
                recorded_reads: own.iter().all(never_changes),
                rules: rules[number],
            });
        }
        lanes
    }

    /// All calls as they are replayed, as a history.
    pub fn replayed(&self) -> History {
        let mut history = History::default();
        for (at, outcomes) in self.outcomes.iter().enumerate() {
            let choice = |(action, args): &Outcome| NewChoice {
                act: Act::Whole(*action),
                args: args.clone(),
                unconditional: false,
                condition: None,
            };
            let choices: Vec<_> = outcomes.iter().map(choice).collect();
            history.push_untimed(at as u32, &choices);
        }
        history
    }

    fn recorded(&self, call: usize) -> &RecordedCall {
        &self.subject.recorded[self.numbers[call]]
    }

    /// What a call may be after some state, as the specification writes it: `Size(3)`.
    pub fn results(&self, state: &State, call: usize) -> Vec<String> {
        let spec = self.subject.spec();
        let mut results = Vec::new();
        for (action, args) in &self.outcomes[self.classes[call]] {
            // What cannot be evaluated is not shown.
            let _ = spec.visit_steps_with_arguments(state, *action, args, &mut |arguments, _| {
                let text = |argument: &Argument| match argument {
                    Argument::Value(value) => Short(value).to_string(),
                    Argument::Of(set) => format!("any of {}", Short(set)),
                    Argument::Operator => "…".to_owned(),
                };
                let name = spec.actions().actions[action.0].name;
                let arguments: Vec<_> = arguments.iter().map(text).collect();
                let text =
                    if arguments.is_empty() { name.to_string() } else { format!("{name}({})", arguments.join(", ")) };
                if !results.contains(&text) {
                    results.push(text);
                }
                std::ops::ControlFlow::Continue(())
            });
        }
        results
    }
}

impl Subject<'_> {
    /// The outcomes of a call, with its inputs and any result.
    fn with_any_result(&self, call: &RecordedCall) -> Vec<Outcome> {
        let actions = &self.spec().actions().actions;
        let inputs: HashMap<&str, &Value> = call
            .own
            .iter()
            .flat_map(|(action, args)| {
                let results = self.operations.results(*action).unwrap_or_default();
                actions[action.0].params.iter().zip(args).zip(results)
            })
            .filter(|(_, is_result)| !**is_result)
            .filter_map(|((param, value), _)| Some((param.as_str(), value.as_ref()?)))
            .collect();
        let outcome = |action: &ActionId| {
            let args =
                actions[action.0].params.iter().map(|param| inputs.get(param.as_str()).map(|value| (*value).clone()));
            (*action, args.collect())
        };
        self.operations.all[call.operation].outcomes.iter().map(outcome).collect()
    }

    fn steps(&self, state: &State, outcomes: &[Outcome], visit: &mut dyn FnMut(State)) -> Result<(), Failure> {
        let mut failed = None;
        for (action, args) in outcomes {
            let steps = self.spec().visit_steps(state, *action, args, &mut |candidate| {
                visit(candidate.state());
                std::ops::ControlFlow::Continue(())
            });
            failed = failed.or(steps.err());
        }
        failed.map_or(Ok(()), Err)
    }
}

impl Object for SpecObject<'_> {
    type State = State;
    type Failure = Failure;
    type Class = usize;

    fn inits(&self) -> Vec<State> {
        self.subject.inits.clone()
    }

    fn fingerprint(&self, state: &State) -> u128 {
        state.fingerprint().0
    }

    fn class(&self, call: usize) -> usize {
        self.classes[call]
    }

    fn any_result(&self, state: &State, call: usize, visit: &mut dyn FnMut(State)) -> Result<(), Failure> {
        self.subject.steps(state, &self.outcomes[self.classes[call]], visit)
    }

    fn own_result(&self, state: &State, call: usize, visit: &mut dyn FnMut(State)) -> Result<(), Failure> {
        self.subject.steps(state, &self.recorded(call).own, visit)
    }
}
