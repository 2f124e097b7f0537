//! Async functions: the box spans first poll to completion, and calls that are open at the same time have lanes of
//! their own.

mod common;

use std::cell::Cell;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use common::{lanes, record, record_until};
use futures::executor::block_on;
use futures::future::join_all;
use omnilink::{Nested, Session};
use tokio::sync::{Barrier, Mutex, oneshot};

#[omnilink::action(Wait(n, result = ret))]
async fn wait(n: u64, release: oneshot::Receiver<u64>) -> u64 {
    release.await.unwrap_or(0)
}

fn poll_once<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn calls_that_overlap_have_lanes_of_their_own_and_reuse_them() {
    let lanes = lanes(Nested::Outermost, |_session| {
        for round in 0..3 {
            let (releases, calls): (Vec<_>, Vec<_>) = (0..10)
                .map(|n| {
                    let (release, released) = oneshot::channel();
                    (release, wait(n, released))
                })
                .unzip();
            let mut all = pin!(join_all(calls));
            assert!(poll_once(all.as_mut()).is_pending());
            for release in releases {
                release.send(round).expect("is being waited for");
            }
            assert_eq!(block_on(all), [round; 10]);
        }
    });
    assert_eq!(lanes.len(), 10);
    assert!(lanes.iter().all(|lane| lane.len() == 3), "{lanes:?}");
}

#[test]
fn calls_that_do_not_overlap_share_a_lane() {
    #[omnilink::action(Get(key, value = ret))]
    async fn get(key: &str) -> Option<usize> {
        let at = key.find('b')?;
        std::future::ready(()).await;
        Some(at)
    }
    let lanes = lanes(Nested::Outermost, |_session| {
        block_on(async {
            // Not polled: never happened.
            drop(get("never"));
            assert_eq!(get("abc").await, Some(1));
            assert_eq!(get("x").await, None);
        });
    });
    assert_eq!(lanes, [[r#"Get(key = "abc", value = <<1>>)"#, r#"Get(key = "x", value = <<>>)"#]]);
}

#[test]
fn methods_generics_and_borrowed_arguments() {
    struct Store(Mutex<Vec<String>>);
    trait Length {
        async fn length(&self) -> usize;
    }
    impl Length for Store {
        #[omnilink::action(Length(len = ret))]
        async fn length(&self) -> usize {
            self.0.lock().await.len()
        }
    }
    impl Store {
        #[omnilink::action(match ret {
            Ok(n) if *n > 1 => Put(text, n),
            Ok(_) => PutFirst(text),
            Err(_) => Refuse(text),
        })]
        async fn put<'a, T: AsRef<str>>(
            &self,
            text: &'a str,
            rest: T,
        ) -> Result<usize, Box<dyn std::error::Error + 'a>> {
            if text.is_empty() {
                return Err("empty".into());
            }
            let n: usize = rest.as_ref().parse()?;
            let mut items = self.0.lock().await;
            items.extend(std::iter::repeat_n(text.to_owned(), n));
            Ok(items.len())
        }

        #[omnilink::action(Clear, abort_if = *ret == 0, abort_reason = "empty")]
        async fn clear(self: Arc<Self>, mut also: Vec<u8>) -> usize {
            also.clear();
            std::mem::take(&mut *self.0.lock().await).len()
        }

        #[omnilink::action(Iterate)]
        async fn iterate(&mut self) -> impl Iterator<Item = &mut String> {
            self.0.get_mut().iter_mut()
        }

        #[omnilink::action(Swap(after text))]
        async fn swap(&mut self, text: &mut String) {
            if let Some(first) = self.0.get_mut().first_mut() {
                std::mem::swap(first, text);
                return;
            }
            text.clear();
        }
    }
    let events = record(|| {
        block_on(async {
            let mut store = Store(Mutex::default());
            assert!(store.put("", "").await.is_err());
            assert!(store.put("a", "x").await.is_err());
            assert_eq!(store.put("b", "1").await.ok(), Some(1));
            assert_eq!(store.put("c", String::from("2")).await.ok(), Some(3));
            assert_eq!(store.length().await, 3);
            store.iterate().await.for_each(|text| text.push('!'));
            store.swap(&mut String::new()).await;
            let store = Arc::new(store);
            assert_eq!(Arc::clone(&store).clear(vec![1]).await, 3);
            assert_eq!(store.clear(vec![]).await, 0);
        });
    });
    assert_eq!(
        events,
        [
            r#"Refuse(text = "")"#,
            r#"Refuse(text = "a")"#,
            r#"PutFirst(text = "b")"#,
            r#"Put(text = "c", n = 3)"#,
            "Length(len = 3)",
            "Iterate",
            r#"Swap(text = "b!")"#,
            "Clear",
            r#"Clear aborted {omnilink.abort: "empty"}"#,
        ]
    );
}

