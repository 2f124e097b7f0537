//! The same models for `porcupine-rs`.

use std::collections::HashMap;
use std::marker::PhantomData;

use omnilink_check::model::{Call, Calls, Model as _};
use porcupine_rs::{Model, Operation, check_operations};

use crate::objects::Object;

/// The model of an object.
#[derive(Debug, Clone)]
struct Adapted<O>(PhantomData<fn(O)>);

/// A call, with the object that it is a call of: models of `porcupine-rs` have no values.
#[derive(Debug, Clone)]
struct Op<O: Object> {
    object: O,
    input: O::Input,
    output: Option<O::Output>,
}

impl<O: Object> Model for Adapted<O> {
    type State = O::State;
    type Op = Op<O>;
    type Metadata = ();

    fn partition_operations(history: &[Operation<Self>]) -> Vec<Vec<Operation<Self>>> {
        let mut parts: HashMap<_, Vec<Operation<Self>>> = HashMap::new();
        for operation in history {
            let key = operation.op.object.model().partition(&operation.op.input);
            parts.entry(key).or_default().push(operation.clone());
        }
        parts.into_values().collect()
    }

    fn init() -> O::State {
        O::State::default()
    }

    fn step(state: &O::State, op: &Op<O>) -> (bool, O::State) {
        match op.object.model().step(state, &op.input, op.output.as_ref()).into_iter().next() {
            Some(next) => (true, next),
            None => (false, state.clone()),
        }
    }
}

pub fn is_linearizable<O: Object>(object: &O, calls: &Calls<O::Input, O::Output>) -> bool {
    let operation = |call: &Call<O::Input, O::Output>| Operation::<Adapted<O>> {
        client_id: Some(call.thread),
        call_time: call.start as i64,
        return_time: call.end.expect("all calls end") as i64,
        op: Op { object: object.clone(), input: call.input.clone(), output: call.output.clone() },
        metadata: None,
    };
    check_operations(&calls.as_slice().iter().map(operation).collect::<Vec<_>>())
}
