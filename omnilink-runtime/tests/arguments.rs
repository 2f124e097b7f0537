//! The arguments of a call, however they are given.

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};

use omnilink_runtime::{Encoder, Nested, Op, Session, ToTla, begin, current};
use omnilink_trace::{Outcome, Value};
use support::{record, record_with};

/// The value that the only event has for the parameter at this position.
fn value(recorded: &support::reading::Recorded, position: usize) -> Option<Value> {
    recorded.events()[0].args[position].value.clone()
}

#[test]
fn by_index_and_by_name_in_any_order() {
    let recorded = record(|| {
        let mut op = begin(site!(Put(a, b, c)));
        op.set("c", &3);
        op.arg(0, &1);
        op.set("b", &2);
        op.end();
    });
    assert_eq!(recorded.calls(), ["Put(a=1, b=2, c=3)"]);
}

#[test]
fn the_last_value_counts() {
    let recorded = record(|| {
        let mut op = begin(site!(Put(a, b)));
        op.set("a", &1);
        op.set("b", &2);
        op.set("a", "one");
        op.end();
    });
    assert_eq!(recorded.calls(), [r#"Put(a="one", b=2)"#]);
}

#[test]
fn the_last_value_counts_however_often_it_was_set() {
    let recorded = record(|| {
        let mut op = begin(site!(Put(a)));
        for n in 0..1000 {
            op.set("a", &n);
        }
        op.end();
    });
    assert_eq!(recorded.calls(), ["Put(a=999)"]);
}

#[test]
fn the_last_value_counts_whatever_the_sizes() {
    let large = "x".repeat(100_000);
    let recorded = record(|| {
        let mut op = begin(site!(Put(a)));
        op.set("a", &large);
        op.set("a", &1);
        op.end();
        let mut op = begin(site!(Put(a)));
        op.set("a", &large);
        op.set("a", "small");
        op.end();
        let mut op = begin(site!(Put(a)));
        op.set("a", &1);
        op.set("a", &large);
        op.end();
    });
    let last = format!("Put(a=\"{large}\")");
    assert_eq!(recorded.calls(), ["Put(a=1)", r#"Put(a="small")"#, &last]);
}

#[test]
fn a_parameter_that_the_site_does_not_have_is_refused() {
    let large = "x".repeat(100_000);
    let mistakes: [fn(&mut Op, &str); 4] = [
        |op, _| op.set("no such parameter", &1),
        |op, _| op.arg(1, &1),
        |op, _| op.arg(64, "text"),
        |op, large| op.arg(64, large),
    ];
    let mut open = None;
    let recorded = record(|| {
        for mistake in mistakes {
            let mut op = begin(site!(Put(a)));
            assert!(catch_unwind(AssertUnwindSafe(|| mistake(&mut op, &large))).is_err());
            op.set("a", &1);
            op.end();
        }
        let mut op = begin(site!(Put(a)));
        assert!(catch_unwind(AssertUnwindSafe(|| op.arg(1, &1))).is_err());
        open = Some(op);
    });
    assert_eq!(recorded.calls(), ["Put(a=1)", "Put(a=1)", "Put(a=1)", "Put(a=1)", "Put(a=?) Pending"]);
}

#[test]
fn a_parameter_that_was_never_set_is_unknown_and_reported() {
    let recorded = record(|| {
        let mut op = begin(site!(Put(a, b)));
        op.set("a", &1);
        op.end();
    });
    assert_eq!(recorded.calls(), ["Put(a=1, b=?)"]);
    assert_eq!(recorded.notices(), ["events of this lane with unknown arguments: 1, this is the first"]);
}

#[test]
fn large_values_are_kept() {
    let lengths = [7_000, 8_000, 100_000, 5_000_000];
    let recorded = record(|| {
        for length in lengths {
            let mut op = begin(site!(Put(key, blob)));
            op.set("key", &length);
            op.set("blob", &"x".repeat(length));
            op.end();
            begin(site!(Small())).end();
        }
    });
    for (events, length) in recorded.events().chunks(2).zip(lengths) {
        assert_eq!(events[0].args[0].value, Some(Value::Int(length as i64)));
        assert_eq!(events[0].args[1].value, Some(Value::from(&*"x".repeat(length))));
        assert!(events[1].args.is_empty());
    }
}

#[test]
fn a_call_in_flight_with_a_value_that_is_too_large_says_so() {
    let mut open = None;
    let recorded = record(|| {
        let mut op = begin(site!(Put(key, blob)));
        op.set("key", &1);
        op.set("blob", &"x".repeat(8_000));
        open = Some(op);
    });
    assert_eq!(recorded.calls(), ["Put(key=1, blob=?) Pending"]);
    assert_eq!(recorded.notices(), ["argument `blob` of the call in flight was too large to be kept; it is unknown"]);
}

#[test]
fn a_call_in_flight_forgets_that_an_earlier_value_was_too_large() {
    let mut open = None;
    let recorded = record(|| {
        let mut op = begin(site!(Put(blob)));
        op.set("blob", &"x".repeat(8_000));
        op.set("blob", &1);
        open = Some(op);
    });
    assert_eq!(recorded.calls(), ["Put(blob=1) Pending"]);
}

/// Tuples in tuples, so many.
struct Nest(usize);

impl ToTla for Nest {
    fn encode(&self, out: &mut Encoder<'_>) {
        out.tuple(usize::from(self.0 > 0), |out| {
            if self.0 > 0 {
                Nest(self.0 - 1).encode(out);
            }
        });
    }
}

/// Announces another number of elements than it has.
struct Liar;

impl ToTla for Liar {
    fn encode(&self, out: &mut Encoder<'_>) {
        out.tuple(3, |out| out.int(1));
    }
}

/// Writes no value at all.
struct Mute;

impl ToTla for Mute {
    fn encode(&self, _: &mut Encoder<'_>) {}
}

#[test]
fn a_value_that_cannot_be_encoded_is_unknown_with_a_note() {
    let recorded = record(|| {
        for value in [&Nest(2000) as &dyn ToTla, &Liar, &Mute] {
            let mut op = begin(site!(Put(key, other)));
            op.set("key", value);
            op.set("other", &1);
            op.end();
        }
    });
    let said = ["nests deeper than 1024 levels", "announced 3 values and wrote 1", "announced 1 values and wrote 0"];
    for (call, said) in recorded.calls().into_iter().zip(said) {
        assert!(call.starts_with("Put(key=?, other=1) omnilink.unknown"), "{call}");
        assert!(call.contains("key") && call.contains(said), "{call}");
    }
    assert_eq!(recorded.calls().len(), 3);
}

#[test]
fn several_values_that_cannot_be_encoded_do_not_harm_the_trace() {
    let recorded = record(|| {
        let mut op = begin(site!(Put(key, other)));
        op.set("key", &Liar);
        op.set("other", &Mute);
        op.end();
    });
    let calls = recorded.calls();
    assert!(calls[0].starts_with("Put(key=?, other=?) omnilink.unknown"), "{calls:?}");
}

#[test]
fn the_deepest_value_that_can_be_encoded_is_read_again() {
    let recorded = record(|| {
        let mut op = begin(site!(Put(key)));
        op.set("key", &Nest(1000));
        op.end();
    });
    let mut depth = 0;
    let mut value = value(&recorded, 0);
    while let Some(Value::Tuple(mut elements)) = value {
        value = elements.pop();
        depth += 1;
    }
    assert_eq!(depth, 1001);
}

#[test]
fn a_value_that_cannot_be_encoded_makes_an_earlier_one_unknown() {
    let recorded = record(|| {
        let mut op = begin(site!(Put(key)));
        op.set("key", &1);
        op.set("key", &Liar);
        op.end();
    });
    let event = &recorded.events()[0];
    assert_eq!(event.args[0].value, None);
    assert!(!event.meta.is_empty());
}

/// Calls instrumented functions while it describes itself.
struct Busy;

impl ToTla for Busy {
    fn encode(&self, out: &mut Encoder<'_>) {
        let mut op = begin(site!(Inner(x)));
        op.set("x", &2);
        op.end();
        current::meta("from", "encode");
        out.int(1);
    }
}

#[test]
fn a_value_that_calls_instrumented_functions_does_not_harm_the_trace() {
    let body = || {
        let mut op = begin(site!(Outer(a, b)));
        op.set("a", &Busy);
        op.meta("noted", &Busy);
        op.set("b", &3);
        op.end();
        begin(site!(Outer(a, b))).end();
    };
    let recorded = record(body);
    let calls = recorded.calls();
    assert_eq!(calls.len(), 2);
    assert!(calls[0].starts_with("Outer(a=1, b=3)") && calls[0].contains("noted=1"), "{calls:?}");
    assert!(calls[0].contains(r#"from="encode""#), "{calls:?}");
    assert_eq!(calls[1], "Outer(a=?, b=?)");

    let (_, recorded) = record_with(Session::builder().nested(Nested::Both), body);
    let calls = recorded.calls();
    assert_eq!(calls.iter().filter(|call| **call == "Inner(x=2)").count(), 2, "{calls:?}");
    assert!(calls[0].starts_with("Outer(a=1, b=3)"), "{calls:?}");
}

#[test]
fn every_event_of_a_site_with_the_most_parameters_is_whole() {
    macro_rules! wide {
        ($($param:ident)*) => { site!(Wide($($param),*)) };
    }
    let site = wide!(p00 p01 p02 p03 p04 p05 p06 p07 p08 p09 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19 p20 p21 p22 p23 p24 p25
        p26 p27 p28 p29 p30 p31 p32 p33 p34 p35 p36 p37 p38 p39 p40 p41 p42 p43 p44 p45 p46 p47 p48 p49 p50 p51 p52 p53 p54
        p55 p56 p57 p58 p59 p60 p61 p62 p63);
    let recorded = record(|| {
        let mut op = begin(site);
        for param in 0..64 {
            op.arg(param, &(u64::from(param) * 1_000_000_007));
        }
        op.end();
    });
    let event = &recorded.events()[0];
    assert_eq!(event.outcome, Outcome::Done);
    for (param, arg) in event.args.iter().enumerate() {
        assert_eq!(arg.value, Some(Value::Int(param as i64 * 1_000_000_007)));
    }
}
