//! A plan and a function become the instrumented function.
//!
//! The generated variables are hygienic (their identifiers come from [`Span::mixed_site`]): neither the user's expressions
//! nor the body see them. The user's tokens keep their spans, so that the compiler's messages point at them.

use proc_macro2::{Delimiter, Group, Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, GenericArgument, PathArguments, ReturnType, Type};

use crate::function::{Function, Returns};
use crate::grammar::Attribute;
use crate::plan::{After, Arg, Choose, Plan, Step};
use crate::usage::mention_in_tokens;

/// `quote!` with hygienic identifiers.
macro_rules! quote_ours {
    ($($tokens:tt)*) => { quote_spanned!(Span::mixed_site()=> $($tokens)*) };
}

/// `function`, recorded as `attribute` says.
pub fn action(attribute: Attribute, function: Function) -> syn::Result<TokenStream> {
    let plan = Plan::new(attribute, &function)?;
    let statements = statements(&plan, &function);
    let inner_attrs = &function.inner_attrs;
    let block = body_block(&function, quote_ours!(#(#inner_attrs)* #statements));
    let Function { attrs, vis, defaultness, sig, .. } = function;
    Ok(quote_ours!(#(#attrs)* #vis #defaultness #sig #block))
}

fn statements(plan: &Plan, function: &Function) -> TokenStream {
    let enter = enter(plan, function);
    let before = before(plan);
    let call = if function.sig.asyncness.is_some() { call_async(plan, function) } else { call(plan, function) };
    let end = end(plan);
    match function.returns() {
        Returns::Never => quote_ours!(#enter #before op.start(); #call),
        Returns::Nothing if plan.after.ret.is_none() => quote_ours!(#enter #before op.start(); #call; #end),
        Returns::Nothing | Returns::Value(_) => {
            quote_ours!(#enter #before op.start(); let result = #call; #end result)
        }
    }
}

fn enter(plan: &Plan, function: &Function) -> TokenStream {
    let enter = if function.sig.asyncness.is_some() { quote_ours!(enter_async) } else { quote_ours!(enter) };
    let actions = plan.actions.iter().map(|action| {
        let (name, params) = (&action.name, &action.params);
        quote_ours!(::omnilink::__private::ActionDef { name: #name, params: &[#(#params),*] })
    });
    let params = &plan.params;
    let results = plan.declared.results.as_ref().map(|results| {
        let lists = results.iter().map(|results| quote_ours!(&[#(#results),*]));
        quote_ours!(.results(&[#(#lists),*]))
    });
    let operations = plan.declared.operations.as_ref().map(|names| quote_ours!(.operations(&[#(#names),*])));
    // Items are not hygienic: a separate block hides the static from the body.
    quote_ours! {
        let mut op = ::omnilink::__private::#enter({
            static SITE: ::omnilink::__private::Site =
                ::omnilink::__private::Site::new(&[#(#actions),*], &[#(#params),*]) #results #operations;
            &SITE
        });
    }
}

fn before(plan: &Plan) -> TokenStream {
    if plan.before.is_empty() {
        return TokenStream::new();
    }
    let steps = plan.before.iter().map(|step| record(step, plan));
    quote_ours!(if op.is_recording() { #(#steps)* })
}

/// `op.call(move || -> Ret { body })`
fn call(plan: &Plan, function: &Function) -> TokenStream {
    let ty = match function.returns() {
        Returns::Value(ty) => inferred_impl(*ty).into_token_stream(),
        Returns::Nothing => quote_ours!(()),
        Returns::Never => quote_ours!(!),
    };
    let Captured { keyword, statements } = captured(plan, function);
    let body = &function.body;
    let block = body_block(function, quote_ours!(#statements #body));
    quote_ours!(op.call(#keyword || -> #ty #block))
}

/// `op.call(async move { body }).await`
fn call_async(plan: &Plan, function: &Function) -> TokenStream {
    let typed = match function.returns() {
        Returns::Value(ty) => {
            let ty = inferred_impl(*ty);
            // An `async` block has no type annotation; this statement fixes its type.
            quote_ours!(if false { return ::omnilink::__private::unreachable::<#ty>(); })
        }
        Returns::Nothing | Returns::Never => TokenStream::new(),
    };
    let Captured { keyword, statements } = captured(plan, function);
    let body = &function.body;
    let block = body_block(function, quote_ours!(#typed #statements #body));
    quote_ours!(op.call(async #keyword #block).await)
}

/// How a closure or an `async` block takes over the parameters.
struct Captured {
    /// `move`, or nothing.
    keyword: TokenStream,
    /// Statements before the body.
    statements: TokenStream,
}

/// Moves the parameters into the body, so that they are dropped inside the timebox: to drop a guard is an effect of the
/// call. If something that is evaluated after the call needs parameters, they stay outside.
fn captured(plan: &Plan, function: &Function) -> Captured {
    if plan.after.needs_parameters {
        return Captured { keyword: TokenStream::new(), statements: TokenStream::new() };
    }
    let mut borrowed: Vec<TokenStream> = function.owned_self().map(ToTokens::into_token_stream).into_iter().collect();
    let mut unused = Vec::new();
    let mut is_underscored = false;
    for binding in function.bindings().into_iter().filter(|binding| !binding.is_plain) {
        let ident = binding.ident;
        let name = ident.unraw().to_string();
        let is_used = mention_in_tokens(function.body.clone(), &name).is_some() || plan.mentions_before(&name);
        if is_used || name.starts_with('_') {
            is_underscored |= name.starts_with('_');
            borrowed.push(ident.into_token_stream());
        } else {
            unused.push(ident);
        }
    }
    // `move` takes only the fields that the body mentions. A borrow makes it take the whole variable.
    let allow = is_underscored.then(|| quote_ours!(#[allow(clippy::used_underscore_binding)]));
    let whole = match borrowed.as_slice() {
        [] => TokenStream::new(),
        [one] => quote_ours!(#allow let _ = &#one;),
        several => quote_ours!(#allow let _ = (#(&#several),*);),
    };
    // A borrow would silence the compiler's warning that a parameter is not used.
    let statements = quote_ours!(#whole #(let #unused = #unused;)*);
    Captured { keyword: quote_ours!(move), statements }
}

fn end(plan: &Plan) -> TokenStream {
    let After { steps, discard_if, abort_if, abort_reason, ret, .. } = &plan.after;
    if plan.after.is_empty() {
        return quote_ours!(op.end(););
    }
    let ret = ret.as_ref().map(|ret| quote_ours!(let #ret = &result;));
    let steps = steps.iter().map(|step| record(step, plan));
    let abort = abort_if.as_ref().map(|condition| {
        let reason = match abort_reason {
            Some(reason) => borrowed(reason),
            None => quote_ours!(::core::stringify!(#condition)),
        };
        quote_ours!(if #condition { op.abort(#reason); })
    });
    let commit = quote_ours!(#(#steps)* #abort op.end(););
    let finish = match discard_if {
        Some(condition) => quote_ours!(if #condition { op.discard(); } else { #commit }),
        None => commit,
    };
    quote_ours!(if op.is_recording() { #ret #finish })
}

fn record(step: &Step, plan: &Plan) -> TokenStream {
    match step {
        Step::Arg(arg) => record_arg(arg),
        Step::Meta { key, value } => {
            let value = borrowed(value);
            quote_ours!(op.meta(#key, #value);)
        }
        Step::Choose(choose) => record_choice(choose, plan),
    }
}

fn record_arg(arg: &Arg) -> TokenStream {
    let index = Literal::u16_unsuffixed(arg.param);
    let value = borrowed(&arg.value);
    quote_ours!(op.arg(#index, #value);)
}

fn record_choice(choose: &Choose, plan: &Plan) -> TokenStream {
    let scrutinee = &choose.scrutinee;
    let arms = choose.arms.iter().map(|arm| {
        let pattern = &arm.pattern;
        let guard = arm.guard.as_ref().map(|guard| quote_ours!(if #guard));
        let index = Literal::u16_unsuffixed(arm.action);
        let choice = (plan.actions.len() > 1).then(|| quote_ours!(op.choose(#index);));
        let args = arm.args.iter().map(record_arg);
        quote_ours!(#pattern #guard => { #choice #(#args)* })
    });
    quote_ours!(match #scrutinee { #(#arms)* })
}

/// `&expr`, which the compiler's messages show as `expr`.
fn borrowed(expr: &Expr) -> TokenStream {
    let borrow = syn::ExprReference {
        attrs: Vec::new(),
        and_token: syn::Token![&](Span::mixed_site().located_at(expr.span())),
        mutability: None,
        expr: Box::new(expr.clone()),
    };
    borrow.into_token_stream()
}

/// Statements in the braces of the function's body, at which the compiler points if the body has a wrong type.
fn body_block(function: &Function, statements: TokenStream) -> TokenStream {
    let mut block = Group::new(Delimiter::Brace, statements);
    block.set_span(function.braces.span.join());
    block.into_token_stream()
}

/// `ty` as it may be written inside a function: with `_` for every `impl Trait`.
fn inferred_impl(mut ty: Type) -> Type {
    infer_impl(&mut ty);
    ty
}

fn infer_impl(ty: &mut Type) {
    match ty {
        Type::ImplTrait(_) => *ty = syn::parse_quote!(_),
        Type::Array(array) => infer_impl(&mut array.elem),
        Type::Group(group) => infer_impl(&mut group.elem),
        Type::Paren(paren) => infer_impl(&mut paren.elem),
        Type::Path(path) => path.path.segments.iter_mut().for_each(|segment| infer_impl_in(&mut segment.arguments)),
        Type::Ptr(pointer) => infer_impl(&mut pointer.elem),
        Type::Reference(reference) => infer_impl(&mut reference.elem),
        Type::Slice(slice) => infer_impl(&mut slice.elem),
        Type::Tuple(tuple) => tuple.elems.iter_mut().for_each(infer_impl),
        // The compiler allows `impl Trait` in no other type.
        _ => {}
    }
}

/// In the arguments of a generic type, such as `Option<impl Iterator>`.
fn infer_impl_in(arguments: &mut PathArguments) {
    match arguments {
        PathArguments::None => {}
        PathArguments::AngleBracketed(arguments) => {
            for argument in &mut arguments.args {
                match argument {
                    GenericArgument::Type(ty) => infer_impl(ty),
                    GenericArgument::AssocType(assigned) => infer_impl(&mut assigned.ty),
                    _ => {}
                }
            }
        }
        PathArguments::Parenthesized(arguments) => {
            arguments.inputs.iter_mut().for_each(|input| infer_impl(&mut input.ty));
            if let ReturnType::Type(_, ty) = &mut arguments.output {
                infer_impl(ty);
            }
        }
    }
}
