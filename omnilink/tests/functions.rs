//! Every kind of function can be recorded, and does what it did before.

mod common;

use std::fmt::Display;
use std::num::ParseIntError;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use common::{record, record_until};
use omnilink::{Session, ToTla};

#[test]
fn early_returns_and_question_marks() {
    #[derive(Debug, PartialEq)]
    enum Wrong {
        Empty,
        Text(ParseIntError),
    }
    impl From<ParseIntError> for Wrong {
        fn from(error: ParseIntError) -> Self {
            Self::Text(error)
        }
    }
    #[omnilink::action(Parse(text, value = ret.as_ref().ok()))]
    fn parse(text: &str) -> Result<u8, Wrong> {
        if text.is_empty() {
            return Err(Wrong::Empty);
        }
        let value: u8 = text.parse()?;
        Ok(value + 1)
    }
    #[omnilink::action(First(head = ret))]
    fn first(texts: &[String]) -> Option<&str> {
        let text = texts.first()?;
        for (at, part) in text.split('-').enumerate() {
            if !part.is_empty() {
                return Some(part);
            }
            assert!(at < 3);
        }
        None
    }
    #[omnilink::action(Parse(text))]
    fn parse_dynamic(text: &str) -> Result<u8, Box<dyn std::error::Error + '_>> {
        if text.is_empty() {
            return Err("empty".into());
        }
        Ok(text.parse()?)
    }
    let events = record(|| {
        assert_eq!(parse(""), Err(Wrong::Empty));
        assert!(matches!(parse("x"), Err(Wrong::Text(_))));
        assert_eq!(parse("3"), Ok(4));
        assert_eq!(first(&[]), None);
        assert_eq!(first(&["--a".to_owned()]), Some("a"));
        assert!(parse_dynamic("x").is_err());
    });
    assert_eq!(
        events,
        [
            r#"Parse(text = "", value = <<>>)"#,
            r#"Parse(text = "x", value = <<>>)"#,
            r#"Parse(text = "3", value = <<4>>)"#,
            "First(head = <<>>)",
            r#"First(head = <<"a">>)"#,
            r#"Parse(text = "x")"#,
        ]
    );
}

#[test]
fn generics_lifetimes_and_impl_trait() {
    struct Cells<T> {
        cells: Vec<T>,
    }
    impl<T: ToTla + Clone> Cells<T> {
        #[omnilink::action(Get(at, value = ret))]
        fn get<'a>(&'a mut self, at: usize) -> &'a mut T {
            &mut self.cells[at]
        }

        #[omnilink::action(Find(value = ret))]
        fn find_mut(&mut self, mut test: impl FnMut(&T) -> bool) -> Option<&mut T> {
            self.cells.iter_mut().find(|cell| test(cell))
        }

        #[omnilink::action(Iterate)]
        fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
            self.cells.iter_mut()
        }

        #[omnilink::action(Iterate(from))]
        fn boxed(&self, from: usize) -> Result<Box<dyn Iterator<Item = T> + '_>, String> {
            Ok(Box::new(self.cells.iter().skip(from).cloned()))
        }

        #[omnilink::action(Closure(n))]
        fn closure(&self, n: usize) -> Result<impl Fn() -> T + use<'_, T>, String> {
            let cell = self.cells.get(n).ok_or("none")?;
            Ok(move || cell.clone())
        }
    }
    #[omnilink::action(Longest(a, b, longest = ret))]
    fn longest<'a: 'c, 'b: 'c, 'c>(a: &'a str, b: &'b str) -> &'c str {
        if a.len() > b.len() { a } else { b }
    }
    #[omnilink::action(Show(n = N, text = ret))]
    fn show<T, const N: usize>(all: [T; N], by: impl Fn(T) -> String) -> String
    where
        T: Display,
    {
        all.map(by).concat()
    }
    let events = record(|| {
        let mut cells = Cells { cells: vec![1, 2, 3] };
        *cells.get(0) = 7;
        *cells.find_mut(|cell| *cell == 2).expect("is there") = 8;
        cells.iter_mut().for_each(|cell| *cell += 1);
        assert_eq!(cells.boxed(1).expect("is fine").collect::<Vec<_>>(), [9, 4]);
        assert_eq!(cells.closure(0).expect("is fine")(), 8);
        assert_eq!(longest("abc", "de"), "abc");
        assert_eq!(show([1, 2], |n| n.to_string()), "12");
    });
    assert_eq!(
        events,
        [
            "Get(at = 0, value = 1)",
            "Find(value = <<2>>)",
            "Iterate",
            "Iterate(from = 1)",
            "Closure(n = 0)",
            r#"Longest(a = "abc", b = "de", longest = "abc")"#,
            r#"Show(n = 2, text = "12")"#,
        ]
    );
}

