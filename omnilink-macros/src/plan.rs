//! The plan: what is recorded before and after the call.
//!
//! An expression that does not mention `ret` is an *input*: it is evaluated before the call, so that it is known for a
//! call during which the program died, and so that the body may consume the arguments. Everything else is recorded
//! after the call.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Expr, Pat};

use crate::declared::Declared;
use crate::errors::Errors;
use crate::function::{Binding, Function, Returns, bound_by};
use crate::grammar::{Action, Argument, Attribute, Choice, Match, Name, Options};
use crate::usage::mention;
use crate::vocabulary::{Signature, Vocabulary};

/// What is recorded before and after the call.
pub struct Plan {
    /// The actions that the call may be.
    pub actions: Vec<Signature>,
    /// Union of their parameters, in order of first appearance.
    pub params: Vec<String>,
    /// What is declared of them.
    pub declared: Declared,
    /// Recorded before the call.
    pub before: Vec<Step>,
    /// Recorded after the call.
    pub after: After,
}

/// One thing to record.
pub enum Step {
    /// An argument.
    Arg(Arg),
    /// Metadata.
    Meta {
        /// Its key.
        key: String,
        /// The value.
        value: Expr,
    },
    /// The choice of the action, and its arguments.
    Choose(Choose),
}

/// The value of a parameter.
pub struct Arg {
    /// Index into [`Plan::params`].
    pub param: u16,
    /// The value to record.
    pub value: Expr,
}

/// Determines the action of a call.
pub struct Choose {
    /// The matched expression.
    pub scrutinee: Expr,
    /// The arms.
    pub arms: Vec<Chosen>,
}

/// One arm of a [`Choose`].
pub struct Chosen {
    /// The pattern.
    pub pattern: Pat,
    /// The guard.
    pub guard: Option<Expr>,
    /// Index into [`Plan::actions`].
    pub action: u16,
    /// Arguments that can be recorded at this point.
    pub args: Vec<Arg>,
}

/// The part after the call.
#[derive(Default)]
pub struct After {
    /// Recorded in this order.
    pub steps: Vec<Step>,
    /// Nothing is recorded if this is true.
    pub discard_if: Option<Expr>,
    /// The call had no effect if this is true.
    pub abort_if: Option<Expr>,
    /// Why it had none.
    pub abort_reason: Option<Expr>,
    /// `ret` as the user wrote it, if any of these expressions mentions it.
    pub ret: Option<Ident>,
    /// One of these expressions mentions `self` or another parameter, which must outlive the call then.
    pub needs_parameters: bool,
}

impl After {
    /// True if the call's end is all that is recorded after it.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.discard_if.is_none() && self.abort_if.is_none()
    }
}

impl Plan {
    /// The plan for `function`, as `attribute` asks for.
    pub fn new(attribute: Attribute, function: &Function) -> syn::Result<Self> {
        let choice = attribute.choice.unwrap_or_else(|| Choice::One(action_of(function)));
        check_names(&choice, &attribute.options, function)?;
        let vocabulary = Vocabulary::of(&choice)?;
        let declared = Declared::of(&choice, &attribute.options, &vocabulary, function)?;
        let Vocabulary { actions, params } = vocabulary;
        let mut plan = Self { actions, params, declared, before: Vec::new(), after: After::default() };
        plan.add_choice(choice);
        plan.add_options(attribute.options);
        plan.look_at_function(function)?;
        Ok(plan)
    }

    /// True if something that is recorded before the call mentions the variable `name`.
    pub fn mentions_before(&self, name: &str) -> bool {
        let mut found = false;
        let mut visit = |expr: &Expr, _: &[Ident]| found |= mention(expr, name).is_some();
        self.before.iter().for_each(|step| step.for_each_expression(&mut visit));
        found
    }

    fn add_choice(&mut self, choice: Choice) {
        match choice {
            Choice::One(action) => {
                for arg in action.args {
                    let is_late = is_late(&arg);
                    let step = Step::Arg(self.arg(arg));
                    if is_late { self.after.steps.push(step) } else { self.before.push(step) }
                }
            }
            Choice::Match(choice) if choice.is_late() => {
                let inputs = common_inputs(&choice, &self.params);
                let values = inputs.iter().zip(0..).filter_map(|(value, param)| Some((param, value.clone()?)));
                self.before.extend(values.map(|(param, value)| Step::Arg(Arg { param, value })));
                let choose = self.choose(choice, &inputs);
                self.after.steps.push(Step::Choose(choose));
            }
            Choice::Match(choice) => {
                let choose = self.choose(choice, &[]);
                self.before.push(Step::Choose(choose));
            }
        }
    }

    fn choose(&self, choice: Match, inputs: &[Option<Expr>]) -> Choose {
        let arms = choice.arms.into_iter().map(|arm| {
            let name = arm.action.name.unraw().to_string();
            let action = self.actions.iter().position(|action| action.name == name).expect("in the vocabulary");
            let args = arm.action.args.into_iter().map(|arg| self.arg(arg));
            let args = args.filter(|arg| !matches!(inputs.get(usize::from(arg.param)), Some(Some(_)))).collect();
            Chosen { pattern: arm.pattern, guard: arm.guard, action: action as u16, args }
        });
        Choose { scrutinee: choice.scrutinee, arms: arms.collect() }
    }

    fn arg(&self, arg: Argument) -> Arg {
        let param = self.params.iter().position(|param| *param == arg.name.text).expect("in the vocabulary");
        Arg { param: param as u16, value: arg.value }
    }

