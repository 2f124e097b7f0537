//! Traces against models: inputs and outputs by the names of actions and parameters.

use std::collections::VecDeque;

use omnilink_check::model::{Calls, Model, Outcome, Verdict, check};
use omnilink_test::{FromTla, Words, model};
use omnilink_trace::{Trace, jsonl};

/// What a queue is asked for.
#[derive(Debug, Clone, PartialEq, FromTla)]
enum Input {
    Enqueue {
        elem: i64,
    },
    #[tla(alias = "DequeueEmpty")]
    Dequeue,
}

struct Queue;

impl Model for Queue {
    type State = VecDeque<i64>;
    type Input = Input;
    type Output = Option<i64>;
    type Key = ();

    fn init(&self) -> VecDeque<i64> {
        VecDeque::new()
    }

    fn step(
        &self,
        state: &VecDeque<i64>,
        input: &Input,
        output: Option<&Option<i64>>,
    ) -> impl IntoIterator<Item = VecDeque<i64>> {
        let mut next = state.clone();
        match input {
            Input::Enqueue { elem } => next.push_back(*elem),
            Input::Dequeue => {
                let first = next.pop_front();
                output.is_none_or(|output| *output == first).then_some(())?;
            }
        }
        Some(next)
    }
}

impl Words for Queue {
    fn describe_call(&self, input: &Input, output: Option<&Option<i64>>) -> String {
        format!("{input:?} → {output:?}")
    }

    fn describe_state(&self, state: &VecDeque<i64>) -> String {
        format!("{state:?}")
    }
}

fn trace(lines: &str) -> Trace {
    let file = tempfile::Builder::new().suffix(".jsonl").tempfile().unwrap();
    std::fs::write(file.path(), lines).unwrap();
    jsonl::read(file.path()).unwrap()
}

fn calls<I: FromTla + PartialEq, O: FromTla>(lines: &str) -> Calls<I, O> {
    Calls::from_trace(&trace(lines)).unwrap_or_else(|error| panic!("{error}"))
}

fn error<I: FromTla + PartialEq + std::fmt::Debug, O: FromTla + std::fmt::Debug>(lines: &str) -> String {
    Calls::<I, O>::from_trace(&trace(lines)).expect_err("it does not fit").to_string()
}

#[test]
fn every_outcome_is_a_call_or_none() {
    let calls: Calls<Input, Option<i64>> = calls(
        r#"{"thread":0,"start":10,"end":30,"op":"Enqueue","elem":1}
{"thread":0,"start":31,"end":32,"op":"DequeueEmpty"}
{"thread":1,"start":11,"end":29,"op":"Dequeue","elem":1}
{"thread":2,"start":12,"end":28,"op":"Enqueue","args":{"elem":2},"outcome":"indeterminate"}
{"thread":3,"start":13,"end":27,"op":"Enqueue","args":{"elem":3},"outcome":"aborted"}
{"thread":4,"start":14,"end":26,"op":"Dequeue","args":{"elem":null}}
{"thread":5,"start":15,"end":null,"ops":["Dequeue","DequeueEmpty"],"args":{"elem":null}}
"#,
    );
    let seen: Vec<_> = calls
        .as_slice()
        .iter()
        .map(|call| (call.thread, call.start, call.end, call.input.clone(), call.output, call.outcome))
        .collect();
    let enqueue = |elem| Input::Enqueue { elem };
    assert_eq!(
        seen,
        [
            (0, 0, Some(20), enqueue(1), Some(None), Outcome::Done),
            (0, 21, Some(22), Input::Dequeue, Some(None), Outcome::Done),
            (1, 1, Some(19), Input::Dequeue, Some(Some(1)), Outcome::Done),
            (2, 2, Some(18), enqueue(2), None, Outcome::Indeterminate),
            (4, 4, Some(16), Input::Dequeue, None, Outcome::Done),
            (5, 5, None, Input::Dequeue, None, Outcome::Indeterminate),
        ]
    );
}

