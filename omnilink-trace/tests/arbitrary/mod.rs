//! Arbitrary traces.

use omnilink_trace::{
    Argument, Candidates, Declaration, Effect, Event, Outcome, Record, Run, StopReason, Termination, Timebox, Trace,
    TraceBuilder, Value,
};
use proptest::prelude::*;

/// Values of every kind, a few levels deep, small integers and strings among them more often than not.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        (-200_i64..200).prop_map(Value::Int),
        ".{0,40}".prop_map(|text| Value::from(text.as_str())),
        "[$a-c]{1,3}".prop_map(|text| Value::from(text.as_str())),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Tuple),
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::set),
            prop::collection::btree_map(inner.clone(), inner.clone(), 0..6).prop_map(function),
            prop::collection::btree_map("[$a-c]{1,4}".prop_map(|key| Value::from(key.as_str())), inner, 0..4)
                .prop_map(function),
        ]
    })
}

fn function(pairs: std::collections::BTreeMap<Value, Value>) -> Value {
    Value::function(pairs).expect("keys of a map are distinct")
}

/// What an event is made of, before its actions have identities.
#[derive(Debug, Clone)]
struct Call {
    actions: Vec<usize>,
    /// Exactly one action, not a choice of one.
    certain: bool,
    values: Vec<Option<Value>>,
    gap: u64,
    duration: u64,
    outcome: Outcome,
    effects: Vec<(String, Vec<Value>, String, Vec<Value>)>,
    meta: Vec<(String, Value)>,
    terminates: bool,
}

/// Actions of the traces below; two of them have one name.
const ACTIONS: [(&str, &[&str]); 5] = [
    ("Put", &["key", "value"]),
    ("Get", &["key", "result"]),
    ("Clear", &[]),
    ("Put", &["value"]),
    ("Odd", &["start", "op", "a b"]),
];

fn calls() -> impl Strategy<Value = Call> {
    let meta = || prop::collection::btree_map(".{0,6}", values(), 0..3).prop_map(|map| map.into_iter().collect());
    let effect = ("[x-z]", prop::collection::vec(values(), 0..3), "[A-Z]{0,5}", prop::collection::vec(values(), 0..3));
    (
        (prop::collection::vec(0..ACTIONS.len(), 0..4), any::<bool>(), 0..20_u8),
        prop::collection::vec(prop::option::weighted(0.8, values()), 8),
        (0..1000_u64, prop_oneof![0..1000_u64, 0..(1_u64 << 40)]),
        prop_oneof![Just(Outcome::Done), Just(Outcome::Aborted), Just(Outcome::Indeterminate)],
        prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(effect, 0..3)],
        prop_oneof![2 => Just(Vec::new()), 1 => meta()],
    )
        .prop_map(|((actions, certain, dice), values, (gap, duration), outcome, effects, meta)| Call {
            actions,
            certain,
            values,
            gap,
            duration,
            outcome,
            effects,
            meta,
            terminates: dice == 0,
        })
}

#[derive(Debug, Clone)]
struct Strand {
    index: u32,
    name: String,
    calls: Vec<Call>,
    pending: bool,
    stop: Option<(u64, u32)>,
}

/// Traces of every kind of event.
pub fn traces() -> impl Strategy<Value = Trace> {
    let strand = (
        prop_oneof![0..4_u32, any::<u32>()],
        ".{0,5}",
        prop::collection::vec(calls(), 0..6),
        any::<bool>(),
        prop::option::weighted(0.3, (1..u64::MAX, 0..8_u32)),
    )
        .prop_map(|(index, name, calls, pending, stop)| Strand { index, name, calls, pending, stop });
    let run = (prop::option::of(any::<u64>()), 0..50_u64, 0..50_u64, ".{0,4}", ".{0,4}");
    (prop::collection::vec(strand, 0..4), run, declarations()).prop_map(
        |(strands, (seed, uncertainty, slack, spec, next), declarations)| {
            let mut run = Run { seed, ..Run::default() };
            run.clock.uncertainty = uncertainty;
            run.clock.slack = slack;
            let mut builder = TraceBuilder::new(&spec, &next, run);
            for declaration in declarations {
                builder.action(&declaration.name, &declaration.params).expect("parameters are distinct");
                builder.declare(declaration).expect("the declarations agree");
            }
            build(strands, builder)
        },
    )
}

/// Declarations of some of the actions, which agree: whether a parameter is a result depends on its name alone.
fn declarations() -> impl Strategy<Value = Vec<Declaration>> {
    let one = (0..ACTIONS.len(), any::<bool>(), prop::option::of(Just("Some operation")));
    (prop::collection::btree_set(one, 0..4), any::<bool>()).prop_map(|(declared, is_key_a_result)| {
        let mut seen = Vec::new();
        let mut declarations = Vec::new();
        for (action, has_results, operation) in declared {
            let (name, params) = ACTIONS[action];
            if (has_results || operation.is_some()) && !seen.contains(&action) {
                seen.push(action);
                let results = params.iter().filter(|param| (**param == "key") == is_key_a_result);
                declarations.push(Declaration {
                    name: name.into(),
                    params: params.iter().map(ToString::to_string).collect(),
                    results: has_results.then(|| results.map(ToString::to_string).collect()),
                    operation: operation.map(Into::into),
                    ..Declaration::default()
                });
            }
        }
        declarations
    })
}

fn build(strands: Vec<Strand>, mut builder: TraceBuilder) -> Trace {
    let mut seen = Vec::new();
    for strand in strands {
        if seen.contains(&strand.index) {
            continue;
        }
        seen.push(strand.index);
        builder.lane(strand.index, &strand.name);
        if let Some((at, code)) = strand.stop {
            builder.stop(strand.index, at, StopReason::from_code(code).expect("codes go from 0 to 7"));
        }
        let mut now = u64::from(strand.index) % 977;
        let last = strand.calls.len().saturating_sub(1);
        for (i, call) in strand.calls.into_iter().enumerate() {
            let start = now + call.gap;
            now = start + call.duration;
            let pending = strand.pending && i == last;
            let record = record(strand.index, call, start, (!pending).then_some(now), &mut builder);
            builder.push(record).expect("the call keeps the rules");
        }
    }
    builder.finish("arbitrary").expect("what was built opens")
}

fn record(lane: u32, call: Call, start: u64, end: Option<u64>, builder: &mut TraceBuilder) -> Record {
    let meta: Vec<_> = call.meta.into_iter().map(|(key, value)| (key.into(), value)).collect();
    if let (true, Some(end)) = (call.terminates, end) {
        return Record::Terminated(Termination { lane, time: end, meta });
    }
    let mut actions = Vec::new();
    for (name, params) in call.actions.iter().map(|&action| ACTIONS[action]) {
        let action = builder.action(name, params).expect("parameters are distinct");
        if !actions.contains(&action) {
            actions.push(action);
        }
    }
    let vocabulary = builder.vocabulary();
    let params = vocabulary.union_of_params(&actions);
    let candidates = match actions.as_slice() {
        [only] if call.certain => Candidates::One(*only),
        several => Candidates::Several(several.into()),
    };
    let effects = call.effects.into_iter().map(|(variable, path, operation, args)| Effect {
        variable: vocabulary.intern(&variable),
        path,
        operation: operation.into(),
        args,
    });
    Record::Event(Event {
        lane,
        index: 0,
        candidates,
        effects: effects.collect(),
        args: params.into_iter().zip(call.values).map(|(param, value)| Argument { param, value }).collect(),
        timebox: Timebox { start, end },
        outcome: if end.is_some() { call.outcome } else { Outcome::Pending },
        meta,
        offset: 0,
    })
}
