//! The grammar of `#[omnilink::action(…)]`.
//!
//! ```text
//! attribute := [ choice ] options
//! choice    := action | "match" expression "{" arm, … "}"
//! arm       := pattern [ "if" expression ] "=>" action
//! action    := name [ "(" argument, … ")" ]
//! argument  := [ "after" ] name [ "=" expression ]
//! options   := "abort_if" "=" expression | "abort_reason" "=" expression | "discard_if" "=" expression
//!            | "meta" "(" argument, … ")" | "results" "(" name, … ")" | "operation" "=" name
//! ```
//!
//! Only the syntax is checked here. Whether the names exist and when an expression is evaluated is decided by
//! [`crate::plan`], which knows the function.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprPath, Ident, LitStr, Pat, Token, braced, parenthesized, token};

use crate::errors::Errors;

/// The whole attribute.
pub struct Attribute {
    /// Which action the call is; `None`: the one with the name and the parameters of the function.
    pub choice: Option<Choice>,
    /// Everything else.
    pub options: Options,
}

/// Which action a call is.
pub enum Choice {
    /// Always this one.
    One(Action),
    /// One of several, by a `match`.
    Match(Match),
}

/// `match ret { Some(v) => Dequeue(elem = v), None => DequeueEmpty }`
pub struct Match {
    /// The matched expression.
    pub scrutinee: Expr,
    /// At least one.
    pub arms: Vec<Arm>,
}

/// `Some(v) if *v > 0 => Dequeue(elem = v)`
pub struct Arm {
    /// The pattern.
    pub pattern: Pat,
    /// The guard.
    pub guard: Option<Expr>,
    /// The action.
    pub action: Action,
}

/// `Enqueue(elem = value)`
pub struct Action {
    /// The operator of the specification.
    pub name: Ident,
    /// Its arguments, no name twice.
    pub args: Vec<Argument>,
}

/// `elem = value`, `elem`, or either with `after` before it.
pub struct Argument {
    /// The parameter of the specification, or the key of the meta.
    pub name: Name,
    /// Whether it has `after`: it is evaluated after the call.
    pub after: bool,
    /// The value to record.
    pub value: Expr,
    /// The value was not written: it is the variable with the argument's name.
    pub shorthand: bool,
}

/// A name that goes into the trace.
pub struct Name {
    /// As the trace has it: `r#type` is `type`.
    pub text: String,
    /// Where the user wrote it.
    pub span: Span,
}

impl From<&Ident> for Name {
    fn from(ident: &Ident) -> Self {
        Self { text: ident.unraw().to_string(), span: ident.span() }
    }
}

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            let text: LitStr = input.parse()?;
            if text.value().is_empty() {
                return Err(syn::Error::new(text.span(), "a name cannot be empty"));
            }
            return Ok(Self { text: text.value(), span: text.span() });
        }
        let expected = |error: syn::Error| syn::Error::new(error.span(), "expected a name");
        input.call(Ident::parse_any).map(|ident| Self::from(&ident)).map_err(expected)
    }
}

/// The options.
#[derive(Default)]
pub struct Options {
    /// The call had no effect if this is true.
    pub abort_if: Option<Expr>,
    /// Why it had none.
    pub abort_reason: Option<Expr>,
    /// Nothing is recorded if this is true.
    pub discard_if: Option<Expr>,
    /// Metadata, no key twice.
    pub meta: Vec<Argument>,
    /// The parameters that are results, if the user says so.
    pub results: Option<Vec<Name>>,
    /// The operation that all actions are outcomes of, if the user says so.
    pub operation: Option<Name>,
}

const KEYS: &str = "`abort_if = …`, `abort_reason = …`, `discard_if = …`, `meta(key = …)`, `results(parameter, …)` and `operation = …`";

impl Parse for Attribute {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut choice = None;
        let mut options = Options::default();
        let mut first = true;
        while !input.is_empty() {
            if input.peek(Token![match]) || is_action(input, first) {
                let at = input.span();
                let parsed = input.parse()?;
                if !first {
                    return Err(match (&parsed, &choice) {
                        (Choice::One(action), None) => {
                            syn::Error::new(at, format!("the action `{}` must come before the options", action.name))
                        }
                        (Choice::One(action), Some(_)) => unknown_key(&action.name),
                        (Choice::Match(_), _) => syn::Error::new(at, "`match` must be the first thing given"),
                    });
                }
                choice = Some(parsed);
            } else {
                options.parse_one(input)?;
            }
            first = false;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        if let (Some(reason), None) = (&options.abort_reason, &options.abort_if) {
            return Err(syn::Error::new_spanned(
                reason,
                "`abort_reason` says why a call had no effect: it needs `abort_if = …`, which says when",
            ));
        }
        Ok(Self { choice, options })
    }
}

impl Choice {
    /// The actions, each with the arm that it stands in.
    pub fn actions(&self) -> impl Iterator<Item = (&Action, Option<&Arm>)> {
        let (one, arms) = match self {
            Self::One(action) => (Some(action), [].as_slice()),
            Self::Match(choice) => (None, choice.arms.as_slice()),
        };
        one.map(|action| (action, None)).into_iter().chain(arms.iter().map(|arm| (&arm.action, Some(arm))))
    }
}

/// True for `Name`, `Name(…)`; false for `key = …`, `meta(…)`, and for `results(…)` unless it comes first.
fn is_action(input: ParseStream<'_>, first: bool) -> bool {
    let fork = input.fork();
    match fork.call(Ident::parse_any) {
        Ok(name) => !fork.peek(Token![=]) && name != "meta" && (first || name != "results"),
        Err(_) => false,
    }
}

