//! How a call can end, and what the trace then says of it.

mod support;

use std::panic::{AssertUnwindSafe, catch_unwind};

use omnilink_runtime::{ActionDef, Encoder, Site, ToTla, begin, current, enter};
use omnilink_trace::Outcome;
use support::record;

#[test]
fn a_call_that_ends_is_done() {
    let recorded = record(|| {
        let mut op = begin(site!(Put(key, value)));
        assert!(op.is_recording());
        op.set("key", &3);
        op.set("value", "x");
        op.returned();
        op.end();
    });
    assert_eq!(recorded.calls(), [r#"Put(key=3, value="x")"#]);
    assert!(recorded.trace.complete());
    assert_eq!(recorded.notices(), [""; 0]);
}

#[test]
fn an_aborted_call_keeps_its_reason() {
    let recorded = record(|| {
        let mut op = begin(site!(Put(key)));
        op.abort("full");
        op.end();
        let mut op = begin(site!(Put(key)));
        op.call(|| current::abort("full, says somebody below"));
        op.end();
    });
    assert_eq!(
        recorded.calls(),
        [
            r#"Put(key=?) Aborted omnilink.abort="full""#,
            r#"Put(key=?) Aborted omnilink.abort="full, says somebody below""#
        ]
    );
}

#[test]
fn a_call_aborted_twice_is_aborted() {
    let recorded = record(|| {
        let mut op = begin(site!(Put()));
        op.abort("first");
        op.abort("second");
        op.end();
    });
    assert_eq!(recorded.events()[0].outcome, Outcome::Aborted);
}

#[test]
fn a_discarded_call_leaves_nothing() {
    let recorded = record(|| {
        begin(site!(First())).end();
        let mut op = begin(site!(Put(key)));
        op.set("key", &1);
        op.discard();
        enter(site!(Put(key))).discard();
        begin(site!(Last())).end();
        begin(site!(Put(key))).discard();
    });
    assert_eq!(recorded.calls(), ["First()", "Last()"]);
}

#[test]
fn a_dropped_call_is_indeterminate() {
    let recorded = record(|| drop(begin(site!(Put()))));
    assert_eq!(recorded.calls(), [r#"Put() Indeterminate omnilink.dropped="dropped before it ended""#]);
}

#[test]
fn a_call_that_is_said_to_be_indeterminate_is() {
    let recorded = record(|| begin(site!(Put())).indeterminate("the connection was lost"));
    assert_eq!(recorded.events()[0].outcome, Outcome::Indeterminate);
    assert!(recorded.calls()[0].ends_with(r#"="the connection was lost""#), "{:?}", recorded.calls());
}

#[test]
fn a_panic_goes_on_and_leaves_the_call_indeterminate_with_its_message() {
    let recorded = record(|| {
        let panicking = |body: fn()| {
            let mut op = begin(site!(Put(key)));
            op.set("key", &1);
            let unwound = catch_unwind(AssertUnwindSafe(|| op.call(body)));
            assert!(unwound.is_err());
            assert!(!op.is_recording(), "the call is over");
            op.set("key", &2);
            op.end();
        };
        panicking(|| panic!("a literal"));
        panicking(|| panic!("formatted: {}", 7));
        panicking(|| std::panic::panic_any(7));
        begin(site!(After())).end();
    });
    assert_eq!(
        recorded.calls(),
        [
            r#"Put(key=1) Indeterminate omnilink.panic="a literal""#,
            r#"Put(key=1) Indeterminate omnilink.panic="formatted: 7""#,
            r#"Put(key=1) Indeterminate omnilink.panic="a panic without a message""#,
            "After()",
        ]
    );
}

#[test]
fn a_call_that_a_panic_leaves_is_indeterminate() {
    let recorded = record(|| {
        let unwound = catch_unwind(|| {
            let _op = begin(site!(Put()));
            panic!("not inside of Op::call");
        });
        assert!(unwound.is_err());
        begin(site!(After())).end();
    });
    assert_eq!(recorded.events()[0].outcome, Outcome::Indeterminate);
    assert_eq!(recorded.calls()[1], "After()");
}

static TRY_POP: Site = Site::new(
    &[ActionDef { name: "Pop", params: &["queue", "elem"] }, ActionDef { name: "PopEmpty", params: &["queue"] }],
    &["queue", "elem"],
);

#[test]
fn the_result_chooses_the_action() {
    let recorded = record(|| {
        for elem in [Some(7), None] {
            let mut op = begin(&TRY_POP);
            op.set("queue", "q");
            if let Some(elem) = elem {
                op.set("elem", &elem);
            }
            op.choose(u16::from(elem.is_none()));
            op.end();
        }
        begin(&TRY_POP).end();
        drop(begin(&TRY_POP));
    });
    assert_eq!(
        recorded.calls(),
        [
            r#"Pop(queue="q", elem=7)"#,
            r#"PopEmpty(queue="q")"#,
            "Pop|PopEmpty(queue=?, elem=?)",
            r#"Pop|PopEmpty(queue=?, elem=?) Indeterminate omnilink.dropped="dropped before it ended""#,
        ]
    );
}

#[test]
fn a_call_that_never_started_leaves_nothing() {
    let recorded = record(|| {
        begin(site!(First())).end();
        drop(enter(site!(Put())));
        enter(site!(Put())).end();
        begin(site!(Last())).end();
    });
    assert_eq!(recorded.calls(), ["First()", "Last()"]);
}

/// Fails to describe itself.
struct Broken;

impl ToTla for Broken {
    fn encode(&self, _: &mut Encoder<'_>) {
        panic!("cannot be described");
    }
}

#[test]
fn an_argument_whose_description_panics_does_not_harm_the_trace() {
    let recorded = record(|| {
        begin(site!(First())).end();
        let early = catch_unwind(|| {
            let mut op = enter(site!(Early(key)));
            op.set("key", &Broken);
        });
        let late = catch_unwind(|| {
            let mut op = begin(site!(Late(key)));
            op.set("key", &Broken);
        });
        assert!(early.is_err() && late.is_err());
        begin(site!(Last())).end();
    });
    let calls = recorded.calls();
    assert_eq!((calls.len(), calls[0], calls[2]), (3, "First()", "Last()"));
    assert!(calls[1].starts_with("Late(key=?) Indeterminate"), "{calls:?}");
}

#[test]
fn notes_keep_their_order_and_the_last_of_one_name_counts() {
    let recorded = record(|| {
        let mut op = begin(site!(Put()));
        op.meta("attempts", &1);
        op.call(|| current::meta("where", "below"));
        op.meta("attempts", &2);
        op.end();
        begin(site!(Plain())).end();
    });
    let calls = recorded.calls();
    assert!(calls[0].contains("attempts=2") && calls[0].contains(r#"where="below""#), "{calls:?}");
    assert_eq!(calls[1], "Plain()");
}

#[test]
fn without_an_open_call_there_is_nothing_to_say_anything_about() {
    let recorded = record(|| {
        current::abort("nothing");
        current::meta("key", &1);
        current::refine_start();
        current::refine_end();
        begin(site!(Put())).end();
        current::abort("nothing");
    });
    assert_eq!(recorded.calls(), ["Put()"]);
}