#[test]
fn verdicts_are_those_of_the_calls() {
    let fifo = r#"{"thread":0,"start":10,"end":20,"op":"Enqueue","elem":1}
{"thread":0,"start":30,"end":40,"op":"Enqueue","elem":2}
{"thread":1,"start":50,"end":60,"op":"Dequeue","elem":FIRST}
"#;
    let verdict = |first: &str| check(&Queue, &calls(&fifo.replace("FIRST", first))).unwrap().verdict;
    assert!(matches!(verdict("1"), Verdict::Accepted(_)));
    assert!(matches!(verdict("2"), Verdict::Rejected(_)));
}

/// Where clocks of cores differ, ends are widened, and calls of one thread overlap by their times. They are ordered all the same.
#[test]
fn calls_of_a_lane_are_in_its_order_whatever_their_times() {
    let lines = |uncertainty: u32| {
        format!(
            r#"{{"header":true,"format":"omnilink-jsonl","version":1,"run":{{"clock":{{"kind":"monotonic","uncertainty":{uncertainty}}}}}}}
{{"thread":0,"start":10,"end":20,"op":"Enqueue","elem":1}}
{{"thread":0,"start":21,"end":30,"op":"Enqueue","elem":2}}
{{"thread":1,"start":3000,"end":3010,"op":"Dequeue","elem":2}}
"#
        )
    };
    for uncertainty in [0, 500] {
        let calls = calls::<Input, Option<i64>>(&lines(uncertainty));
        assert_eq!(calls.as_slice()[0].end, Some(10 + u64::from(uncertainty)));
        let verdict = check(&Queue, &calls).unwrap().verdict;
        assert!(matches!(verdict, Verdict::Rejected(_)), "uncertainty {uncertainty}");
    }
}

