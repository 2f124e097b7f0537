//! `CSV`: lines of a file, written by a template and read as records of strings.

use std::path::Path;

use super::format::filled;
use super::{BuiltinModule, Native, exactly};
use crate::eval::{Failure, Host};
use crate::value::{Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "CSV",
    standard: false,
    extends: &[],
    operators: &[
        Native::hosted("CSVWrite", &[0, 0, 0], |host, arguments| {
            let [template, values, path] = exactly(arguments);
            write(host, template, values, path)
        }),
        Native::hosted("CSVWriteRecord", &[0, 0, 0, 0], write_record),
        Native::hosted("CSVRead", &[0, 0, 0], read),
        Native::hosted("CSVRecords", &[0], |host, arguments| {
            let [path] = exactly(arguments);
            Ok(Value::Int(lines(host, path, "apply CSVRecords")?.len() as i64))
        }),
    ],
};

/// Appends a line to a file.
fn write(host: &dyn Host, template: &Value, values: &Value, path: &Value) -> Result<Value, Failure> {
    const DOING: &str = "apply CSVWrite";
    let values = values.to_tuple(DOING)?;
    let shown = values.iter().map(super::tlc::shown).collect::<Result<Vec<_>, _>>()?;
    append(host, path, &filled(template.expect_str(DOING)?.as_str(), &shown, DOING)?, DOING)
}

/// Appends a record's values, in the order of its fields, with their names before them if there are to be headers.
fn write_record(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    const DOING: &str = "apply CSVWriteRecord";
    let [record, delimiter, headers, path] = exactly(arguments);
    let delimiter = delimiter.expect_str(DOING)?.as_str();
    let entries = super::entries::entries(record, DOING)?;
    let values = entries.iter().map(|(_, value)| super::tlc::shown(value)).collect::<Result<Vec<_>, _>>()?;
    let mut text = values.join(delimiter);
    if headers.expect_bool(DOING)? {
        let names = entries.iter().map(|(name, _)| Ok(name.expect_str(DOING)?.as_str()));
        text = format!("{}\n{text}", names.collect::<Result<Vec<_>, ValueError>>()?.join(delimiter));
    }
    append(host, path, &text, DOING)
}

fn append(host: &dyn Host, path: &Value, line: &str, doing: &'static str) -> Result<Value, Failure> {
    let path = path.expect_str(doing)?.as_str();
    let appended = host.world().append_file(Path::new(path), &format!("{line}\n"));
    appended.map_err(|error| Failure::unplaced(format!("cannot {doing}: {path}: {error}")))?;
    Ok(Value::Bool(true))
}

/// The lines of a file: none if it is not there.
fn lines(host: &dyn Host, path: &Value, doing: &'static str) -> Result<Vec<String>, Failure> {
    let path = path.expect_str(doing)?.as_str();
    let cannot = |why: &dyn std::fmt::Display| Failure::unplaced(format!("cannot {doing}: {path}: {why}"));
    match host.world().read_file_if_there(Path::new(path)) {
        Ok(None) => Ok(Vec::new()),
        Ok(Some(content)) => {
            let text = String::from_utf8(content).map_err(|_| cannot(&"it is not UTF-8 text"))?;
            Ok(text.lines().map(str::to_owned).collect())
        }
        Err(error) => Err(cannot(&error)),
    }
}

fn read(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    const DOING: &str = "apply CSVRead";
    let [columns, delimiter, path] = exactly(arguments);
    let names = columns.to_tuple(DOING)?;
    let names = names.iter().map(|name| name.expect_str(DOING)).collect::<Result<Vec<_>, _>>()?;
    let delimiter = delimiter.expect_str(DOING)?.as_str();
    let mut records = Vec::new();
    for (number, line) in (1..).zip(lines(host, path, DOING)?) {
        let fields: Vec<&str> = if delimiter.is_empty() { vec![&line] } else { line.split(delimiter).collect() };
        if fields.len() != names.len() {
            let (found, expected) = (fields.len(), names.len());
            let path = path.expect_str(DOING)?;
            let message = format!("cannot {DOING}: {path}:{number} has {found} fields, not {expected}");
            return Err(Failure::unplaced(message));
        }
        let fields = names.iter().copied().zip(fields.into_iter().map(Value::string));
        records.push(Value::record(fields)?);
    }
    Ok(Value::tuple(records)?)
}