#[test]
fn every_form_of_self() {
    struct Counter {
        n: Mutex<u64>,
    }
    impl Counter {
        #[omnilink::action(New(n = ret.value()))]
        fn new(n: u64) -> Self {
            Self { n: Mutex::new(n) }
        }

        fn value(&self) -> u64 {
            *self.n.lock().expect("is not poisoned")
        }

        #[omnilink::action(Add(by = 1, after n = self.value()))]
        fn shared(&self) {
            *self.n.lock().expect("is not poisoned") += 1;
        }

        #[omnilink::action(Add(by, was = self.value(), after n = self.value()))]
        fn unique(&mut self, by: u64) -> &mut Self {
            *self.n.get_mut().expect("is not poisoned") += by;
            Box::leak(Box::new(Self::new(0)))
        }

        #[omnilink::action(Pinned)]
        fn pinned(self: Pin<&mut Self>) -> u64 {
            self.value()
        }

        #[omnilink::action(Arced(after n = self.value()))]
        fn counted(self: &Arc<Self>) -> usize {
            Arc::strong_count(self)
        }

        #[omnilink::action(ByArc(n = self.value(), count = ret))]
        fn by_arc(self: Arc<Self>) -> usize {
            Arc::strong_count(&self)
        }

        #[omnilink::action(ByRc)]
        fn by_rc(self: Rc<Self>) -> u64 {
            self.value()
        }

        #[omnilink::action(ByBox)]
        fn by_box(self: Box<Self>) -> u64 {
            self.value()
        }

        #[omnilink::action(ByValue(n = ret))]
        fn by_value(mut self) -> u64 {
            *self.n.get_mut().expect("is not poisoned") += 1;
            self.value()
        }
    }
    let events = record(|| {
        let mut counter = Counter::new(1);
        counter.shared();
        counter.unique(3);
        assert_eq!(Pin::new(&mut counter).pinned(), 5);
        assert_eq!(counter.by_value(), 6);
        assert_eq!(Arc::new(Counter { n: Mutex::new(3) }).counted(), 1);
        assert_eq!(Arc::new(Counter { n: Mutex::new(3) }).by_arc(), 1);
        assert_eq!(Rc::new(Counter { n: Mutex::new(3) }).by_rc(), 3);
        assert_eq!(Box::new(Counter { n: Mutex::new(3) }).by_box(), 3);
    });
    assert_eq!(
        events,
        [
            "New(n = 1)",
            "Add(by = 1, n = 2)",
            "Add(by = 3, was = 2, n = 5)",
            "Pinned",
            "ByValue(n = 6)",
            "Arced(n = 3)",
            "ByArc(n = 3, count = 1)",
            "ByRc",
            "ByBox",
        ]
    );
}

#[test]
fn patterns_in_parameters() {
    struct Point {
        x: u8,
        y: String,
    }
    #[omnilink::action(Sum(a, b, x, len = y.len(), sum = ret))]
    fn sum((mut a, b): (u8, u8), Point { x, ref y }: Point, _: bool, mut others: Vec<u8>, [first, ..]: [u8; 3]) -> u8 {
        a += 1;
        others.push(first);
        a + b + x + others.into_iter().sum::<u8>() + u8::try_from(y.len()).unwrap_or(0)
    }
    let events = record(|| {
        assert_eq!(sum((1, 2), Point { x: 3, y: "four".into() }, true, vec![5], [6, 0, 0]), 22);
    });
    assert_eq!(events, ["Sum(a = 1, b = 2, x = 3, len = 4, sum = 22)"]);
}

