#![allow(unused)]

#[omnilink::action(match ret { Some(v) => Dequeue(elem = v), None => Dequeue })]
fn other_parameters() -> Option<u64> {
    None
}

#[omnilink::action(match ret { Some(v) => Dequeue(elem = v, limit), None => Dequeue(elem = 0, max = limit) })]
fn other_names(limit: u64) -> Option<u64> {
    None
}

#[omnilink::action(match ret { Some(v) => { Dequeue(elem = v) }, None => DequeueEmpty })]
fn block() -> Option<u64> {
    None
}

#[omnilink::action(match ret { Some(v) => if *v > 3 { Large } else { Small }, None => Empty })]
fn nested_choice() -> Option<u64> {
    None
}

#[omnilink::action(match ret {})]
fn no_arms() -> Option<u64> {
    None
}

#[omnilink::action(match ret { Some(v) => Dequeue(elem), None => DequeueEmpty })]
fn no_such_variable() -> Option<u64> {
    None
}

#[omnilink::action(match ret { Some(v) => Dequeue(elem = v, elem = v), None => DequeueEmpty })]
fn given_twice() -> Option<u64> {
    None
}

#[omnilink::action(match ret { Some(v) => 3, None => DequeueEmpty })]
fn not_an_action() -> Option<u64> {
    None
}

fn main() {}
