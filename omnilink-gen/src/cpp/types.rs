//! C++ identifiers for the names of a specification, and C++ types of its values.

use crate::model::{Action, Enum, Model, Type};

use super::names::Scope;
use super::text::literal;

/// Identifiers for everything in a model, and its records as types with a name.
#[derive(Debug)]
pub struct Vocabulary<'m> {
    /// Of the model's actions, in their order.
    pub actions: Vec<ActionNames<'m>>,
    /// Of the model's enumerations, in their order.
    pub enums: Vec<EnumNames<'m>>,
    /// Every record once; those that others consist of come first.
    pub records: Vec<Record<'m>>,
}

/// An action and its identifiers.
#[derive(Debug)]
pub struct ActionNames<'m> {
    /// The action.
    pub action: &'m Action,
    /// Its struct's.
    pub identifier: String,
    /// Its members', in the order of its parameters.
    pub members: Vec<String>,
}

/// An enumeration and its identifiers.
#[derive(Debug)]
pub struct EnumNames<'m> {
    /// The enumeration.
    pub set: &'m Enum,
    /// Its own.
    pub identifier: String,
    /// Its enumerators', in the order of its strings.
    pub enumerators: Vec<String>,
}

/// A record type and its identifiers.
#[derive(Debug)]
pub struct Record<'m> {
    /// The name of the parameter or field that has this type.
    pub name: &'m str,
    /// Names and types of its fields.
    pub fields: &'m [(String, Type)],
    /// Its struct's.
    pub identifier: String,
    /// Its members', in the order of the fields.
    pub members: Vec<String>,
}

impl<'m> Vocabulary<'m> {
    /// Finds identifiers for a model.
    pub fn new(model: &'m Model) -> Self {
        // Names that the header itself defines in the namespace `spec`.
        let mut scope = Scope::new(&["omnilink", "spec", "std"]);
        let members = |identifier: &str, names: &mut dyn Iterator<Item = &'m String>| -> Vec<String> {
            // A member cannot have its class' name.
            let mut scope = Scope::new(&[identifier]);
            names.map(|name| scope.take(name, "empty")).collect()
        };
        let actions = model.actions.iter().map(|action| {
            let identifier = scope.take(&action.name, "Action");
            let members = members(&identifier, &mut action.params.iter().map(|param| &param.name));
            ActionNames { action, identifier, members }
        });
        let actions = actions.collect();
        let enums = model.enums.iter().map(|set| EnumNames {
            set,
            identifier: scope.take(&capitalised(&set.name), "Enum"),
            enumerators: members("", &mut set.strings.iter()),
        });
        let enums = enums.collect();
        let mut found = Vec::new();
        for param in model.actions.iter().flat_map(|action| &action.params) {
            find_records(&param.name, &param.ty, &mut found);
        }
        let records = found.into_iter().map(|(name, fields)| {
            let identifier = scope.take(&capitalised(name), "Record");
            let members = members(&identifier, &mut fields.iter().map(|(field, _)| field));
            Record { name, fields, identifier, members }
        });
        let records = records.collect();
        Self { actions, enums, records }
    }

    /// A type in C++, or `None` if no type contains all of its values.
    fn exact(&self, ty: &Type) -> Option<String> {
        Some(match ty {
            Type::Bool => "bool".to_owned(),
            Type::Int { .. } => "std::int64_t".to_owned(),
            Type::Str => "std::string".to_owned(),
            Type::Enum(index) => format!("spec::{}", self.enums.get(*index)?.identifier),
            Type::Seq(element) => format!("std::vector<{}>", self.of(element)),
            Type::Set(element) if is_ordered(element) => format!("std::set<{}>", self.of(element)),
            Type::Function(key, value) if is_ordered(key) => {
                format!("std::map<{}, {}>", self.of(key), self.of(value))
            }
            Type::Tuple(elements) => {
                let elements: Vec<_> = elements.iter().map(|element| self.of(element)).collect();
                format!("std::tuple<{}>", elements.join(", "))
            }
            Type::Record(fields) => format!("spec::{}", self.record(fields)?.identifier),
            Type::Set(_) | Type::Function(..) | Type::Dynamic => return None,
        })
    }

    /// A type in C++.
    pub fn of(&self, ty: &Type) -> String {
        self.exact(ty).unwrap_or_else(|| "omnilink::Value".to_owned())
    }

    fn record(&self, fields: &[(String, Type)]) -> Option<&Record<'m>> {
        self.records.iter().find(|record| record.fields == fields)
    }

    /// An expression that draws a value from `cx.random`; `None` if nothing is known about the values.
    pub fn draw(&self, ty: &Type) -> Option<String> {
        let all = |types: &mut dyn Iterator<Item = &Type>| -> Option<String> {
            types.map(|ty| self.draw(ty)).collect::<Option<Vec<_>>>().map(|drawn| drawn.join(", "))
        };
        Some(match ty {
            Type::Bool => "cx.random.chance(1, 2)".to_owned(),
            Type::Int { min, max } => {
                let (min, max) = range(*min, *max);
                format!("cx.random.range<std::int64_t>({min}, {max})")
            }
            Type::Str => format!("std::string(cx.random.pick({{{}, {}}}))", literal("a"), literal("b")),
            Type::Enum(_) => format!("cx.random.pick(omnilink::all<{}>)", self.exact(ty)?),
            Type::Seq(element) | Type::Set(element) => format!("{}{{{}}}", self.exact(ty)?, self.draw(element)?),
            Type::Function(key, value) => {
                format!("{}{{{{{}, {}}}}}", self.exact(ty)?, self.draw(key)?, self.draw(value)?)
            }
            Type::Tuple(elements) => format!("{}{{{}}}", self.exact(ty)?, all(&mut elements.iter())?),
            Type::Record(fields) => format!("{}{{{}}}", self.exact(ty)?, all(&mut fields.iter().map(|(_, ty)| ty))?),
            Type::Dynamic => return None,
        })
    }
}