#[test]
fn unsafe_extern_and_recursive_functions() {
    /// # Safety
    /// `place` must be valid.
    #[omnilink::action(Read(value = ret))]
    unsafe fn read(place: *const u8) -> u8 {
        // SAFETY: the caller's.
        unsafe { *place }
    }
    #[omnilink::action(Double(n))]
    extern "C" fn double(n: u8) -> u8 {
        n * 2
    }
    /// Documented.
    #[omnilink::action(Factorial(n, result = ret))]
    #[inline]
    #[must_use]
    fn factorial(n: u64) -> u64 {
        if n == 0 { 1 } else { n * factorial(n - 1) }
    }
    let events = record(|| {
        // SAFETY: a reference is valid.
        assert_eq!(unsafe { read(&3) }, 3);
        let double: extern "C" fn(u8) -> u8 = double;
        assert_eq!(double(4), 8);
        assert_eq!(factorial(5), 120);
    });
    assert_eq!(events, ["Read(value = 3)", "Double(n = 4)", "Factorial(n = 5, result = 120)"]);
}

#[test]
fn trait_methods() {
    trait Store {
        type Key: ToTla;

        fn get(&self, key: Self::Key) -> u8;

        #[omnilink::action(Default(key))]
        fn get_default(&self, key: Self::Key) -> u8 {
            self.get(key)
        }
    }
    struct Two;
    impl Store for Two {
        type Key = u8;

        #[omnilink::action(Get(key, value = ret))]
        fn get(&self, key: u8) -> u8 {
            key + 2
        }
    }
    let events = record(|| {
        assert_eq!(Two.get(1), 3);
        assert_eq!(Two.get_default(1), 3);
        let dynamic: &dyn Store<Key = u8> = &Two;
        assert_eq!(dynamic.get(2), 4);
    });
    assert_eq!(events, ["Get(key = 1, value = 3)", "Default(key = 1)", "Get(key = 2, value = 4)"]);
}

#[test]
fn functions_that_never_return() {
    #[omnilink::action(Stop(code))]
    fn stop(code: u8) -> ! {
        panic!("stopped with {code}")
    }
    let events = record(|| assert!(std::panic::catch_unwind(|| stop(3)).is_err()));
    assert_eq!(events, [r#"Stop(code = 3) indeterminate {omnilink.panic: "stopped with 3"}"#]);
}

#[test]
fn bodies_that_do_not_return_normally_have_their_type() {
    #[omnilink::action(Never)]
    fn vector(yes: bool) -> Vec<u8> {
        if yes { std::panic::panic_any(7_u8) } else { unreachable!() }
    }
    #[omnilink::action(Never)]
    fn nothing() {
        panic!("not today")
    }
    let events = record(|| {
        assert!(std::panic::catch_unwind(|| vector(true)).is_err());
        assert!(std::panic::catch_unwind(nothing).is_err());
    });
    assert_eq!(
        events,
        [
            r#"Never indeterminate {omnilink.panic: "a panic without a message"}"#,
            r#"Never indeterminate {omnilink.panic: "not today"}"#,
        ]
    );
}

/// A parameter whose drop is an effect of the call: it ends recording, so that a call during which it is dropped is
/// pending.
struct EndsRecording {
    session: Option<Session>,
    n: u8,
}

impl Drop for EndsRecording {
    fn drop(&mut self) {
        self.session.take();
    }
}

impl EndsRecording {
    #[omnilink::action(ByValue)]
    fn by_value(self) -> u8 {
        self.n
    }

    #[omnilink::action(Unused)]
    fn unused(self) {}
}

#[test]
fn parameters_are_dropped_inside_the_box() {
    struct Fields {
        n: u8,
        _guard: EndsRecording,
    }
    #[omnilink::action(Used(n = guard.n))]
    fn used(guard: EndsRecording) -> u8 {
        guard.n
    }
    #[omnilink::action(Unused)]
    fn unused(_guard: EndsRecording) {}
    #[omnilink::action(Field)]
    fn field(fields: Fields) -> u8 {
        fields.n
    }
    let pending = |run: fn(EndsRecording)| record_until(|session| run(EndsRecording { session: Some(session), n: 3 }));
    assert_eq!(pending(|guard| assert_eq!(used(guard), 3)), ["Used(n = 3) pending"]);
    assert_eq!(pending(unused), ["Unused pending"]);
    assert_eq!(pending(|guard| assert_eq!(field(Fields { n: 4, _guard: guard }), 4)), ["Field pending"]);
    assert_eq!(pending(|guard| assert_eq!(guard.by_value(), 3)), ["ByValue pending"]);
    assert_eq!(pending(EndsRecording::unused), ["Unused pending"]);
}
