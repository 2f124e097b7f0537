//! What the attribute says of its actions besides what is recorded: which parameters are results of the call, and which
//! actions are outcomes of one operation.
//!
//! Both follow from what decides between the actions:
//!
//! | decides | results | operations |
//! | --- | --- | --- |
//! | nothing: one action | the arguments that are late | none is declared |
//! | expressions without `ret` | the arguments that are late | none is declared: each action is a different call |
//! | `ret` alone | the arguments that are not the same in all arms | all actions are outcomes of one |
//! | `ret` and parameters | not known | not known |
//!
//! In the last case only the user knows, and says so by `results(…)` and `operation = …`.

use syn::Expr;
use syn::ext::IdentExt;

use crate::errors::Errors;
use crate::function::{Function, bound_by};
use crate::grammar::{Choice, Match, Options};
use crate::plan::{common_inputs, is_late};
use crate::usage::mention;
use crate::vocabulary::Vocabulary;

/// What is declared, as the runtime's `Site` has it.
pub struct Declared {
    /// For each action its results, if they are known.
    pub results: Option<Vec<Vec<String>>>,
    /// For each action its operation, or an empty list if none is declared; nothing if all are outcomes of one.
    pub operations: Option<Vec<String>>,
}

/// What decides between the actions of a `match`.
enum Decides {
    Parameters,
    Result,
    Both,
}

impl Declared {
    /// What is declared of the actions of `choice`.
    pub fn of(choice: &Choice, options: &Options, vocabulary: &Vocabulary, function: &Function) -> syn::Result<Self> {
        let decides = match choice {
            Choice::One(_) => Decides::Parameters,
            Choice::Match(choice) => choice.decides(function),
        };
        let is_named_late = |action: &str, param: &str| {
            let of_action = choice.actions().filter(|(other, _)| other.name.unraw() == action);
            let mut args = of_action.flat_map(|(action, _)| &action.args);
            args.any(|arg| arg.name.text == param && is_late(arg))
        };
        let results = match (&options.results, choice, &decides) {
            (Some(given), ..) => {
                check_results(given, vocabulary)?;
                let is_given = |param: &str| given.iter().any(|name| name.text == param);
                Some(vocabulary.results(|_, param| is_given(param)))
            }
            (None, _, Decides::Parameters) => Some(vocabulary.results(is_named_late)),
            (None, Choice::Match(choice), Decides::Result) => {
                let inputs = common_inputs(choice, &vocabulary.params);
                let is_input = |param: &str| {
                    let mut known = vocabulary.params.iter().zip(&inputs);
                    known.any(|(name, input)| name == param && input.is_some())
                };
                Some(vocabulary.results(|_, param| !is_input(param)))
            }
            (None, ..) => None,
        };
        let operations = match (&options.operation, &decides) {
            (Some(name), _) => Some(vec![name.text.clone(); vocabulary.actions.len()]),
            (None, Decides::Parameters | Decides::Both) if vocabulary.actions.len() > 1 => Some(Vec::new()),
            (None, _) => None,
        };
        Ok(Self { results, operations })
    }
}

impl Match {
    fn decides(&self, function: &Function) -> Decides {
        let guards = self.arms.iter().filter_map(|arm| Some((arm.guard.as_ref()?, bound_by(&arm.pattern))));
        let conditions: Vec<_> = std::iter::once((&self.scrutinee, Vec::new())).chain(guards).collect();
        if !conditions.iter().any(|(expr, _)| mention(expr, "ret").is_some()) {
            return Decides::Parameters;
        }
        let parameters: Vec<_> = function.bindings().into_iter().map(|binding| binding.ident).collect();
        let mentions_parameter = |expr: &Expr, bound: &[syn::Ident]| {
            let visible = parameters.iter().filter(|name| !bound.contains(name));
            let mut names = visible.map(|name| name.unraw().to_string()).chain(["self".to_owned()]);
            names.any(|name| mention(expr, &name).is_some())
        };
        match conditions.iter().any(|(expr, bound)| mentions_parameter(expr, bound)) {
            true => Decides::Both,
            false => Decides::Result,
        }
    }
}

impl Vocabulary {
    /// For each action those of its parameters for which `is_result` holds, given action and parameter.
    fn results(&self, is_result: impl Fn(&str, &str) -> bool) -> Vec<Vec<String>> {
        let of_action = self.actions.iter().map(|action| {
            action.params.iter().filter(|param| is_result(&action.name, param)).cloned().collect::<Vec<_>>()
        });
        of_action.collect()
    }
}

fn check_results(given: &[crate::grammar::Name], vocabulary: &Vocabulary) -> syn::Result<()> {
    let mut errors = Errors::default();
    for name in given.iter().filter(|name| !vocabulary.params.contains(&name.text)) {
        errors.add(syn::Error::new(name.span, format!("`{}` is not a parameter of any action here", name.text)));
    }
    errors.check()
}