#[test]
fn tasks_move_between_threads() {
    #[omnilink::action(Add(by, total = ret))]
    async fn add(total: Arc<Mutex<u64>>, by: u64, barrier: Arc<Barrier>) -> u64 {
        barrier.wait().await;
        tokio::task::yield_now().await;
        let mut total = total.lock().await;
        tokio::task::yield_now().await;
        *total += by;
        *total
    }
    let lanes = lanes(Nested::Outermost, |_session| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).build().expect("a runtime");
        runtime.block_on(async {
            let (total, barrier) = (Arc::new(Mutex::new(0)), Arc::new(Barrier::new(20)));
            let add = |_| tokio::spawn(add(Arc::clone(&total), 1, Arc::clone(&barrier)));
            let tasks: Vec<_> = (0..20).map(add).collect();
            for task in tasks {
                task.await.expect("does not panic");
            }
        });
    });
    assert_eq!(lanes.len(), 20, "all of them were open at the barrier");
    let mut events = lanes.concat();
    events.sort_by_key(String::len);
    events[..9].sort();
    events[9..].sort();
    let expected: Vec<_> = (1..=20).map(|total| format!("Add(by = 1, total = {total})")).collect();
    assert_eq!(events, expected);
}

#[test]
fn a_dropped_future_is_indeterminate() {
    let events = record(|| {
        let (_release, released) = oneshot::channel();
        let mut call = Box::pin(wait(7, released));
        assert!(poll_once(call.as_mut()).is_pending());
        drop(call);
    });
    assert_eq!(events, [r#"Wait(n = 7, result = ?) indeterminate {omnilink.dropped: "dropped before it ended"}"#]);
}

#[test]
fn an_open_call_is_pending_with_its_inputs() {
    let events = record_until(|session: Session| {
        let (_release, released) = oneshot::channel();
        let mut call = Box::pin(wait(7, released));
        assert!(poll_once(call.as_mut()).is_pending());
        drop(session);
    });
    assert_eq!(events, ["Wait(n = 7, result = ?) pending"]);
}

#[test]
fn a_panic_is_indeterminate_and_goes_on() {
    #[omnilink::action(Fail(n, result = ret))]
    async fn fail(n: u64) -> u64 {
        tokio::task::yield_now().await;
        panic!("no {n}")
    }
    #[omnilink::action(Forever)]
    async fn forever() -> ! {
        for _ in 0..3 {
            tokio::task::yield_now().await;
        }
        panic!("enough")
    }
    let events = record(|| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(async {
            let error = tokio::spawn(fail(3)).await.expect_err("panics");
            assert_eq!(error.into_panic().downcast_ref::<String>().map(String::as_str), Some("no 3"));
            assert!(tokio::spawn(async { forever().await }).await.is_err());
        });
    });
    assert_eq!(
        events,
        [
            r#"Fail(n = 3, result = ?) indeterminate {omnilink.panic: "no 3"}"#,
            r#"Forever indeterminate {omnilink.panic: "enough"}"#,
        ]
    );
}

#[test]
fn a_future_is_send_if_it_was() {
    #[omnilink::action(Set(value = value.get(), was = ret))]
    async fn set(cell: std::sync::Mutex<u8>, value: Cell<u8>) -> u8 {
        tokio::task::yield_now().await;
        cell.into_inner().map_or(0, |was| was + value.get())
    }
    let events = record(|| {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().expect("a runtime");
        // `Cell` can be sent, but not shared.
        let set = runtime.spawn(set(std::sync::Mutex::new(3), Cell::new(4)));
        assert_eq!(runtime.block_on(set).expect("does not panic"), 7);
    });
    assert_eq!(events, ["Set(value = 4, was = 7)"]);
}

#[test]
fn nested_calls() {
    #[omnilink::action(Inner(n))]
    async fn inner(n: u8) -> u8 {
        tokio::task::yield_now().await;
        n
    }
    #[omnilink::action(Sync(n))]
    fn sync(n: u8) -> u8 {
        n
    }
    #[omnilink::action(Outer(n, sum = ret))]
    async fn outer(n: u8) -> u8 {
        inner(n).await + sync(n)
    }
    assert_eq!(record(|| assert_eq!(block_on(outer(2)), 4)), ["Outer(n = 2, sum = 4)"]);
    let lanes = lanes(Nested::Both, |_session| assert_eq!(block_on(outer(2)), 4));
    assert_eq!(lanes, [vec!["Outer(n = 2, sum = 4)"], vec!["Inner(n = 2)", "Sync(n = 2)"]]);
}
