#![allow(unused)]

#[omnilink::action]
const fn compile_time(n: u64) -> u64 {
    n
}

#[omnilink::action]
struct Queue;

#[omnilink::action]
impl Queue {
    fn push(&self) {}
}

#[omnilink::action]
const LIMIT: u64 = 3;

trait Store {
    #[omnilink::action]
    fn get(&self, key: u64) -> u64;
}

#[omnilink::action(Stop(code, after now = 3))]
fn never_returns(code: i32) -> ! {
    std::process::exit(code)
}

#[omnilink::action(Get(value = ret))]
fn parameter_called_ret(ret: &mut u64) -> u64 {
    *ret
}

fn main() {}
