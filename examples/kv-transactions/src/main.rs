//! A fuzzer for `Store`: threads run transactions at random, one at a time each, and every call is recorded as an
//! action of `Store.tla`.

// The generated file stays as it was generated, so that `omnilink gen-fuzzer --check` can compare it.
#[rustfmt::skip]
mod actions;

use std::process::ExitCode;

use actions::*;
use kv_transactions_demo::{Refused, Store, Transaction, Validation};

struct StoreFuzzer;

/// What a thread is doing.
struct Client {
    /// The transaction that it has open, with its number.
    open: Option<(i64, Transaction)>,
    /// The next number for a transaction or a value, of those that are this thread's own.
    next: i64,
}

impl Client {
    /// Numbers of different threads are this far apart, which also makes them easy to read.
    const SHARE: i64 = 1_000_000_000;

    /// A number that was never used before. No value is written twice, so a read tells exactly which write it saw.
    fn number(&mut self) -> i64 {
        self.next += 1;
        self.next
    }
}

impl Fuzzer for StoreFuzzer {
    type System = Store;
    type State = Client;

    fn system(options: &Options) -> Result<Self::System, String> {
        let validation = match options.get("store").unwrap_or("correct") {
            "correct" => Validation::InTurn,
            "buggy" => Validation::BeforeTurn,
            other => return Err(format!("--store: `{other}` is neither correct nor buggy")),
        };
        Ok(Store::new(Keys::ALL.len(), validation))
    }

    fn state(start: Start<'_, Self::System>) -> Self::State {
        Client { open: None, next: start.thread as i64 * Client::SHARE }
    }

    /// A thread that ends with a transaction open rolls it back, and its end tells which. There is no event for it:
    /// nobody can see the difference.
    fn configure(fuzz: Fuzz<'static, Self::System, Self::State>) -> Fuzz<'static, Self::System, Self::State> {
        fuzz.option("store", "NAME", "the store to call: correct, or buggy (misses conflicts) [default: correct]")
            .weight("Read", 3)
            .weight("Write", 2)
            .cleanup(|end| {
                if let Some((tx, transaction)) = end.state.open.take() {
                    end.system.rollback(transaction);
                    end.meta.set("rolled_back", &tx);
                }
            })
    }

    fn begin(cx: &mut Context<'_, Self>) -> Attempt {
        if cx.state.open.is_some() {
            return Err(Unsupported);
        }
        let tx = cx.state.number();
        cx.set("tx", &tx);
        let transaction = cx.call(|store, _| store.begin());
        cx.state.open = Some((tx, transaction));
        Ok(Begin { tx }.into())
    }

    fn read(cx: &mut Context<'_, Self>) -> Attempt {
        let (tx, transaction) = cx.state.open.take().ok_or(Unsupported)?;
        let key = *cx.random.pick(&Keys::ALL);
        cx.set("tx", &tx);
        cx.set("key", &key);
        let value = cx.call(|store, _| store.read(&transaction, key as usize));
        cx.state.open = Some((tx, transaction));
        Ok(Read { tx, key, value }.into())
    }

    fn write(cx: &mut Context<'_, Self>) -> Attempt {
        let (tx, mut transaction) = cx.state.open.take().ok_or(Unsupported)?;
        let key = *cx.random.pick(&Keys::ALL);
        let value = cx.state.number();
        cx.set("tx", &tx);
        cx.set("key", &key);
        cx.set("value", &value);
        cx.call(|_, _| transaction.write(key as usize, value));
        cx.state.open = Some((tx, transaction));
        Ok(Write { tx, key, value }.into())
    }

    /// The result decides. A store that is busy has done nothing: the call is recorded, and that it took no effect.
    const COMMIT: &'static [Name] = &[Name::Commit, Name::CommitConflict];
    fn commit(cx: &mut Context<'_, Self>) -> Attempt {
        let (tx, transaction) = cx.state.open.take().ok_or(Unsupported)?;
        cx.set("tx", &tx);
        let outcome = cx.call(|store, _| store.commit(transaction));
        let (result, happened) = match outcome {
            Ok(()) => ("ok", Commit { tx }.into()),
            Err(Refused::Conflict) => ("conflict", CommitConflict { tx }.into()),
            Err(Refused::Busy(transaction)) => {
                cx.state.open = Some((tx, transaction));
                cx.op.abort("others are committing");
                ("busy", Commit { tx }.into())
            }
        };
        cx.op.meta("result", result);
        Ok(happened)
    }

    /// Recorded by [`Fuzzer::commit`].
    fn commit_conflict(_cx: &mut Context<'_, Self>) -> Attempt {
        Err(Unsupported)
    }

    fn rollback(cx: &mut Context<'_, Self>) -> Attempt {
        let (tx, transaction) = cx.state.open.take().ok_or(Unsupported)?;
        cx.set("tx", &tx);
        cx.call(|store, _| store.rollback(transaction));
        Ok(Rollback { tx }.into())
    }
}

fn main() -> ExitCode {
    run::<StoreFuzzer>()
}
