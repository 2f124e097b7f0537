//! The parts of a specification, as names and source text.

use omnilink_tla::Spec;
use omnilink_tla::internal::ir::{Constant, ConstantValue, NamedFormula};
use omnilink_tla::source::{Sources, Span};
use omnilink_tla::spec::{Disjunct, Quantifier, SpecAction};
use serde::Serialize;

/// The parts of a specification. Formulas are source text, joined to one line.
#[derive(Debug, Serialize)]
pub struct Report {
    pub(super) module: String,
    pub(super) variables: Vec<String>,
    pub(super) constants: Vec<ConstantRow>,
    /// The name of the next-state relation.
    pub(super) next: Option<String>,
    pub(super) actions: Vec<ActionRow>,
    /// Parts of the next-state relation that no event of a trace can name.
    pub(super) nameless: Vec<NamelessRow>,
    pub(super) invariants: Vec<String>,
    pub(super) constraints: Vec<String>,
    pub(super) action_constraints: Vec<String>,
    pub(super) view: Option<String>,
    /// Other parts of the configuration: section and name.
    pub(super) set_aside: Vec<(&'static str, String)>,
    pub(super) warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct ConstantRow {
    pub name: String,
    /// Its arity.
    pub arity: usize,
    pub given: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct ActionRow {
    pub name: String,
    pub params: Vec<String>,
    pub at: At,
    /// The disjuncts of the next-state relation that call it; `paths` in JSON.
    #[serde(rename = "paths")]
    pub disjuncts: Vec<DisjunctRow>,
}

/// A disjunct of the next-state relation that calls the action.
#[derive(Debug, Serialize)]
pub(super) struct DisjunctRow {
    pub call: String,
    pub at: At,
    pub quantifiers: Vec<String>,
    pub guards: Vec<GuardRow>,
    pub args: Vec<PassedRow>,
}

#[derive(Debug, Serialize)]
pub(super) struct GuardRow {
    pub condition: String,
    /// The required value.
    pub holds: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct PassedRow {
    pub param: String,
    pub passed: String,
    /// The set that it ranges over, if it is a quantified name.
    pub bound: Option<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct NamelessRow {
    pub formula: String,
    pub at: At,
    /// Whether it only leaves all variables unchanged.
    pub stutters: bool,
    /// Whether it is FALSE.
    pub never: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct At {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

impl Report {
    /// The report of a specification.
    pub fn new(spec: &Spec) -> Self {
        let (program, sources) = (spec.program(), spec.sources());
        let names = |formulas: &[NamedFormula]| formulas.iter().map(|formula| formula.name.to_string()).collect();
        Self {
            module: program.module.to_string(),
            variables: program.variables.iter().map(|variable| variable.name.to_string()).collect(),
            constants: program.constants.iter().map(|constant| ConstantRow::new(spec, constant)).collect(),
            next: program.next.as_ref().map(|(name, _)| name.to_string()),
            actions: spec.actions().actions.iter().map(|action| ActionRow::new(sources, action)).collect(),
            nameless: spec
                .actions()
                .nameless
                .iter()
                .map(|part| NamelessRow {
                    formula: sources.one_line(part.span),
                    at: At::new(sources, part.span),
                    stutters: part.stutters,
                    never: part.never,
                })
                .collect(),
            invariants: names(&program.invariants),
            constraints: names(&program.constraints),
            action_constraints: names(&program.action_constraints),
            view: program.view.as_ref().map(|view| view.name.to_string()),
            set_aside: program.set_aside.iter().map(|(section, name)| (*section, name.to_string())).collect(),
            warnings: program.warnings.iter().map(|warning| warning.render(sources)).collect(),
        }
    }
}

impl ConstantRow {
    fn new(spec: &Spec, constant: &Constant) -> Self {
        let given = match &constant.given {
            ConstantValue::Value(value) => Some(value.to_string()),
            ConstantValue::Definition(id) => {
                let definition = spec.program().definition(*id);
                // An expression of the command line is a definition that has the constant's own name.
                let is_expression = definition.name == constant.name;
                let text = || spec.sources().one_line(definition.body.span);
                Some(if is_expression { text() } else { definition.name.to_string() })
            }
            ConstantValue::Native(native) => Some(native.name.to_owned()),
            ConstantValue::Unassigned => None,
        };
        Self { name: constant.name.to_string(), arity: constant.arity, given }
    }
}

impl ActionRow {
    fn new(sources: &Sources, action: &SpecAction) -> Self {
        Self {
            name: action.name.to_string(),
            params: action.params.iter().map(ToString::to_string).collect(),
            at: At::new(sources, action.span),
            disjuncts: action.disjuncts.iter().map(|disjunct| DisjunctRow::new(sources, action, disjunct)).collect(),
        }
    }
}

impl DisjunctRow {
    fn new(sources: &Sources, action: &SpecAction, disjunct: &Disjunct) -> Self {
        let text = |span| sources.one_line(span);
        let args = action.params.iter().zip(&disjunct.args);
        Self {
            call: text(disjunct.span),
            at: At::new(sources, disjunct.span),
            quantifiers: disjunct.quantifiers.iter().map(|quantifier| text(head(quantifier))).collect(),
            guards: disjunct
                .guards
                .iter()
                .map(|guard| GuardRow { condition: text(guard.span), holds: guard.holds })
                .collect(),
            args: args
                .map(|(param, passed)| PassedRow {
                    param: param.to_string(),
                    passed: text(passed.span),
                    bound: passed.bound.map(text),
                })
                .collect(),
        }
    }
}

/// A quantified formula without its body: `\E x \in S`.
fn head(quantifier: &Quantifier) -> Span {
    let end = quantifier.bounds.last().map_or(quantifier.span.end, |bound| bound.end);
    Span { end, ..quantifier.span }
}

impl At {
    fn new(sources: &Sources, span: Span) -> Self {
        let (file, place) = sources.place(span);
        Self { file: file.display().to_string(), line: place.line, column: place.column }
    }
}
