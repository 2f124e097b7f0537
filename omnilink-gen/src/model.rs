//! The model from which fuzzers are generated: the actions of a specification.
//!
//! `read` builds it from a specification; the templates use only the model. Names are those of the specification;
//! each language maps them to identifiers.

/// The model of a specification.
#[derive(Clone, Debug)]
pub struct Model {
    /// The module's name, which traces carry.
    pub spec: String,
    /// The name of the file it was read from, without directories: `Queue.tla`.
    pub file: String,
    /// Its files: this file, its other modules, its configuration.
    pub sources: Vec<Source>,
    /// Hash of the text of the specification, in hexadecimal.
    pub hash: String,
    /// The operator used as next-state relation.
    pub next: String,
    /// The actions, in the order of the next-state relation.
    pub actions: Vec<Action>,
    /// The enumerations that types of parameters refer to.
    pub enums: Vec<Enum>,
}

/// A file of the specification.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its name, without directories.
    pub file: String,
    /// Its text.
    pub text: String,
}

/// One logged operation.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name in traces: `Enqueue`, `I!Enqueue`; of a pair `X_Step`/`X_Done`, `X`.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its definitions as source text: one, or those of `X_Step` and `X_Done`.
    pub definitions: Vec<Definition>,
    /// The disjuncts of the next-state relation that call it, as source text: `\E elem \in Nat : Enqueue(elem)`.
    pub disjuncts: Vec<String>,
}

/// A definition of the specification.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its text, with the lines' common indentation removed.
    pub text: String,
    /// Its file's name and line: `Queue.tla:13`.
    pub place: String,
}

/// A parameter of an action.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name in traces.
    pub name: String,
    /// The type of its values.
    pub ty: Type,
    /// The sets that it ranges over, or the expressions that are passed, as source text without duplicates: `Nat`.
    pub bounds: Vec<String>,
}

/// The type of a parameter, as far as its bounds determine it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `BOOLEAN`
    Bool,
    /// Integers, with the least and the greatest where they are known.
    Int {
        /// The least.
        min: Option<i64>,
        /// The greatest.
        max: Option<i64>,
    },
    /// Any string.
    Str,
    /// One of some strings: the place in [`Model::enums`].
    Enum(usize),
    /// Sequences.
    Seq(Box<Type>),
    /// Finite sets.
    Set(Box<Type>),
    /// Tuples of a fixed length.
    Tuple(Vec<Type>),
    /// Records: fields in the order of their names.
    Record(Vec<(String, Type)>),
    /// Functions.
    Function(Box<Type>, Box<Type>),
    /// Any value: the bounds do not determine a type.
    Dynamic,
}

/// A finite set of strings (or model values) that becomes an enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enum {
    /// Its name: the constant or definition that denotes the set, otherwise derived from the first parameter of this type.
    pub name: String,
    /// Its strings, in order.
    pub strings: Vec<String>,
}
