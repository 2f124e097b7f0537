//! A store of strings by key. Keys do not see each other, so the state is that of one key.

use std::collections::HashMap;
use std::sync::Arc;

use porcupine_rs::{Model, Operation};

use crate::Outcome;
use crate::lines::Line;

/// A call about a key.
#[derive(Debug, Clone)]
pub struct Op {
    key: u64,
    what: What,
    /// What was written or read.
    text: Arc<str>,
}

#[derive(Debug, Clone, Copy)]
enum What {
    Get,
    Put,
    Append,
}

pub fn op(line: &Line) -> Outcome<Op> {
    let what = match line.op()? {
        "KVGet" => What::Get,
        "KVPut" => What::Put,
        "KVAppend" => What::Append,
        other => return Err(format!("a store has no {other}").into()),
    };
    Ok(Op { key: line.number("key")?, what, text: line.text("text")?.into() })
}

#[derive(Debug, Clone)]
pub struct Store;

impl Model for Store {
    type State = Arc<str>;
    type Op = Op;
    type Metadata = ();

    fn partition_operations(history: &[Operation<Self>]) -> Vec<Vec<Operation<Self>>> {
        let mut places = HashMap::new();
        let mut parts: Vec<Vec<Operation<Self>>> = Vec::new();
        for operation in history {
            let place = *places.entry(operation.op.key).or_insert_with(|| {
                parts.push(Vec::new());
                parts.len() - 1
            });
            parts[place].push(operation.clone());
        }
        parts
    }

    fn init() -> Arc<str> {
        "".into()
    }

    fn step(state: &Arc<str>, op: &Op) -> (bool, Arc<str>) {
        match op.what {
            What::Get => (*state == op.text, Arc::clone(state)),
            What::Put => (true, Arc::clone(&op.text)),
            What::Append => (true, [&**state, &*op.text].concat().into()),
        }
    }
}
