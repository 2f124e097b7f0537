//! `IOUtils`: the environment and text files. Commands are never run on behalf of a specification.

use std::fmt::Display;
use std::path::Path;

use super::{BuiltinModule, Native, Outcome, exactly};
use crate::eval::{Failure, Host, World};
use crate::symbol::Symbol;
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
        Native::hosted("Serialize", &[0, 0, 0], serialize),
        Native::hosted("Deserialize", &[0, 0], deserialize),
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

/// Writes a text to a file, or appends it, as the options say.
fn serialize(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    const DOING: &str = "apply Serialize";
    let [text, path, options] = exactly(arguments);
    check_format(options, DOING)?;
    let (text, path) = (text.expect_str(DOING)?.as_str(), Path::new(path.expect_str(DOING)?.as_str()));
    let appends = match option(options, "openOptions") {
        Some(options) => options.to_tuple(DOING)?.iter().any(|option| *option == Value::string("APPEND")),
        None => false,
    };
    written(if appends { host.world().append_file(path, text) } else { host.world().write_file(path, text) })
}

fn deserialize(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    const DOING: &str = "apply Deserialize";
    let [path, options] = exactly(arguments);
    check_format(options, DOING)?;
    match host.world().read_file(Path::new(path.expect_str(DOING)?.as_str())).map(String::from_utf8) {
        Ok(Ok(text)) => result(0, &text, &""),
        Ok(Err(_)) => result(1, "", &"it is not UTF-8 text"),
        Err(error) => result(1, "", &error),
    }
}

fn option(options: &Value, name: &str) -> Option<Value> {
    options.field(Symbol::new(name)).ok()
}

fn check_format(options: &Value, doing: &'static str) -> Result<(), Failure> {
    match option(options, "format").and_then(|format| format.as_str()) {
        Some(format) if format.as_str() == "TXT" => Ok(()),
        _ => Err(Failure::unplaced(format!("cannot {doing}: the only format is [format |-> \"TXT\"]"))
            .hint("JsonSerialize and JsonDeserialize of module Json store values")),
    }
}

/// What is said of a file that was to be written, in the form of what a command returns.
pub(super) fn written<E: Display>(written: Result<(), E>) -> Result<Value, Failure> {
    match written {
        Ok(()) => result(0, "", &""),
        Err(error) => result(1, "", &error),
    }
}

fn result(exit: i64, output: &str, error: &dyn Display) -> Result<Value, Failure> {
    let fields = [
        ("exitValue", Value::Int(exit)),
        ("stdout", Value::string(output)),
        ("stderr", Value::string(&error.to_string())),
    ];
    Ok(Value::record(fields)?)
}
