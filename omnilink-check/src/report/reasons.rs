//! Why an event cannot happen: of the evaluator's explanation the formulas that decide, each with its values and place.

use omnilink_tla::Value;
use omnilink_tla::source::{Sources, Span};
use omnilink_tla::spec::{Explanation, Outcome, Part, Role};
use omnilink_tla::symbol::Symbol;
use omnilink_tla::value::Short;

use super::model::{Place, Reason, Valued, Within};

/// How many characters of a formula are shown.
const FORMULA: usize = 100;

/// The formulas that decide, over all disjuncts that call the action; none if it can happen.
pub(super) fn reasons(explanation: &Explanation) -> Vec<Reason> {
    let mut finder = Finder { sources: &explanation.sources, found: Vec::new() };
    if explanation.outcome() == Outcome::True {
        return finder.found;
    }
    for disjunct in &explanation.disjuncts {
        finder.descend(disjunct, &Above::default());
    }
    if finder.found.is_empty()
        && let Some(failure) = &explanation.failure
    {
        let place = failure.span.map(|span| finder.place(span));
        let says = format!("it cannot be evaluated: {}", failure.message);
        finder.note(Reason { says, values: Vec::new(), given: Vec::new(), place, within: None });
    }
    finder.found
}

/// The formulas that decide that a condition is not true.
pub(super) fn reasons_of(condition: &Part, sources: &Sources) -> Vec<Reason> {
    let mut finder = Finder { sources, found: Vec::new() };
    finder.descend(condition, &Above::default());
    finder.found
}

struct Finder<'a> {
    sources: &'a Sources,
    found: Vec<Reason>,
}

/// What stands above a formula in an explanation.
#[derive(Clone, Copy, Default)]
struct Above<'a> {
    /// The first conjunct.
    conjunct: Option<&'a Part>,
    /// The last choice.
    choice: Option<&'a Part>,
}

impl Finder<'_> {
    fn descend<'p>(&mut self, part: &'p Part, above: &Above<'p>) {
        let mut above = *above;
        match part.role {
            Role::Conjunct if above.conjunct.is_none() => above.conjunct = Some(part),
            Role::Choice(_) | Role::After(_) => above.choice = Some(part),
            _ => {}
        }
        let mut is_leaf = true;
        for inner in part.parts.iter().filter(|inner| is_at_fault(inner)) {
            is_leaf = false;
            self.descend(inner, &above);
        }
        if is_leaf && is_at_fault(part) {
            let reason = self.reason(part, &above);
            self.note(reason);
        }
    }

    /// Adds a reason that is not there: several disjuncts may contain the same formula.
    fn note(&mut self, reason: Reason) {
        if !self.found.contains(&reason) {
            self.found.push(reason);
        }
    }

    fn reason(&self, part: &Part, above: &Above<'_>) -> Reason {
        let sources = self.sources;
        let value_of = |valued: &omnilink_tla::spec::Valued| Valued {
            expression: format!("{}{}", sources.one_line(valued.span), if valued.primed { "'" } else { "" }),
            value: Short(&valued.value).to_string(),
        };
        let given = match above.choice.map(|choice| &choice.role) {
            Some(Role::Choice(names)) => equations(names, ""),
            Some(Role::After(variables)) => equations(variables, "'"),
            _ => Vec::new(),
        };
        let within = above.conjunct.filter(|conjunct| conjunct.span != part.span);
        Reason {
            says: self.says(part),
            values: part.values.iter().map(value_of).collect(),
            given,
            place: Some(self.place(part.span)),
            within: within.map(|part| Within { formula: self.formula(part.span), place: self.place(part.span) }),
        }
    }

    fn says(&self, part: &Part) -> String {
        let formula = self.formula(part.span);
        if let Outcome::Failed(diagnostic) = &part.outcome {
            return format!("`{formula}` cannot be evaluated: {}", diagnostic.message);
        }
        match &part.role {
            Role::Bound(names) if names.is_empty() => format!("`{formula}` has no elements"),
            Role::Bound(names) => {
                let names: Vec<_> = names.iter().map(|(name, value)| format!("{name} = {}", Short(value))).collect();
                let are = if names.len() == 1 { "is not" } else { "are not together" };
                format!("{} {are} in `{formula}`", names.join(", "))
            }
            Role::Guard(true) => format!("`{formula}` is FALSE, which the above to it demands"),
            Role::Guard(false) => format!("`{formula}` is TRUE, and has to be FALSE on the above to it"),
            Role::Passed(parameter, value) => {
                format!("{parameter} = {} is not what is passed for it, `{formula}`", Short(value))
            }
            _ => format!("`{formula}` is FALSE"),
        }
    }

    fn formula(&self, span: Span) -> String {
        let line = self.sources.one_line(span);
        match line.char_indices().nth(FORMULA) {
            Some((cut, _)) => format!("{}…", &line[..cut]),
            None => line,
        }
    }

    fn place(&self, span: Span) -> Place {
        let (path, place) = self.sources.place(span);
        Place { file: path.display().to_string(), line: place.line, column: place.column }
    }
}

fn is_at_fault(part: &Part) -> bool {
    matches!(part.outcome, Outcome::False | Outcome::Failed(_))
}

fn equations(names: &[(Symbol, Value)], prime: &str) -> Vec<Valued> {
    let equation = |(name, value): &(Symbol, Value)| Valued {
        expression: format!("{name}{prime}"),
        value: Short(value).to_string(),
    };
    names.iter().map(equation).collect()
}
