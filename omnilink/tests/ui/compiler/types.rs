#![allow(unused)]

enum Popped {
    Item(u8),
    Nothing,
}

#[omnilink::action(Put(after x), abort_if = ret.len())]
fn condition(x: u8) -> Vec<u8> {
    vec![x]
}

#[omnilink::action(match ret { Popped::Item(v) => Dequeue(elem = v) })]
fn missing_arm() -> Popped {
    Popped::Nothing
}

#[omnilink::action]
fn body() -> u8 {
    "text"
}

#[omnilink::action]
async fn async_body() -> u8 {
    "text"
}

fn main() {}
