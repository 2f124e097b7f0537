#![allow(unused)]

#[omnilink::action(Put(key), abort_if = ret.is_none() || key.is_empty())]
fn put(key: String) -> Option<usize> {
    Some(key.into_bytes().len())
}

fn main() {
    put(String::new());
}