/// Integers to begin with: a hundred, on the side where there is no bound.
fn range(min: Option<i64>, max: Option<i64>) -> (String, String) {
    let (min, max) = match (min, max) {
        (Some(min), Some(max)) => (min, max),
        (Some(min), None) => (min, min.saturating_add(99)),
        (None, Some(max)) => (max.saturating_sub(99), max),
        (None, None) => (-50, 49),
    };
    // The least integer has no literal.
    let written = |number| if number == i64::MIN { "INT64_MIN".to_owned() } else { format!("{number}") };
    (written(min), written(max))
}

/// Whether values of the type are ordered, as elements of sets and keys of maps must be.
pub fn is_ordered(ty: &Type) -> bool {
    match ty {
        Type::Dynamic => false,
        Type::Bool | Type::Int { .. } | Type::Str | Type::Enum(_) => true,
        Type::Seq(element) | Type::Set(element) => is_ordered(element),
        Type::Function(key, value) => is_ordered(key) && is_ordered(value),
        Type::Tuple(elements) => elements.iter().all(is_ordered),
        // Without fields it has no struct, see `find_records`.
        Type::Record(fields) => !fields.is_empty() && fields.iter().all(|(_, ty)| is_ordered(ty)),
    }
}

/// Finds the record types inside a type. A record without fields needs no struct: there is only one value.
fn find_records<'m>(name: &'m str, ty: &'m Type, found: &mut Vec<(&'m str, &'m [(String, Type)])>) {
    match ty {
        Type::Record(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(field, ty)| find_records(field, ty, found));
            if !found.iter().any(|(_, others)| others == fields) {
                found.push((name, fields));
            }
        }
        Type::Seq(element) | Type::Set(element) => find_records(name, element, found),
        Type::Function(key, value) => [key, value].into_iter().for_each(|ty| find_records(name, ty, found)),
        Type::Tuple(elements) => elements.iter().for_each(|ty| find_records(name, ty, found)),
        _ => {}
    }
}

fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
