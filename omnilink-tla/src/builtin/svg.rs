//! `SVG`: elements of pictures as records, and their text.

use std::path::Path;

use super::{BuiltinModule, Native, Outcome, exactly, tlc};
use crate::eval::{Failure, Host};
use crate::symbol::Symbol;
use crate::value::{Value, ValueError};

pub(super) static MODULE: BuiltinModule = BuiltinModule {
    name: "SVG",
    standard: false,
    extends: &[],
    operators: &[
        Native::many("SVGElem", &[0, 0, 0, 0], |arguments| {
            let [name, attributes, children, text] = exactly(arguments);
            record(name.clone(), attributes.clone(), children.clone(), text.clone())
        }),
        Native::many("Line", &[0, 0, 0, 0, 0], |arguments| shape("line", &["x1", "y1", "x2", "y2"], arguments)),
        Native::many("Circle", &[0, 0, 0, 0], |arguments| shape("circle", &["cx", "cy", "r"], arguments)),
        Native::many("Rect", &[0, 0, 0, 0, 0], |arguments| shape("rect", &["x", "y", "width", "height"], arguments)),
        Native::many("Text", &[0, 0, 0, 0], |arguments| {
            let [x, y, text, attributes] = exactly(arguments);
            let own = attributes_of(&["x", "y"], &[x.clone(), y.clone()])?;
            record(Value::string("text"), own.merge(attributes)?, empty(), text.clone())
        }),
        Native::many("Image", &[0, 0, 0, 0, 0, 0], image),
        Native::two("Group", |children, attributes| container("g", children, attributes)),
        Native::two("Svg", |children, attributes| container("svg", children, attributes)),
        Native::many("SVGDoc", &[0, 0, 0, 0, 0, 0], document),
        Native::one("SVGElemToString", |element| Ok(Value::string(&text(element)?))),
        Native::many("NodeOfRingNetwork", &[0, 0, 0, 0, 0], node_of_ring),
        Native::many("PointOnLine", &[0, 0, 0], point_on_line),
        Native::hosted("SVGSerialize", &[0, 0, 0], serialize),
        Native::refused("NodesOfDirectedMultiGraph", &[0, 0, 0], "graphs are not laid out here"),
    ],
};

fn empty() -> Value {
    Value::Tuple(crate::value::Tuple::empty())
}

fn record(name: Value, attributes: Value, children: Value, text: Value) -> Outcome {
    Value::record([("name", name), ("attrs", attributes), ("children", children), ("innerText", text)])
}

fn attributes_of(names: &[&str], values: &[Value]) -> Outcome {
    let texts = values.iter().map(|value| Ok(Value::string(&tlc::shown(value)?)));
    Value::record(names.iter().copied().zip(texts.collect::<Result<Vec<_>, ValueError>>()?))
}

/// An element whose first arguments are attributes, and the last one more of them.
fn shape(name: &str, names: &[&str], arguments: &[Value]) -> Outcome {
    let own = attributes_of(names, arguments)?;
    record(Value::string(name), own.merge(&arguments[names.len()])?, empty(), Value::string(""))
}

fn image(arguments: &[Value]) -> Outcome {
    let [x, y, width, height, source, attributes] = exactly(arguments);
    let place = [x, y, width, height].map(Clone::clone);
    let own = attributes_of(&["x", "y", "width", "height"], &place)?;
    let own = own.merge(&Value::record([("xlink:href", source.clone())])?)?;
    record(Value::string("image"), own.merge(attributes)?, empty(), Value::string(""))
}

fn container(name: &str, children: &Value, attributes: &Value) -> Outcome {
    record(Value::string(name), attributes.clone(), children.clone(), Value::string(""))
}

fn document(arguments: &[Value]) -> Outcome {
    let [content, x, y, width, height, attributes] = exactly(arguments);
    let view = [x, y, width, height].into_iter().map(tlc::shown).collect::<Result<Vec<_>, _>>()?;
    let own = Value::record([
        ("xmlns:xlink", Value::string("http://www.w3.org/1999/xlink")),
        ("xmlns", Value::string("http://www.w3.org/2000/svg")),
        ("viewBox", Value::string(&view.join(" "))),
    ])?;
    container("svg", &Value::tuple([content.clone()])?, &own.merge(attributes)?)
}

/// The element as it is written in a file. The attributes' values stand in single quotes, as TLC writes them.
fn text(element: &Value) -> Result<String, ValueError> {
    const DOING: &str = "apply SVGElemToString";
    let field = |name: &str| element.field(Symbol::new(name));
    let name = field("name")?.expect_str(DOING)?;
    let mut text = format!("<{name}");
    for (attribute, value) in super::entries::entries(&field("attrs")?, DOING)? {
        let attribute = attribute.expect_str(DOING)?.as_str().replace('_', "-");
        text.push_str(&format!(" {attribute}='{}'", value.expect_str(DOING)?));
    }
    text.push('>');
    let inner = field("innerText")?.expect_str(DOING)?;
    text.push_str(&inner.as_str().replace("<<", "&lt;&lt;").replace(">>", "&gt;&gt;"));
    for (_, child) in super::entries::entries(&field("children")?, DOING)? {
        text.push_str(&self::text(&child)?);
    }
    Ok(text + &format!("</{name}>"))
}

fn point(x: f64, y: f64) -> Outcome {
    Value::record([("x", Value::Int(x as i64)), ("y", Value::Int(y as i64))])
}

/// The place of the n-th of m nodes on a circle.
fn node_of_ring(arguments: &[Value]) -> Outcome {
    const DOING: &str = "apply NodeOfRingNetwork";
    let numbers = arguments.iter().map(|number| Ok(number.expect_int(DOING)? as f64));
    let numbers = numbers.collect::<Result<Vec<_>, ValueError>>()?;
    let [x, y, radius, n, m] = exactly(&numbers);
    let angle = std::f64::consts::TAU / m * n;
    point(x + radius * angle.cos(), y + radius * angle.sin())
}

/// The point that a part, by its denominator, of the way from one to another leads to.
fn point_on_line(arguments: &[Value]) -> Outcome {
    const DOING: &str = "apply PointOnLine";
    let [from, to, part] = exactly(arguments);
    let part = part.expect_int(DOING)? as f64;
    let coordinate = |name: &str| -> Result<f64, ValueError> {
        let [from, to] = [from, to].map(|point| point.field(Symbol::new(name))?.expect_int(DOING));
        let (from, to) = (from? as f64, to? as f64);
        Ok(from + (to - from) / part)
    };
    point(coordinate("x")?, coordinate("y")?)
}

/// Writes the file of a frame.
fn serialize(host: &dyn Host, arguments: &[Value]) -> Result<Value, Failure> {
    let [element, prefix, number] = exactly(arguments);
    let prefix = prefix.expect_str("apply SVGSerialize")?;
    let path = format!("{prefix}{}.svg", tlc::shown(number)?);
    super::io_utils::written(host.world().write_file(Path::new(&path), &text(element)?))
}
