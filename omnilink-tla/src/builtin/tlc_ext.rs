//! `TLCExt`: the parts that have a meaning outside of TLC's own search.

use super::{BuiltinModule, LAZY, Native, NativeArg, Outcome, exactly, tlc};
use crate::eval::{Failure, Host};
use crate::value::{Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "TLCExt",
    standard: true,
    extends: &[],
    operators: &[
        Native::shows("AssertEq", &[0, 0], assert_equal),
        Native::hosted("TLCGetOrDefault", &[0, 0], get_or_default),
        Native::one("TLCModelValue", |name| Ok(Value::Model(name.expect_str("apply TLCModelValue")?))),
        Native::one("TLCNoOp", |value| Ok(value.clone())),
        Native::two("TLCCache", |value, _| Ok(value.clone())),
        Native::one("PickSuccessor", pick_successor),
        Native::higher("AssertError", &[0, LAZY], assert_error),
        Native::refused("TLCGetAndSet", &[0, 2, 0, 0], "use TLCGetOrDefault and TLCSet"),
        Native::refused("TLCDefer", &[0], "evaluation cannot be deferred"),
        Native::refused("Trace", &[], "the behaviour that leads to a state is not kept for expressions"),
        Native::refused("CounterExample", &[], "counterexamples are not available to expressions"),
        Native::refused("ToTrace", &[0], "counterexamples are not available to expressions"),
        Native::refused("TLCFP", &[0], "fingerprints differ from those of TLC"),
        Native::refused("TLCEvalDefinition", &[0], "definitions cannot be looked up by name"),
    ],
};

fn assert_equal(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    let [a, b] = exactly(arguments);
    let equal = a.equals(b)?;
    if !equal {
        for printed in [&Value::string("Assertion failed"), a, b] {
            host.print(&tlc::shown(printed)?);
        }
    }
    Ok(Value::Bool(equal))
}

/// Whether an evaluation fails. With which text is not compared: the texts that specifications expect are those of TLC.
fn assert_error(arguments: &[NativeArg<'_>]) -> Result<Value, Failure> {
    let [text, expression] = exactly(arguments);
    text.value()?.expect_str("apply AssertError")?;
    match expression.evaluate() {
        Ok(_) => Ok(Value::Bool(false)),
        Err(failure) if failure.is_of_the_expression() => Ok(Value::Bool(true)),
        Err(failure) => Err(failure),
    }
}

fn get_or_default(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    let [register, default] = exactly(arguments);
    Ok(host.register(register).unwrap_or_else(|| default.clone()))
}

fn pick_successor(condition: &Value) -> Outcome {
    match condition.expect_bool("apply PickSuccessor")? {
        true => Ok(Value::Bool(true)),
        false => Err(ValueError::rule("cannot evaluate PickSuccessor(FALSE): there is nobody to ask")),
    }
}
