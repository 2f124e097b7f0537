//! The actions and parameters that one place in the program can record.

use syn::ext::IdentExt;

use crate::errors::Errors;
use crate::grammar::Choice;

/// Most parameters that the actions of one place may have together; the trace format has this limit.
const MAX_PARAMS: usize = 64;

/// The actions of a choice and their parameters.
pub struct Vocabulary {
    /// Each action once.
    pub actions: Vec<Signature>,
    /// Union of their parameters, in order of first appearance.
    pub params: Vec<String>,
}

/// An action and its parameters.
pub struct Signature {
    /// Name of the operator.
    pub name: String,
    /// Names of its parameters.
    pub params: Vec<String>,
}

impl Vocabulary {
    /// What `choice` can record.
    pub fn of(choice: &Choice) -> syn::Result<Self> {
        let mut errors = Errors::default();
        let mut actions: Vec<Signature> = Vec::new();
        let mut params: Vec<String> = Vec::new();
        for (action, _) in choice.actions() {
            let name = action.name.unraw().to_string();
            let given: Vec<String> = action.args.iter().map(|arg| arg.name.text.clone()).collect();
            for arg in &action.args {
                if !params.contains(&arg.name.text) {
                    params.push(arg.name.text.clone());
                    if params.len() == MAX_PARAMS + 1 {
                        let text = "one place in the program can record at most 64 parameters, all its actions together: \
                                    join some in a tuple or a record";
                        errors.add(syn::Error::new(arg.name.span, text));
                    }
                }
            }
            match actions.iter().find(|earlier| earlier.name == name) {
                None => actions.push(Signature { name, params: given }),
                Some(earlier) if is_permutation(&earlier.params, &given) => {}
                Some(earlier) => errors.add(syn::Error::new(
                    action.name.span(),
                    format!(
                        "`{name}` has {} here, but {} in an arm above: an action has the same parameters everywhere",
                        list(&given),
                        list(&earlier.params)
                    ),
                )),
            }
        }
        errors.check()?;
        Ok(Self { actions, params })
    }
}

fn is_permutation(a: &[String], b: &[String]) -> bool {
    a.len() == b.len() && a.iter().all(|name| b.contains(name))
}

fn list(params: &[String]) -> String {
    let names: Vec<_> = params.iter().map(|param| format!("`{param}`")).collect();
    match names.as_slice() {
        [] => "no parameters".into(),
        [one] => format!("the parameter {one}"),
        several => format!("the parameters {}", several.join(", ")),
    }
}