    fn add_options(&mut self, options: Options) {
        for meta in options.meta {
            let is_late = is_late(&meta);
            let step = Step::Meta { key: meta.name.text, value: meta.value };
            if is_late { self.after.steps.push(step) } else { self.before.push(step) }
        }
        self.after.discard_if = options.discard_if;
        self.after.abort_if = options.abort_if;
        self.after.abort_reason = options.abort_reason;
    }

    /// Finds out what the expressions that are evaluated after the call need of the function.
    fn look_at_function(&mut self, function: &Function) -> syn::Result<()> {
        let names: Vec<_> = function.bindings().into_iter().map(|binding| binding.ident).collect();
        let mut is_needed = false;
        let mut ret = None;
        let mut first = None;
        self.after.for_each_expression(|expr, bound| {
            let is_mentioned = |name: &str| mention(expr, name).is_some();
            let mut names = names.iter().filter(|name| !bound.contains(name));
            is_needed |= is_mentioned("self") || names.any(|name| is_mentioned(&name.unraw().to_string()));
            if ret.is_none() {
                ret = mention(expr, "ret");
            }
            if first.is_none() {
                first = Some(expr.to_token_stream());
            }
        });
        if let (Some(ret), Some(_)) = (&ret, names.iter().find(|name| name.unraw() == "ret")) {
            return Err(syn::Error::new(
                ret.span(),
                "`ret` is the result of the call, but the function has a parameter of that name: rename the parameter",
            ));
        }
        if let (Some(expr), Returns::Never) = (first, function.returns()) {
            return Err(syn::Error::new_spanned(
                expr,
                "this would be recorded after the call, but the function never returns",
            ));
        }
        self.after.needs_parameters = is_needed;
        self.after.ret = ret;
        Ok(())
    }
}

impl After {
    /// Calls `visit` with each expression and the variables that the arm around it introduces.
    fn for_each_expression(&self, mut visit: impl FnMut(&Expr, &[Ident])) {
        self.steps.iter().for_each(|step| step.for_each_expression(&mut visit));
        let options = [&self.discard_if, &self.abort_if, &self.abort_reason];
        options.into_iter().flatten().for_each(|expr| visit(expr, &[]));
    }
}

impl Step {
    /// As [`After::for_each_expression`].
    fn for_each_expression(&self, visit: &mut impl FnMut(&Expr, &[Ident])) {
        match self {
            Self::Arg(Arg { value, .. }) | Self::Meta { value, .. } => visit(value, &[]),
            Self::Choose(choose) => {
                visit(&choose.scrutinee, &[]);
                for arm in &choose.arms {
                    let bound = bound_by(&arm.pattern);
                    arm.guard.iter().chain(arm.args.iter().map(|arg| &arg.value)).for_each(|expr| visit(expr, &bound));
                }
            }
        }
    }
}

impl Match {
    /// True if any part of it has to wait for the call's return.
    fn is_late(&self) -> bool {
        let mut conditions =
            std::iter::once(&self.scrutinee).chain(self.arms.iter().filter_map(|arm| arm.guard.as_ref()));
        let mut args = self.arms.iter().flat_map(|arm| &arm.action.args);
        conditions.any(|expr| mention(expr, "ret").is_some()) || args.any(is_late)
    }
}

/// True if the argument has to wait for the call's return.
pub fn is_late(arg: &Argument) -> bool {
    arg.after || mention(&arg.value, "ret").is_some()
}

/// The action that a bare attribute means: the function's name and its parameters.
fn action_of(function: &Function) -> Action {
    let args = function.bindings().into_iter().map(|Binding { ident, .. }| {
        let name = Name::from(&ident);
        let value = syn::parse_quote!(#ident);
        Argument { name, after: false, value, shorthand: true }
    });
    Action { name: function.sig.ident.clone(), args: args.collect() }
}

/// For each parameter: the input that every arm which has the parameter gives for it.
///
/// The arm is unknown before the call, so only arguments that all arms agree on can be recorded then.
pub fn common_inputs(choice: &Match, params: &[String]) -> Vec<Option<Expr>> {
    let input = |param: &String| {
        let mut common: Option<&Expr> = None;
        for arm in &choice.arms {
            let Some(arg) = arm.action.args.iter().find(|arg| arg.name.text == *param) else { continue };
            let is_bound = |name: &Ident| mention(&arg.value, &name.unraw().to_string()).is_some();
            if is_late(arg) || bound_by(&arm.pattern).iter().any(is_bound) {
                return None;
            }
            match common {
                Some(other) if !is_same(other, &arg.value) => return None,
                _ => common = Some(&arg.value),
            }
        }
        common.cloned()
    };
    params.iter().map(input).collect()
}

fn is_same(a: &Expr, b: &Expr) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}

/// An argument given by its name alone must be the name of a variable in scope.
fn check_names(choice: &Choice, options: &Options, function: &Function) -> syn::Result<()> {
    let mut errors = Errors::default();
    let params: Vec<_> = function.bindings().into_iter().map(|binding| Name::from(&binding.ident).text).collect();
    let metas = options.meta.iter().map(|meta| (meta, None));
    let args = choice.actions().flat_map(|(action, arm)| action.args.iter().map(move |arg| (arg, arm)));
    for (arg, arm) in args.chain(metas).filter(|(arg, _)| arg.shorthand) {
        let name = &arg.name.text;
        let is_bound = arm.is_some_and(|arm| bound_by(&arm.pattern).iter().any(|ident| ident.unraw() == name));
        if !is_bound && !params.contains(name) {
            let function = &function.sig.ident;
            errors.add(syn::Error::new(
                arg.name.span,
                format!("`{function}` has no parameter `{name}`: write `{name} = …` with the value to record"),
            ));
        }
    }
    errors.check()
}
