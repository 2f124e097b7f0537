//! The identifiers and types of a project: decided once, then used by both files.

use crate::model::{Enum, Model, Param, Type};
use crate::words::{camel, snake};

use super::names::Scope;

/// Standard tuples implement traits up to this length.
const MAX_TUPLE: usize = 12;

/// An action with its identifiers.
#[derive(Debug)]
pub(super) struct PlannedAction<'m> {
    /// The action.
    pub action: &'m crate::model::Action,
    /// Its struct, and its variant of `Action` and `Name`.
    pub type_name: String,
    /// Its method.
    pub method: String,
    /// Its constant.
    pub constant: String,
    pub fields: Vec<Field<'m>>,
}

/// A parameter with its identifiers.
#[derive(Debug)]
pub(super) struct Field<'m> {
    pub param: &'m Param,
    pub name: String,
    /// Its type in Rust.
    pub ty: String,
    /// An expression that draws one.
    pub drawn: String,
}

/// An enumeration with its identifiers.
#[derive(Debug)]
pub(super) struct PlannedEnum<'m> {
    pub name: String,
    /// Identifier and string.
    pub variants: Vec<(String, &'m str)>,
}

/// A record with its identifiers.
#[derive(Debug)]
pub(super) struct PlannedRecord {
    pub name: String,
    fields: Vec<(String, Type)>,
    /// Identifier, name in the specification, type in Rust.
    pub members: Vec<(String, String, String)>,
}

/// All identifiers and types of a project.
#[derive(Debug)]
pub(super) struct Plan<'m> {
    /// The user's type that implements the trait.
    pub fuzzer: String,
    pub actions: Vec<PlannedAction<'m>>,
    pub enums: Vec<PlannedEnum<'m>>,
    pub records: Vec<PlannedRecord>,
}

impl<'m> Plan<'m> {
    pub fn new(model: &'m Model) -> Self {
        let mut types = Scope::types();
        let mut methods = Scope::methods();
        let fuzzer = types.take(camel(&model.spec) + "Fuzzer", "");
        let named: Vec<_> = model
            .actions
            .iter()
            .map(|action| {
                let type_name = types.take(camel(&action.name), "Action");
                (action, type_name, methods.take(snake(&action.name), "_"))
            })
            .collect();
        let enums: Vec<_> = model.enums.iter().map(|known| planned_enum(known, &mut types)).collect();
        let mut shapes = Shapes { enums: &enums, records: Vec::new(), types };
        let actions = named
            .into_iter()
            .map(|(action, type_name, method)| PlannedAction {
                action,
                type_name,
                constant: method.to_ascii_uppercase(),
                method,
                fields: fields(&action.params, &mut shapes),
            })
            .collect();
        let records = shapes.records;
        Self { fuzzer, actions, enums, records }
    }
}

fn planned_enum<'m>(known: &'m Enum, types: &mut Scope) -> PlannedEnum<'m> {
    let mut variants = Scope::members();
    let variant = |string: &'m String| (variants.take(camel(string), "Value"), string.as_str());
    PlannedEnum { name: types.take(camel(&known.name), "Value"), variants: known.strings.iter().map(variant).collect() }
}

fn fields<'m>(params: &'m [Param], shapes: &mut Shapes<'_, '_>) -> Vec<Field<'m>> {
    let mut members = Scope::members();
    let field = |param: &'m Param| {
        let name = members.take(snake(&param.name), "_");
        let (ty, drawn) = shapes.of(&param.ty, &param.name);
        Field { param, name, ty, drawn }
    };
    params.iter().map(field).collect()
}

/// Types in Rust, with an expression that draws a value of each.
struct Shapes<'e, 'm> {
    enums: &'e [PlannedEnum<'m>],
    records: Vec<PlannedRecord>,
    types: Scope,
}

impl Shapes<'_, '_> {
    fn of(&mut self, ty: &Type, name: &str) -> (String, String) {
        match ty {
            Type::Bool => ("bool".to_owned(), "cx.random.chance(1, 2)".to_owned()),
            Type::Int { min, max } => ("i64".to_owned(), format!("cx.random.range({})", range(*min, *max))),
            Type::Str => ("String".to_owned(), "format!(\"s{}\", cx.random.below(10))".to_owned()),
            Type::Enum(place) => {
                let name = &self.enums[*place].name;
                (name.clone(), format!("*cx.random.pick(&{name}::ALL)"))
            }
            Type::Seq(element) => self.collection("Vec", element, name),
            Type::Set(element) => self.collection("BTreeSet", element, name),
            Type::Function(domain, range) => {
                let ((domain, key), (range, value)) = (self.of(domain, name), self.of(range, name));
                (format!("BTreeMap<{domain}, {range}>"), several(&format!("({key}, {value})")))
            }
            Type::Tuple(parts) if parts.len() <= MAX_TUPLE => {
                let (types, drawn): (Vec<_>, Vec<_>) = parts.iter().map(|part| self.of(part, name)).unzip();
                let comma = if parts.len() == 1 { "," } else { "" };
                (format!("({}{comma})", types.join(", ")), format!("({}{comma})", drawn.join(", ")))
            }
            Type::Record(fields) => self.record(fields, name),
            Type::Tuple(_) | Type::Dynamic => {
                ("Value".to_owned(), "Value::from(cx.random.range(0..100_i64))".to_owned())
            }
        }
    }

    fn collection(&mut self, collection: &str, element: &Type, name: &str) -> (String, String) {
        let (ty, drawn) = self.of(element, name);
        (format!("{collection}<{ty}>"), several(&drawn))
    }

    fn record(&mut self, fields: &[(String, Type)], name: &str) -> (String, String) {
        let mut members = Scope::members();
        let mut drawn = Vec::new();
        let mut member = |(field, ty): &(String, Type)| {
            let identifier = members.take(snake(field), "_");
            let (ty, value) = self.of(ty, field);
            drawn.push(format!("{identifier}: {value}"));
            (identifier, field.clone(), ty)
        };
        let members = fields.iter().map(&mut member).collect();
        let name = match self.records.iter().find(|known| known.fields == fields) {
            Some(known) => known.name.clone(),
            None => {
                let name = self.types.take(camel(name), "Record");
                self.records.push(PlannedRecord { name: name.clone(), fields: fields.to_vec(), members });
                name
            }
        };
        let value = format!("{name} {{ {} }}", drawn.join(", "));
        (name, value)
    }
}

fn several(drawn: &str) -> String {
    format!("(0..cx.random.below(4)).map(|_| {drawn}).collect()")
}

/// Integers to draw from: where a limit is missing, a hundred of them.
fn range(min: Option<i64>, max: Option<i64>) -> String {
    match (min, max) {
        (Some(min), Some(max)) if min <= max => format!("{min}..={max}"),
        (Some(min), _) => format!("{min}..={}", min.saturating_add(99)),
        (None, Some(max)) => format!("{}..={max}", max.saturating_sub(99)),
        (None, None) => "-50..=50".to_owned(),
    }
}
