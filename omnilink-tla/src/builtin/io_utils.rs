//! `IOUtils`: the environment. Commands are never run on behalf of a specification.

use super::{BuiltinModule, Native, Outcome, refused};
use crate::value::{Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "IOUtils",
    standard: false,
    extends: &[],
    operators: &[
        Native::many("IOEnv", &[], |_| environment()),
        Native::one("atoi", to_integer),
        Native::two("zeroPadN", zero_padded),
        refused!("IOExec", &[0], "specifications may not run commands"),
        refused!("IOEnvExec", &[0, 0], "specifications may not run commands"),
        refused!("IOExecTemplate", &[0, 0], "specifications may not run commands"),
        refused!("IOEnvExecTemplate", &[0, 0, 0], "specifications may not run commands"),
        refused!("IOSerialize", &[0, 0, 0], "the format is Java's own; use JsonSerialize"),
        refused!("IODeserialize", &[0, 0], "the format is Java's own; use JsonDeserialize"),
        refused!("Serialize", &[0, 0, 0], "use JsonSerialize"),
        refused!("Deserialize", &[0, 0], "use JsonDeserialize"),
    ],
};

/// The process's environment as a record. What is not Unicode is left out: no string of TLA+ is equal to it.
fn environment() -> Outcome {
    let variables =
        std::env::vars_os().filter_map(|(name, value)| name.into_string().ok().zip(value.into_string().ok()));
    Value::function(variables.map(|(name, value)| (Value::string(&name), Value::string(&value))))
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
