#![allow(unused)]

#[omnilink::action(Put(key), abort_when = ret.is_err())]
fn unknown(key: u64) -> Result<(), ()> {
    Ok(())
}

#[omnilink::action(Put(key), Get(key))]
fn two_actions(key: u64) {}

#[omnilink::action(abort_if = ret.is_err(), Put(key))]
fn action_after_option(key: u64) -> Result<(), ()> {
    Ok(())
}

#[omnilink::action(abort_if = ret.is_err(), match ret { _ => Put(key) })]
fn match_after_option(key: u64) -> Result<(), ()> {
    Ok(())
}

#[omnilink::action(Put(key), abort_if = ret.is_err(), abort_if = key > 3)]
fn option_twice(key: u64) -> Result<(), ()> {
    Ok(())
}

#[omnilink::action(Put(key), abort_reason = "full")]
fn reason_without_condition(key: u64) {}

#[omnilink::action(Put(key), meta(size = 3, size = 4))]
fn meta_twice(key: u64) {}

#[omnilink::action(Put(key), meta(size = 3), meta(size = 4))]
fn meta_twice_apart(key: u64) {}

#[omnilink::action(Put(key), meta("omnilink.abort" = 3))]
fn reserved_meta(key: u64) {}

#[omnilink::action("Put")]
fn name_as_string(key: u64) {}

#[omnilink::action(Put(key) abort_if = true)]
fn without_comma(key: u64) {}

#[omnilink::action(Put(key), results(value))]
fn result_of_no_action(key: u64) {}

#[omnilink::action(Put(key), results(ret = 3))]
fn results_with_values(key: u64) {}

#[omnilink::action(Put(key), operation = A, operation = B)]
fn two_operations(key: u64) {}

#[omnilink::action(Put(key), operation = "")]
fn operation_without_name(key: u64) {}

#[omnilink::action(Put(key), operation(A))]
fn operation_in_parentheses(key: u64) {}

fn main() {}
