//! The annotated function.
//!
//! Its body stays a stream of tokens: it is not parsed, so syntax that `syn` does not support yet
//! passes through.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Ident, Pat, ReceiverKind, ReturnType, Signature, Token, Type, Visibility, braced, token};

/// A function or method with a body.
pub struct Function {
    /// Attributes and documentation, without ours.
    pub attrs: Vec<Attribute>,
    /// `pub` and the like.
    pub vis: Visibility,
    /// `default` of specialization.
    pub defaultness: Option<Token![default]>,
    /// Everything up to the body.
    pub sig: Signature,
    /// Braces of the body.
    pub braces: token::Brace,
    /// Attributes at the beginning of the body: `#![allow(…)]`.
    pub inner_attrs: Vec<Attribute>,
    /// Statements of the body.
    pub body: TokenStream,
}

/// A variable that a parameter introduces.
pub struct Binding {
    /// Its name.
    pub ident: Ident,
    /// Whether its type certainly has no destructor.
    pub is_plain: bool,
}

/// The return type of a function.
pub enum Returns {
    /// `()`, by leaving the type out.
    Nothing,
    /// `!`
    Never,
    /// A value of this type.
    Value(Box<Type>),
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let defaultness = input.parse()?;
        let at = input.span();
        if !is_function(input) {
            return Err(syn::Error::new(at, "`#[omnilink::action]` goes on a function or method"));
        }
        let sig: Signature = input.parse()?;
        if let Some(keyword) = sig.constness {
            return Err(syn::Error::new(
                keyword.span,
                "a `const fn` cannot be traced: the compiler may run it; remove `const` or trace its callers",
            ));
        }
        if input.peek(Token![;]) {
            return Err(input.error("nothing is called here: put `#[omnilink::action]` on a function with a body"));
        }
        let content;
        let braces = braced!(content in input);
        let inner_attrs = content.call(Attribute::parse_inner)?;
        Ok(Self { attrs, vis, defaultness, sig, braces, inner_attrs, body: content.parse()? })
    }
}

fn is_function(input: ParseStream<'_>) -> bool {
    input.fork().parse::<Signature>().is_ok()
}

impl Function {
    /// The variables that the parameters introduce, without `self`.
    pub fn bindings(&self) -> Vec<Binding> {
        let mut bindings = Vec::new();
        for input in &self.sig.inputs {
            if let FnArg::Typed(param) = input {
                let is_plain = is_plain(&param.ty);
                bindings.extend(bound_by(&param.pat).into_iter().map(|ident| Binding { ident, is_plain }));
            }
        }
        bindings
    }

    /// `self`, if it is not behind a reference, so that it may be dropped by the function.
    pub fn owned_self(&self) -> Option<Token![self]> {
        let is_owned = |kind: &ReceiverKind| match kind {
            ReceiverKind::Value => true,
            ReceiverKind::Typed(_, ty) => !is_plain(ty),
            _ => false,
        };
        self.sig.receiver().filter(|receiver| is_owned(&receiver.kind)).map(|receiver| receiver.self_token)
    }

    /// Its return type.
    pub fn returns(&self) -> Returns {
        match &self.sig.output {
            ReturnType::Default => Returns::Nothing,
            ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)) => Returns::Never,
            ReturnType::Type(_, ty) => Returns::Value(ty.clone()),
        }
    }
}

/// The variables that a pattern introduces, each once, in order.
///
/// A constant or a unit variant, such as `None`, looks like a variable here. That does no harm: nobody calls a variable
/// of the function by that name.
pub fn bound_by(pattern: &Pat) -> Vec<Ident> {
    let mut bound = Vec::new();
    add_bound(pattern, &mut bound);
    bound
}

fn add_bound(pattern: &Pat, bound: &mut Vec<Ident>) {
    match pattern {
        Pat::Ident(pattern) => {
            if !bound.contains(&pattern.ident) {
                bound.push(pattern.ident.clone());
            }
            pattern.subpat.iter().for_each(|(_, inner)| add_bound(inner, bound));
        }
        Pat::Or(pattern) => pattern.cases.iter().for_each(|case| add_bound(case, bound)),
        Pat::Paren(pattern) => add_bound(&pattern.pat, bound),
        Pat::Reference(pattern) => add_bound(&pattern.pat, bound),
        Pat::Slice(pattern) => pattern.elems.iter().for_each(|inner| add_bound(inner, bound)),
        Pat::Struct(pattern) => pattern.fields.iter().for_each(|field| add_bound(&field.pat, bound)),
        Pat::Tuple(pattern) => pattern.elems.iter().for_each(|inner| add_bound(inner, bound)),
        Pat::TupleStruct(pattern) => pattern.elems.iter().for_each(|inner| add_bound(inner, bound)),
        Pat::Type(pattern) => add_bound(&pattern.pat, bound),
        // The others, such as literals and ranges, have no room for a variable.
        _ => {}
    }
}

/// Whether values of the type certainly have no destructor. In doubt, false.
fn is_plain(ty: &Type) -> bool {
    const PRIMITIVES: [&str; 16] = [
        "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128",
        "usize",
    ];
    match ty {
        Type::Reference(_) | Type::Ptr(_) | Type::FnPtr(_) | Type::Never(_) => true,
        Type::Path(path) => path.path.get_ident().is_some_and(|name| PRIMITIVES.iter().any(|known| name == known)),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_plain),
        Type::Array(array) => is_plain(&array.elem),
        Type::Group(group) => is_plain(&group.elem),
        Type::Paren(paren) => is_plain(&paren.elem),
        _ => false,
    }
}