fn unknown_key(key: &Ident) -> syn::Error {
    syn::Error::new(key.span(), format!("`{key}` is not an option of `#[omnilink::action]`: there are {KEYS}"))
}

impl Options {
    fn parse_one(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let key = input.call(Ident::parse_any).map_err(|error| {
            syn::Error::new(
                error.span(),
                format!("expected an action such as `Enqueue(elem = value)`, or one of {KEYS}"),
            )
        })?;
        let slot = match key.to_string().as_str() {
            "abort_if" => &mut self.abort_if,
            "abort_reason" => &mut self.abort_reason,
            "discard_if" => &mut self.discard_if,
            "meta" => {
                self.meta.extend(arguments(input)?);
                return check_meta(&self.meta);
            }
            "results" => {
                let content;
                parenthesized!(content in input);
                let names = Punctuated::<Name, Token![,]>::parse_terminated(&content)?;
                self.results.get_or_insert_default().extend(names);
                return Ok(());
            }
            "operation" => {
                input.parse::<Token![=]>()?;
                return match self.operation.replace(input.parse()?) {
                    None => Ok(()),
                    Some(_) => Err(syn::Error::new(key.span(), "`operation` is given twice")),
                };
            }
            _ => return Err(unknown_key(&key)),
        };
        input.parse::<Token![=]>()?;
        if slot.replace(input.parse()?).is_some() {
            return Err(syn::Error::new(key.span(), format!("`{key}` is given twice: join the two with `||`")));
        }
        Ok(())
    }
}

impl Parse for Choice {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(Token![match]) {
            return input.parse().map(Self::One);
        }
        let keyword: Token![match] = input.parse()?;
        let scrutinee = input.call(Expr::parse_without_eager_brace)?;
        let content;
        braced!(content in input);
        let mut arms = Vec::new();
        while !content.is_empty() {
            arms.push(content.parse()?);
            if !content.is_empty() {
                content.parse::<Token![,]>()?;
            }
        }
        if arms.is_empty() {
            return Err(syn::Error::new(keyword.span, "a `match` without arms chooses no action"));
        }
        Ok(Self::Match(Match { scrutinee, arms }))
    }
}

impl Parse for Arm {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let pattern = input.call(Pat::parse_multi_with_leading_vert)?;
        let guard = match input.parse::<Option<Token![if]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        input.parse::<Token![=>]>()?;
        if input.peek(token::Brace) || input.peek(Token![match]) || input.peek(Token![if]) {
            return Err(input.error(
                "an arm gives an action such as `Dequeue(elem = v)`; to choose further, use more arms, with guards",
            ));
        }
        Ok(Self { pattern, guard, action: input.parse()? })
    }
}

impl Parse for Action {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.call(Ident::parse_any).map_err(|error| {
            syn::Error::new(error.span(), "expected the name of an action of the specification, such as `Enqueue`")
        })?;
        let args = if input.peek(token::Paren) { arguments(input)? } else { Vec::new() };
        distinct(&args, &format!("parameter of `{name}`"))?;
        Ok(Self { name, args })
    }
}

fn arguments(input: ParseStream<'_>) -> syn::Result<Vec<Argument>> {
    let content;
    parenthesized!(content in input);
    Ok(Punctuated::<Argument, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}

fn check_meta(meta: &[Argument]) -> syn::Result<()> {
    if let Some(reserved) = meta.iter().find(|meta| meta.name.text.starts_with("omnilink.")) {
        return Err(syn::Error::new(
            reserved.name.span,
            "keys that begin with `omnilink.` are reserved for the runtime",
        ));
    }
    distinct(meta, "key of `meta`")
}

fn distinct(args: &[Argument], what: &str) -> syn::Result<()> {
    let mut errors = Errors::default();
    for (i, arg) in args.iter().enumerate() {
        let name = &arg.name.text;
        if args[..i].iter().any(|earlier| earlier.name.text == *name) {
            errors.add(syn::Error::new(arg.name.span, format!("`{name}` is given twice as {what}")));
        }
    }
    errors.check()
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let after = input.peek(after) && (input.peek2(Ident::peek_any) || input.peek2(LitStr));
        if after {
            input.parse::<after>()?;
        }
        if input.peek(LitStr) && input.peek2(Token![=]) {
            let key: LitStr = input.parse()?;
            input.parse::<Token![=]>()?;
            let name = Name { text: key.value(), span: key.span() };
            return Ok(Self { name, after, value: input.parse()?, shorthand: false });
        }
        let positional = "arguments go by name: write `parameter = expression`, or the name of a variable alone";
        let at = input.span();
        let ident = input.call(Ident::parse_any).map_err(|error| syn::Error::new(error.span(), positional))?;
        let name = Name::from(&ident);
        if input.parse::<Option<Token![=]>>()?.is_some() {
            return Ok(Self { name, after, value: input.parse()?, shorthand: false });
        }
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(syn::Error::new(at, positional));
        }
        if ident == "ret" || ident == "self" {
            return Err(syn::Error::new(
                at,
                format!("which parameter of the specification is `{ident}`? write `parameter = {ident}`"),
            ));
        }
        let value = Expr::Path(ExprPath { attrs: Vec::new(), qself: None, path: ident.into() });
        Ok(Self { name, after, value, shorthand: true })
    }
}

syn::custom_keyword!(after);
