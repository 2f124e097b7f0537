#![deny(unused)]

#[omnilink::action(Put)]
pub fn unused_parameter(value: String) {}

#[omnilink::action(Put(value))]
pub fn only_recorded(value: String) {}

#[omnilink::action(Put)]
pub fn unused_mut(mut value: String) -> usize {
    value.len()
}

#[omnilink::action(match ret { Some(v) => Dequeue, None => DequeueEmpty })]
pub fn unused_binding() -> Option<u8> {
    None
}

#[omnilink::action(Put)]
pub fn unreachable_statement() -> u8 {
    return 3;
    println!();
}

fn main() {}
