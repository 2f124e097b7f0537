//! Ourselves, with models in Rust: the ready queue and store, and a dictionary.

use std::path::Path;

use omnilink_check::model::ready::{KeyValue, KeyValueCall, Queue, QueueCall, QueueReturn};
use omnilink_check::model::{self, Calls, Model};

use super::Verdict;
use super::porcupine_rs::dictionary::{self, Op};
use crate::lines::{self, Kind, Line};
use crate::{Outcome, usage};

/// Its name, and how this program tells itself to check one history.
pub const CHILD: &str = "omnilink-model";

/// Checks a history in this process.
pub fn check_here(file: &Path) -> Outcome<()> {
    let (mut set, mut queue, mut store) = (Calls::new(), Calls::new(), Calls::new());
    let kind = lines::read(file, &mut |kind, line| {
        let (thread, time) = (u32::try_from(line.number("thread")?)?, line.number("start")?..=line.number("end")?);
        match kind {
            Kind::Set => set.done(thread, time, dictionary::op(line)?, None),
            Kind::Queue => {
                let (input, output) = fifo(line)?;
                queue.done(thread, time, input, Some(output))
            }
            Kind::Kv => {
                let (input, output) = kv(line)?;
                store.done(thread, time, input, output)
            }
        };
        Ok(())
    })?;
    usage::measure(|| {
        let (word, progress) = match kind {
            Kind::Set => answer(&Dictionary, &set)?,
            Kind::Queue => answer(&Queue::unbounded(), &queue)?,
            Kind::Kv => answer(&KeyValue::new(), &store)?,
        };
        Ok((word, progress))
    })
}

fn answer<M: Model>(model: &M, calls: &Calls<M::Input, M::Output>) -> Outcome<(&'static str, String)> {
    let checked = model::check(model, calls)?;
    let word = match checked.verdict {
        model::Verdict::Accepted(_) => Verdict::Accepted.word(),
        model::Verdict::Rejected(_) => Verdict::Rejected.word(),
        _ => "unknown",
    };
    Ok((word, format!("{:?}", checked.progress)))
}

fn fifo(line: &Line) -> Outcome<(QueueCall<u64>, QueueReturn<u64>)> {
    Ok(match line.op()? {
        "Enqueue" => (QueueCall::Enqueue(line.number("value")?), QueueReturn::Enqueued(true)),
        "Dequeue" => {
            let result = line.number("result")?;
            (QueueCall::Dequeue, QueueReturn::Dequeued((result != 0).then_some(result)))
        }
        other => return Err(format!("a queue has no {other}").into()),
    })
}

/// A call of a store, with what it answered if it is a get. A text that is empty was never written.
fn kv(line: &Line) -> Outcome<(KeyValueCall<u64>, Option<Option<String>>)> {
    let (key, text) = (line.number("key")?, line.text("text")?.to_owned());
    Ok(match line.op()? {
        "KVGet" => (KeyValueCall::Get(key), Some(Some(text).filter(|text| !text.is_empty()))),
        "KVPut" => (KeyValueCall::Put(key, text), None),
        "KVAppend" => (KeyValueCall::Append(key, text), None),
        other => return Err(format!("a store has no {other}").into()),
    })
}

/// A dictionary of small integers with range queries.
struct Dictionary;

impl Model for Dictionary {
    /// The value of each key; 0: it has none.
    type State = [u8; 32];
    /// A call with what it answered.
    type Input = Op;
    type Output = ();
    type Key = ();

    fn init(&self) -> [u8; 32] {
        [0; 32]
    }

    fn step(&self, state: &[u8; 32], input: &Op, _output: Option<&()>) -> impl IntoIterator<Item = [u8; 32]> {
        let old = |key: u8| state[usize::from(key)];
        let put = |key: u8, value: u8| {
            let mut next = *state;
            next[usize::from(key)] = value;
            next
        };
        match *input {
            Op::Insert { key, value, result } => (old(key) == result).then(|| put(key, value)),
            Op::InsertIfAbsent { key, value, result: 0 } => (old(key) == 0).then(|| put(key, value)),
            Op::InsertIfAbsent { key, result, .. } => (old(key) == result).then_some(*state),
            Op::Erase { key, result } => (old(key) == result).then(|| put(key, 0)),
            Op::Contains { key, result } => ((old(key) != 0) == result).then_some(*state),
            Op::RangeQuery { between, count } => {
                let is_counted = |(key, value): &(usize, &u8)| **value != 0 && between >> key & 1 == 1;
                (state.iter().enumerate().filter(is_counted).count() as u32 == count).then_some(*state)
            }
        }
    }

    fn is_read_only(&self, input: &Op) -> bool {
        matches!(input, Op::Contains { .. } | Op::RangeQuery { .. })
    }
}
