//! `IOUtils`: the environment. Commands are never run on behalf of a specification.

use super::{BuiltinModule, Native, Outcome};
use crate::eval::World;
use crate::value::{Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "IOUtils",
    standard: false,
    extends: &[],
    operators: &[
        Native::reads("IOEnv", &[], environment),
        Native::one("atoi", to_integer),
        Native::two("zeroPadN", zero_padded),
        Native::refused("IOExec", &[0], "specifications may not run commands"),
        Native::refused("IOEnvExec", &[0, 0], "specifications may not run commands"),
        Native::refused("IOExecTemplate", &[0, 0], "specifications may not run commands"),
        Native::refused("IOEnvExecTemplate", &[0, 0, 0], "specifications may not run commands"),
        Native::refused("IOSerialize", &[0, 0, 0], "the format is Java's own; use JsonSerialize"),
        Native::refused("IODeserialize", &[0, 0], "the format is Java's own; use JsonDeserialize"),
        Native::refused("Serialize", &[0, 0, 0], "use JsonSerialize"),
        Native::refused("Deserialize", &[0, 0], "use JsonDeserialize"),
    ],
};

/// The process's environment as a record.
fn environment(world: &World, _: &[Value]) -> Outcome {
    Value::function(world.environment().into_iter().map(|(name, value)| (Value::string(&name), Value::string(&value))))
}

fn to_integer(text: &Value) -> Outcome {
    let text = text.expect_str("apply atoi")?.as_str();
    let not_a_number = |_| ValueError::rule(format!("cannot apply atoi: {text:?} is not a 64-bit integer"));
    text.parse().map(Value::Int).map_err(not_a_number)
}

fn zero_padded(number: &Value, width: &Value) -> Outcome {
    const DOING: &str = "apply zeroPadN";
    const WIDEST: i64 = 1 << 20;
    let (number, width) = (number.expect_int(DOING)?.to_string(), width.expect_int(DOING)?);
    if width > WIDEST {
        return Err(ValueError::rule(format!("cannot {DOING}: a width of {width} is too much")));
    }
    let missing = usize::try_from(width).unwrap_or_default().saturating_sub(number.len());
    Ok(Value::string(&format!("{}{number}", "0".repeat(missing))))
}