#[test]
fn what_does_not_fit_is_told_with_event_action_and_parameter() {
    let line = |rest: &str| format!(r#"{{"thread":7,"start":10,"end":20,{rest}}}"#) + "\n";
    let place = "event 0 of lane 7";
    let cases = [
        (r#""op":"Push","elem":1"#, "Push(1): expected `Enqueue` or `Dequeue` or `DequeueEmpty`, found `Push`"),
        (r#""op":"Enqueue","value":1"#, "Enqueue(1): there is no parameter `elem`; recorded are `value`"),
        (
            r#""op":"Enqueue","elem":"a""#,
            "Enqueue(\"a\"): `elem`: expected an integer from -9223372036854775808 to 9223372036854775807, found \"a\"",
        ),
        (r#""op":"Enqueue","args":{"elem":null}"#, "Enqueue(?elem): `elem` was not recorded"),
        (r#""op":"Dequeue","elem":true"#, "Dequeue(TRUE): `elem`: expected an integer"),
        (r#""op":"Dequeue","elem":1,"by":2"#, "Dequeue(1, 2): a single value was expected, and `elem`, `by` are left"),
        (r#""ops":[]"#, "it is not known which action it was"),
        (
            r#""ops":[{"name":"Enqueue","params":["elem"]},{"name":"Dequeue","params":["elem"]}],"args":{"elem":1},"outcome":"indeterminate""#,
            "it is not known which of these actions it was",
        ),
    ];
    for (rest, expected) in cases {
        let text = error::<Input, Option<i64>>(&line(rest));
        assert!(text.contains(place) && text.contains(expected), "{rest}: {text}");
    }
    let text = error::<Input, ()>(&line(r#""op":"Dequeue","elem":1"#));
    assert!(text.contains("neither the input nor the output of the model takes `elem`"), "{text}");
}

/// Every shape that can be derived.
#[test]
fn shapes_of_types_are_read() {
    #[derive(Debug, Clone, PartialEq, FromTla)]
    #[tla(rename_all = "camelCase")]
    struct Swap {
        old_value: Key,
        #[tla(rename = "new")]
        next: Option<Mode>,
        #[tla(skip)]
        note: String,
    }
    #[derive(Debug, Clone, PartialEq, FromTla)]
    struct Key(u8);
    #[derive(Debug, Clone, PartialEq, FromTla)]
    #[tla(rename_all = "lowercase")]
    enum Mode {
        Read,
        Write,
    }
    #[derive(Debug, Clone, PartialEq, FromTla)]
    #[tla(tag = "kind")]
    enum Answer<T> {
        #[tla(rename = "ok")]
        Fine(T),
        Pair(u8, bool),
        Named {
            by: String,
        },
        #[tla(other)]
        Other,
    }
    #[derive(Debug, Clone, PartialEq, FromTla)]
    struct Returned {
        was: Answer<Vec<u8>>,
    }
    let read = |was: &str| {
        let line = r#"{"thread":0,"start":1,"end":2,"op":"Swap","oldValue":3,"new":["write"],"was":WAS}"#;
        let calls: Calls<Swap, Returned> = calls(&(line.replace("WAS", was) + "\n"));
        let omnilink_check::model::Call { input, output, .. } = calls.as_slice()[0].clone();
        assert_eq!(input, Swap { old_value: Key(3), next: Some(Mode::Write), note: String::new() });
        output.expect("an output").was
    };
    assert_eq!(read(r#"{"kind":"ok","value":[1,2]}"#), Answer::Fine(vec![1, 2]));
    assert_eq!(read(r#"{"kind":"Pair","value":[1,true]}"#), Answer::Pair(1, true));
    assert_eq!(read(r#"{"kind":"Named","by":"ann"}"#), Answer::Named { by: "ann".to_owned() });
    assert_eq!(read(r#"{"kind":"Anything"}"#), Answer::Other);
    // By place, and the operation where the action has no variant of its own.
    #[derive(Debug, Clone, PartialEq, FromTla)]
    enum ByPlace {
        Put(String, u8),
        Take,
    }
    let put = r#"{"thread":0,"start":1,"end":2,"op":"Put","key":"a","value":3,"was":4}"#;
    let taken = r#"{"thread":0,"start":3,"end":4,"op":"TakeNone","args":{},"operation":"Take"}"#;
    let calls: Calls<ByPlace, Option<u8>> = calls(&format!("{put}\n{taken}\n"));
    let seen: Vec<_> = calls.as_slice().iter().map(|call| (&call.input, call.output)).collect();
    assert_eq!(seen, [(&ByPlace::Put("a".to_owned(), 3), Some(Some(4))), (&ByPlace::Take, Some(None))]);
}

mod instrumented {
    use std::collections::VecDeque;
    use std::sync::Mutex;

    pub struct Queue {
        pub items: Mutex<VecDeque<i64>>,
        pub newest_first: bool,
    }

    impl Queue {
        #[omnilink::action(Enqueue(elem))]
        pub fn push(&self, elem: i64) {
            self.items.lock().unwrap().push_back(elem);
        }

        #[omnilink::action(match ret { Some(v) => Dequeue(elem = v), None => DequeueEmpty })]
        pub fn pop(&self) -> Option<i64> {
            let mut items = self.items.lock().unwrap();
            if self.newest_first { items.pop_back() } else { items.pop_front() }
        }
    }
}

#[test]
fn a_recorded_closure_is_checked_against_a_model() {
    let traces = tempfile::tempdir().unwrap();
    let run = |newest_first: bool| {
        model(Queue).traces(traces.path()).try_check(|_| {
            let queue = instrumented::Queue { items: Default::default(), newest_first };
            queue.push(1);
            std::thread::scope(|scope| scope.spawn(|| queue.push(2)).join().unwrap());
            queue.pop();
        })
    };
    run(false).unwrap();
    let failure = run(true).expect_err("2 was taken before 1");
    let text = failure.to_string();
    for part in
        ["no order of these 3 calls is allowed", "Dequeue → Some(Some(2))", "the state is [1, 2]", "omnilink show"]
    {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
    assert!(failure.trace().is_some_and(|trace| trace.join("run.json").exists()));
    let nothing = model(Queue).try_check(|_| {}).unwrap_err().to_string();
    assert!(nothing.contains("no call was recorded"), "{nothing}");
}
